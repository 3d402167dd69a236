import { describe, expect, test } from "vitest";

import { callFunction } from "#tests/support/app/visitor.ts";
import { makePremium, userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { buyPremium, createStripeApp, pressPremium } from "#tests/support/providers/stripe/stripe-app.ts";
import type { StripeApp } from "#tests/support/providers/stripe/stripe-app.ts";

const day = 86_400_000;
const unavailable = "We couldn't reach Stripe, which handles payments.";

async function withSubscriber() {
  const product = await createStripeApp();
  const ada = await product.signedIn();
  await buyPremium(ada, product.stripe);
  return { ...product, ada };
}

/** As if the last proof was long ago. */
async function ageProofs({ services }: Pick<StripeApp, "services">) {
  await services.db
    .updateTable("session" as "setting")
    .set({ verifiedAt: 0 } as never)
    .execute();
}

describe("create-checkout", () => {
  const checkout = (caller: Parameters<typeof callFunction>[0], priceId: unknown) =>
    callFunction(caller, "create-checkout", { input: { priceId } });

  test("returns the checkout of the price", async () => {
    const { signedIn, stripe } = await createStripeApp();
    const { status, body } = await checkout(await signedIn(), "price_yearly");
    const [session] = stripe.state.sessions.values();
    expect([status, body]).toEqual([200, { url: session?.url }]);
    expect(session?.price).toBe("price_yearly");
  });

  test("asks a visitor to log in", async () => {
    const { visitor } = await createStripeApp();
    expect(await checkout(visitor(), "price_yearly")).toMatchObject({
      status: 401,
      body: { error: "Please log in to subscribe." },
    });
  });

  test("refuses a price that isn't ours, without asking Stripe", async () => {
    const { signedIn, stripe } = await createStripeApp();
    const ada = await signedIn();
    stripe.requests.length = 0;
    expect((await checkout(ada, "price_of_another_product")).body).toEqual({
      error: "Checkout failed: This price isn't offered here.",
      details: "You weren't charged, and your plan hasn't changed.",
    });
    for (const wrong of [undefined, 7, "", "x".repeat(300), { $ne: "" }]) {
      const { status, body } = await checkout(ada, wrong);
      expect([status, body]).toEqual([400, { error: "Checkout failed: The body has no priceId." }]);
    }
    expect(stripe.requests).toEqual([]);
  });

  test("returns the portal to a subscriber, but only with a fresh proof", async () => {
    const product = await withSubscriber();
    expect((await checkout(product.ada, "price_yearly")).body.url).toContain("/portal/");
    await ageProofs(product);
    expect(await checkout(product.ada, "price_yearly")).toMatchObject({
      status: 403,
      body: { error: "Could not open portal" },
    });
    expect(product.stripe.state.portalSessions.size).toBe(1);
  });

  test("charges no one who has Premium already", async () => {
    const { signedIn, services, stripe } = await createStripeApp();
    const ada = await signedIn();
    await makePremium(services, await userIdOf(ada));
    expect(await checkout(ada, "price_monthly")).toMatchObject({
      status: 409,
      body: { error: "Checkout failed: You're already on Premium.", details: "You weren't charged." },
    });
    expect(stripe.state.sessions.size).toBe(0);
  });

  test("is limited with the button of the pricing page", async () => {
    const { signedIn, stripe } = await createStripeApp();
    const ada = await signedIn();
    for (let n = 0; n < 15; n++) await ada.post("/pricing/checkout", { period: "monthly" });
    const statuses = [];
    for (let n = 0; n < 16; n++) statuses.push((await checkout(ada, "price_monthly")).status);
    expect(statuses).toEqual([...Array<number>(15).fill(200), 429]);
    expect(stripe.state.sessions.size).toBe(1);
  });
});

describe("check-subscription", () => {
  test("returns what Stripe has now, as the button Refresh shows it", async () => {
    const { ada, stripe, signedIn } = await withSubscriber();
    const end = new Date(stripe.clock() + 30 * day).toISOString();
    expect((await callFunction(ada, "check-subscription")).body).toEqual({
      subscribed: true,
      subscription_tier: "Premium",
      subscription_end: end,
    });
    const [subscription] = stripe.state.subscriptions.values();
    if (!subscription) throw new Error("nothing was bought");
    stripe.billing.end(subscription);
    const free = { subscribed: false, subscription_tier: null, subscription_end: null };
    expect((await callFunction(ada, "check-subscription")).body).toEqual(free);
    expect((await callFunction(await signedIn("bob@example.com"), "check-subscription")).body).toEqual(free);
  });

  test("has no end for Premium without one", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    await makePremium(services, await userIdOf(ada));
    expect((await callFunction(ada, "check-subscription")).body).toEqual({
      subscribed: true,
      subscription_tier: "Premium",
      subscription_end: null,
    });
  });

  test("asks Stripe at most sixty times an hour", async () => {
    const { ada, stripe } = await withSubscriber();
    for (let n = 0; n < 60; n++) await callFunction(ada, "check-subscription");
    stripe.requests.length = 0;
    const { status, body } = await callFunction(ada, "check-subscription");
    expect([status, body.error]).toEqual([429, "Could not check subscription status"]);
    expect(stripe.requests).toEqual([]);
  });
});

