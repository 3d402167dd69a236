import { describe, expect, test } from "vitest";

import { toastIn } from "#tests/support/app/responses.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { buyPremium, createStripeApp, pressPremium, sendEvent } from "#tests/support/providers/stripe/stripe-app.ts";
import type { StripeApp } from "#tests/support/providers/stripe/stripe-app.ts";

const day = 86_400_000;

/** What is stored about payments, without the times of the events. */
async function readState({ services }: Pick<StripeApp, "services">) {
  const { db } = services;
  return {
    plans: await db.selectFrom("subscription").select(["plan", "ends_at"]).execute(),
    payments: await db.selectFrom("stripe_subscription").selectAll().execute(),
    jobs: await db.selectFrom("job").select("kind").where("kind", "like", "%stripe%").execute(),
  };
}

describe("the event of a payment and the browser that comes back", () => {
  test.each(["before", "after"])("lead to one state when the event comes %s", async (when) => {
    const product = await createStripeApp();
    const { signedIn, stripe, deliver, services } = product;
    const ada = await signedIn();
    const back = new URL(stripe.pay((await pressPremium(ada)) ?? ""));
    if (when === "before") await deliver();
    const html = await (await ada.get(back.pathname + back.search)).text();
    expect(html).toContain("You&#x27;re Pro now!</h1>");
    const shown = await readState(product);
    if (when === "after") await deliver();
    expect(await readState(product)).toEqual(shown);
    expect(shown).toMatchObject({
      plans: [{ plan: "premium", ends_at: null }],
      payments: [{ status: "active" }],
      jobs: [],
    });
    expect(await services.db.selectFrom("stripe_event").select("id").execute()).toHaveLength(3);
  });
});

describe.each(["in order", "twice", "out of order", "late"] as const)("events that are sent %s", (sending) => {
  test("end in Stripe's state, through a failed payment, a new card, another period and the end", async () => {
    const product = await createStripeApp();
    const { signedIn, stripe, deliver } = product;
    stripe.sending = sending;
    const ada = await signedIn();
    await buyPremium(ada, stripe);
    await deliver();
    const [subscription] = stripe.state.subscriptions.values();
    const [customer] = stripe.state.customers.values();
    if (!subscription || !customer) throw new Error("nothing was bought");
    const steps = [
      () => void (customer.card = "declined"),
      () => stripe.advance(30 * day),
      () => void (customer.card = "works"),
      () => stripe.billing.retryPayments(customer.id),
      () => stripe.billing.switchPrice(subscription, "price_yearly"),
      () => stripe.billing.cancelAtPeriodEnd(subscription),
      () => stripe.advance(100 * day),
    ];
    for (const step of steps) {
      step();
      await deliver();
    }
    stripe.sending = "in order";
    await deliver();
    const end = (subscription.cancel_at ?? 0) * 1_000;
    expect(await readState(product)).toMatchObject({
      plans: [{ plan: "premium", ends_at: end }],
      payments: [{ status: "active", period: "yearly", amount: 8000, cancel_at: end, past_due_since: null }],
      jobs: [],
    });
    stripe.sending = sending;
    stripe.advance(366 * day);
    await deliver();
    stripe.sending = "in order";
    await deliver();
    expect(await readState(product)).toMatchObject({
      plans: [{ plan: "free", ends_at: null }],
      payments: [{ status: "canceled", ended_at: end }],
      jobs: [],
    });
  });
});

test("an event in another version of the API has the same effect: only its customer is read from it", async () => {
  const product = await createStripeApp();
  const { signedIn, stripe, services } = product;
  stripe.pay((await pressPremium(await signedIn())) ?? "");
  const created = stripe.takeEvents().find(({ type }) => type === "customer.subscription.created");
  const [subscription] = stripe.state.subscriptions.values();
  if (!created || !subscription) throw new Error("nothing was paid");
  // As in 2024: the period's end on the subscription itself, and the customer expanded.
  const { items: _, ...fields } = subscription;
  const older = { ...fields, customer: { id: subscription.customer, object: "customer" }, current_period_end: 1 };
  const event = { ...created, api_version: "2024-06-20", data: { object: older } };
  expect((await sendEvent(product, stripe, event)).status).toBe(200);
  await services.jobs.runDue();
  const end = stripe.clock() + 30 * day;
  expect(await readState(product)).toMatchObject({
    plans: [{ plan: "premium" }],
    payments: [{ current_period_end: end }],
  });
});

test("an event of another account of Stripe changes nothing, also when it names our customer", async () => {
  const product = await createStripeApp();
  const { signedIn, stripe, app, services } = product;
  const ada = await signedIn();
  await buyPremium(ada, stripe);
  await product.deliver();
  const before = await readState(product);
  const [customer] = stripe.state.customers.values();
  stripe.state.record("customer.deleted", { ...customer, deleted: true });
  const [event] = stripe.takeEvents();
  if (!event) throw new Error("no event");
  const { payload, header } = stripe.sign(event, { secret: "whsec_of_another_account" });
  const sent = { method: "POST", body: payload, headers: { "stripe-signature": header } };
  expect((await app.request(`${services.config.baseUrl}/webhooks/stripe`, sent)).status).toBe(400);
  // Signed for us, it is a reason to read the customer, who is still there.
  await sendEvent(product, stripe, event);
  await services.jobs.runDue();
  expect(await readState(product)).toEqual(before);
});

describe("too many requests to Stripe (429)", () => {
  test("leave the plan as it is, and the job repeats the read", async () => {
    const product = await createStripeApp();
    const { signedIn, stripe, deliver, services } = product;
    const ada = await signedIn();
    await buyPremium(ada, stripe);
    const [subscription] = stripe.state.subscriptions.values();
    if (!subscription) throw new Error("nothing was bought");
    stripe.billing.end(subscription);
    stripe.health = "rate-limited";
    await deliver();
    expect(await readState(product)).toMatchObject({ plans: [{ plan: "premium" }] });
    const portal = await ada.post("/account/portal", {});
    expect(toastIn(portal)).toMatchObject({ title: "Could not open portal" });
    expect((await ada.post("/account", { intent: "check" })).status).toBe(503);
    stripe.health = "ok";
    stripe.advance(60_000);
    await services.jobs.runDue();
    expect(await readState(product)).toMatchObject({ plans: [{ plan: "free" }], jobs: [] });
  });
});

test("a subscription in a currency without decimals, or with three, is stored in its smallest unit", async () => {
  const product = await createStripeApp();
  const { signedIn, stripe, deliver } = product;
  const [monthly] = stripe.state.prices.values();
  if (!monthly) throw new Error("no price");
  for (const [name, currency, amount] of [
    ["ada", "jpy", 1200],
    ["bob", "kwd", 2450],
  ] as const) {
    const owner = await signedIn(`${name}@example.com`);
    await pressPremium(owner);
    const [customer] = [...stripe.state.customers.values()].slice(-1);
    const price = { ...monthly, id: `price_${currency}`, currency, unit_amount: amount };
    stripe.state.prices.set(price.id, price);
    stripe.billing.subscribe(customer?.id ?? "", price.id);
    await deliver();
    const { payments } = await readState(product);
    expect(payments).toContainEqual(
      expect.objectContaining({ owner_id: await userIdOf(owner), currency, amount, status: "active" }),
    );
    expect(await (await owner.get("/account")).text()).toContain("Renews on");
  }
});
