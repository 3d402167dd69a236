import { describe, expect, test } from "vitest";

import { toastIn } from "#tests/support/app/responses.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { buyPremium, createStripeApp, pressPremium } from "#tests/support/providers/stripe/stripe-app.ts";

describe("the button of Premium", () => {
  test("opens a checkout for the chosen price, with the owner's email", async () => {
    const { signedIn, stripe, services } = await createStripeApp();
    const ada = await signedIn();
    const page = await pressPremium(ada, "yearly");
    const [session] = stripe.state.sessions.values();
    expect(page).toBe(session?.url);
    expect(session?.request).toMatchObject({
      mode: "subscription",
      line_items: { 0: { price: "price_yearly", quantity: "1" } },
      allow_promotion_codes: "true",
      success_url: `${services.config.baseUrl}/success?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${services.config.baseUrl}/cancel`,
      client_reference_id: await userIdOf(ada),
    });
    expect(session?.request).not.toHaveProperty("automatic_tax");
    expect([...stripe.state.customers.values()].map(({ email }) => email)).toEqual(["ada@example.com"]);
  });

  test("lets Stripe calculate taxes where the operator wants it", async () => {
    const { signedIn, stripe } = await createStripeApp({ STRIPE_TAX: "on" });
    expect(await pressPremium(await signedIn())).toContain("/pay/");
    const [session] = stripe.state.sessions.values();
    expect(session?.request).toMatchObject({
      automatic_tax: { enabled: "true" },
      tax_id_collection: { enabled: "true" },
      customer_update: { address: "auto", name: "auto" },
    });
  });

  test("makes one session when pressed five times at once, and again later", async () => {
    const { signedIn, stripe } = await createStripeApp();
    const ada = await signedIn();
    const pages = await Promise.all(Array.from({ length: 5 }, () => pressPremium(ada)));
    expect(new Set([...pages, await pressPremium(ada)]).size).toBe(1);
    expect([stripe.state.sessions.size, stripe.state.customers.size]).toEqual([1, 1]);
  });

  test("replaces the session when the other period is chosen, so that only one can be paid", async () => {
    const { signedIn, stripe } = await createStripeApp();
    const ada = await signedIn();
    await Promise.all([pressPremium(ada, "monthly"), pressPremium(ada, "yearly"), pressPremium(ada, "monthly")]);
    const open = [...stripe.state.sessions.values()].filter(({ status }) => status === "open");
    expect(open).toHaveLength(1);
    expect(await pressPremium(ada, "yearly")).toContain("/pay/");
    const last = [...stripe.state.sessions.values()].filter(({ status }) => status === "open");
    expect(last.map(({ price }) => price)).toEqual(["price_yearly"]);
  });

  test("opens the portal for a subscriber, even before the webhook has come", async () => {
    const { signedIn, stripe } = await createStripeApp();
    const ada = await signedIn();
    const page = await pressPremium(ada);
    stripe.pay(page ?? "");
    expect(await pressPremium(ada)).toContain("/portal/");
    expect(stripe.state.subscriptions.size).toBe(1);
  });

  test("uses the account's new email, and a new customer when Stripe's was deleted", async () => {
    const { signedIn, stripe, services } = await createStripeApp();
    const ada = await signedIn();
    await pressPremium(ada);
    const [customer] = stripe.state.customers.values();
    if (!customer) throw new Error("no customer");
    customer.email = "old@example.com";
    await pressPremium(ada);
    expect(customer.email).toBe("ada@example.com");
    stripe.billing.deleteCustomer(customer);
    expect(await pressPremium(ada)).toContain("/pay/");
    expect(stripe.state.customers.size).toBe(2);
    const rows = await services.db.selectFrom("stripe_customer").select("customer_id").execute();
    expect(rows).toEqual([{ customer_id: [...stripe.state.customers.keys()].at(-1) }]);
  });

  test("keeps two accounts apart whose customers have one email at Stripe", async () => {
    const { signedIn, stripe } = await createStripeApp();
    const [ada, bob] = [await signedIn("ada@example.com"), await signedIn("bob@example.com")];
    await buyPremium(ada, stripe);
    for (const customer of stripe.state.customers.values()) customer.email = "same@example.com";
    expect(await pressPremium(bob)).toContain("/pay/");
    expect(await (await bob.get("/account")).text()).not.toContain("Active");
  });

  test("says that nothing was charged when Stripe fails, and what Stripe says when it refuses", async () => {
    const { signedIn, stripe } = await createStripeApp();
    const ada = await signedIn();
    for (const [health, reason] of [
      ["down", "We couldn’t reach Stripe, which handles payments."],
      ["refuses", "Your account cannot currently make charges."],
    ] as const) {
      stripe.health = health;
      const response = await ada.post("/pricing/checkout", { period: "yearly" });
      expect(response.headers.get("location")).toBe("/pricing?period=yearly");
      expect(toastIn(response)).toEqual({
        title: `Checkout failed: ${reason}`,
        text: "You weren’t charged, and your plan hasn’t changed.",
        tone: "error",
      });
    }
    stripe.health = "ok";
    expect(await pressPremium(ada)).toContain("/pay/");
  });
});

describe("after the payment", () => {
  test("the page that Stripe leads back to shows Premium without waiting for the webhook", async () => {
    const { signedIn, stripe } = await createStripeApp();
    const html = await buyPremium(await signedIn(), stripe);
    expect(html).toContain("You&#x27;re Pro now!</h1>");
    for (const path of ["/cards/edit", "/profile#themes", "/profile#links"]) expect(html).toContain(`href="${path}"`);
  });

  test("waits while Stripe can't be asked, and shows Premium as soon as the webhook came", async () => {
    const { signedIn, stripe, deliver } = await createStripeApp();
    const ada = await signedIn();
    const page = await pressPremium(ada);
    const back = new URL(stripe.pay(page ?? ""));
    stripe.health = "down";
    const waiting = await (await ada.get(back.pathname + back.search)).text();
    expect(waiting).toContain("Your payment is on its way</h1>");
    expect(waiting).toContain(`href="${back.pathname}${back.search}"`);
    stripe.health = "ok";
    await deliver();
    expect(await (await ada.get("/success")).text()).toContain("You&#x27;re Pro now!</h1>");
  });

  test("doesn't show Premium for the session of another account, an unpaid or an invented one", async () => {
    const { signedIn, stripe } = await createStripeApp();
    const [ada, eve] = [await signedIn("ada@example.com"), await signedIn("eve@example.com")];
    await buyPremium(ada, stripe);
    const paid = [...stripe.state.sessions.keys()][0] ?? "";
    await pressPremium(eve);
    const unpaid = [...stripe.state.sessions.keys()].at(-1) ?? "";
    for (const id of [paid, unpaid, "cs_test_invented", "../customers", "a".repeat(3_000)]) {
      const html = await (await eve.get(`/success?session_id=${encodeURIComponent(id)}`)).text();
      expect(html, id).toContain("Your plan is still Free</h1>");
    }
  });
});