describe("customer-portal", () => {
  test("returns the portal of the caller, with a fresh proof", async () => {
    const product = await withSubscriber();
    const { status, body } = await callFunction(product.ada, "customer-portal");
    const [portal] = product.stripe.state.portalSessions.values();
    expect([status, body]).toEqual([200, { url: portal?.url }]);
    await ageProofs(product);
    expect(await callFunction(product.ada, "customer-portal")).toMatchObject({
      status: 403,
      body: { error: "Could not open portal", details: expect.stringContaining("/account/verify?returnTo=%2Faccount") },
    });
    expect(product.stripe.state.portalSessions.size).toBe(1);
  });

  test("has nothing for an owner who never paid", async () => {
    const { signedIn } = await withSubscriber();
    expect(await callFunction(await signedIn("bob@example.com"), "customer-portal")).toMatchObject({
      status: 409,
      body: { error: "Could not open portal" },
    });
  });
});

describe("without an answer of Stripe, the functions have the messages of the catalogue and no detail of the request", () => {
  test.each(["down", "error 500", "rate-limited", "refuses"] as const)("%s", async (health) => {
    const { ada, stripe, signedIn } = await withSubscriber();
    const bob = await signedIn("bob@example.com");
    stripe.health = health;
    const results = [
      await callFunction(bob, "create-checkout", { input: { priceId: "price_monthly" } }),
      await callFunction(ada, "check-subscription"),
      await callFunction(ada, "customer-portal"),
    ];
    expect(results.map(({ status, body }) => [status, body.error])).toEqual([
      [503, `Checkout failed: ${unavailable}`],
      [503, "Could not check subscription status"],
      [503, "Could not open portal"],
    ]);
    expect(JSON.stringify(results.map(({ body }) => body))).not.toMatch(/req_|cus_|sk_|127\.0\.0\.1|charges/);
  });

  test("not configured", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    const input = { priceId: "price_monthly" };
    expect(await callFunction(ada, "create-checkout", { input })).toMatchObject({
      status: 503,
      body: { error: "Checkout failed: Premium isn't available yet." },
    });
    expect(await callFunction(ada, "customer-portal")).toMatchObject({
      status: 409,
      body: { error: "Could not open portal" },
    });
    expect((await callFunction(ada, "check-subscription")).body).toMatchObject({ subscribed: false });
  });
});

test("the button of Premium opens a subscriber's portal only with a fresh proof", async () => {
  const product = await withSubscriber();
  await ageProofs(product);
  const response = await product.ada.post("/pricing/checkout", { period: "yearly" });
  expect(response.headers.get("location")).toBe("/account/verify?returnTo=%2Faccount");
  expect(product.stripe.state.portalSessions.size).toBe(0);
});

test("a former subscriber's checkout, which may show a name and an address, opens only with a fresh proof", async () => {
  const product = await withSubscriber();
  const { ada, stripe } = product;
  for (const subscription of stripe.state.subscriptions.values()) stripe.billing.end(subscription);
  await ageProofs(product);
  const sessions = stripe.state.sessions.size;
  const response = await ada.post("/pricing/checkout", { period: "yearly" });
  const verify = response.headers.get("location") ?? "";
  expect(verify).toBe("/account/verify?returnTo=%2Fpricing%3Fperiod%3Dyearly");
  const input = { priceId: "price_yearly" };
  expect(await callFunction(ada, "create-checkout", { input })).toMatchObject({
    status: 403,
    body: { details: expect.stringContaining("/account/verify?returnTo=%2Fpricing") },
  });
  expect(stripe.state.sessions.size).toBe(sessions);
  expect((await ada.post(verify, { password: ada.password })).headers.get("location")).toBe("/pricing?period=yearly");
  expect(await pressPremium(ada, "yearly")).toContain("/pay/");
});
