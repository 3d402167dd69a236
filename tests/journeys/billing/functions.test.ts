import { describe, expect, test } from "vitest";

import { makePremium, userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { callFunction } from "#tests/support/app/visitor.ts";
import { createStripeApp, createSubscribedApp, pressPremium } from "#tests/support/providers/stripe/stripe-app.ts";

const day = 86_400_000;
const unavailable = "We couldn’t reach Stripe, which handles payments.";

const checkout = (caller: Parameters<typeof callFunction>[0], priceId: unknown) =>
  callFunction(caller, "create-checkout", { input: { priceId } });

describe("create-checkout", () => {
  test("returns the checkout of the price to a user", async () => {
    const { signedIn, visitor, stripe } = await createStripeApp();
    expect(await checkout(visitor(), "price_yearly")).toMatchObject({
      status: 401,
      body: { error: "Please log in to subscribe." },
    });
    const { status, body } = await checkout(await signedIn(), "price_yearly");
    const [session] = stripe.state.sessions.values();
    expect([status, body]).toEqual([200, { url: session?.url }]);
    expect(session?.price).toBe("price_yearly");
  });

  test("refuses a price that isn't ours, without asking Stripe", async () => {
    const { signedIn, stripe } = await createStripeApp();
    const ada = await signedIn();
    stripe.requests.length = 0;
    expect((await checkout(ada, "price_of_another_product")).body).toEqual({
      error: "Checkout failed: This price isn’t offered here.",
      details: "You weren’t charged, and your plan hasn’t changed.",
    });
    for (const wrong of [undefined, "", "x".repeat(300), { $ne: "" }]) {
      const { status, body } = await checkout(ada, wrong);
      expect([status, body]).toEqual([400, { error: "Checkout failed: The body has no priceId." }]);
    }
    expect(stripe.requests).toEqual([]);
  });

  test("charges no one who has Premium already", async () => {
    const { signedIn, services, stripe } = await createStripeApp();
    const ada = await signedIn();
    await makePremium(services, await userIdOf(ada));
    expect(await checkout(ada, "price_monthly")).toMatchObject({
      status: 409,
      body: { error: "Checkout failed: You’re already on Premium.", details: "You weren’t charged." },
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
    const { ada, stripe, signedIn, services, ownerId, subscription } = await createSubscribedApp();
    const check = async (person: typeof ada) => (await callFunction(person, "check-subscription")).body;
    const premium = { subscribed: true, subscription_tier: "Premium" };
    const end = new Date(stripe.clock() + 30 * day).toISOString();
    expect(await check(ada)).toEqual({ ...premium, subscription_end: end });
    stripe.billing.end(subscription);
    const free = { subscribed: false, subscription_tier: null, subscription_end: null };
    expect(await check(ada)).toEqual(free);
    expect(await check(await signedIn("bob@example.com"))).toEqual(free);
    await makePremium(services, ownerId);
    expect(await check(ada)).toEqual({ ...premium, subscription_end: null });
  });

  test("asks Stripe at most sixty times an hour", async () => {
    const { ada, stripe } = await createSubscribedApp();
    for (let n = 0; n < 60; n++) await callFunction(ada, "check-subscription");
    stripe.requests.length = 0;
    const { status, body } = await callFunction(ada, "check-subscription");
    expect([status, body.error]).toEqual([429, "Could not check subscription status"]);
    expect(stripe.requests).toEqual([]);
  });
});

test("a portal is returned by customer-portal, and to a subscriber by create-checkout, only with a fresh proof, and to no one who never paid", async () => {
  const { ada, ageProofs, stripe, signedIn } = await createSubscribedApp();
  const bob = await signedIn("bob@example.com");
  expect((await callFunction(bob, "customer-portal")).status).toBe(409);
  for (const call of [() => callFunction(ada, "customer-portal"), () => checkout(ada, "price_yearly")]) {
    const { status, body } = await call();
    expect([status, body]).toEqual([200, { url: [...stripe.state.portalSessions.values()].at(-1)?.url }]);
  }
  await ageProofs();
  const details = expect.stringContaining("/account/verify?returnTo=%2Faccount");
  const refused = { status: 403, body: { error: "Could not open portal", details } };
  expect(await callFunction(ada, "customer-portal")).toMatchObject(refused);
  expect(await checkout(ada, "price_yearly")).toMatchObject(refused);
  const response = await ada.post("/pricing/checkout", { period: "yearly" });
  expect(response.headers.get("location")).toBe("/account/verify?returnTo=%2Faccount");
  expect(stripe.state.portalSessions.size).toBe(2);
});

describe("without an answer of Stripe, the functions have the messages of the catalogue and no detail of the request", () => {
  test.each(["down", "error 500", "rate-limited", "refuses"] as const)("%s", async (health) => {
    const { ada, stripe, signedIn } = await createSubscribedApp();
    const bob = await signedIn("bob@example.com");
    stripe.health = health;
    const results = [
      await checkout(bob, "price_monthly"),
      await callFunction(ada, "check-subscription"),
      await callFunction(ada, "customer-portal"),
    ];
    const [status, reason] =
      health === "refuses" ? [502, "Your account cannot currently make charges."] : [503, unavailable];
    expect(results.map(({ status, body }) => [status, body.error])).toEqual([
      [status, `Checkout failed: ${reason}`],
      [503, "Could not check subscription status"],
      [status, "Could not open portal"],
    ]);
    expect(results[2]?.body["details"]).toBe(reason);
    expect(JSON.stringify(results.map(({ body }) => body))).not.toMatch(/req_|cus_|sk_|127\.0\.0\.1/);
  });

  test("not configured", async () => {
    const ada = await (await createTestApp()).signedIn();
    expect(await checkout(ada, "price_monthly")).toMatchObject({
      status: 503,
      body: { error: "Checkout failed: Premium isn’t available yet." },
    });
    expect(await callFunction(ada, "customer-portal")).toMatchObject({
      status: 409,
      body: { error: "Could not open portal" },
    });
    expect((await callFunction(ada, "check-subscription")).body).toMatchObject({ subscribed: false });
  });
});

test("a former subscriber's checkout, which may show a name and an address, opens only with a fresh proof", async () => {
  const { ada, ageProofs, stripe, subscription } = await createSubscribedApp();
  stripe.billing.end(subscription);
  await ageProofs();
  const response = await ada.post("/pricing/checkout", { period: "yearly" });
  const verify = response.headers.get("location") ?? "";
  expect(verify).toBe("/account/verify?returnTo=%2Fpricing%3Fperiod%3Dyearly");
  expect(await checkout(ada, "price_yearly")).toMatchObject({
    status: 403,
    body: { details: expect.stringContaining("/account/verify?returnTo=%2Fpricing") },
  });
  expect(stripe.state.sessions.size).toBe(1);
  expect((await ada.post(verify, { password: ada.password })).headers.get("location")).toBe("/pricing?period=yearly");
  expect(await pressPremium(ada, "yearly")).toContain("/pay/");
});
