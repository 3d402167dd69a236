import { describe, expect, test } from "vitest";

import {
  createStripeApp,
  createSubscribedApp,
  pressPremium,
  sendEvent,
} from "#tests/support/providers/stripe/stripe-app.ts";
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
    if (when === "before") {
      // It doesn't need the browser.
      await deliver();
      expect((await readState(product)).plans).toEqual([{ plan: "premium", ends_at: null }]);
    }
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

// Other orders and repetitions: "any order and repetition of events" in webhooks.test.ts.
test.each(["in order", "late"] as const)(
  "events that are sent %s end in Stripe's state, through a failed payment, a new card, another period and the end",
  async (sending) => {
    const product = await createSubscribedApp();
    const { subscription, customer, stripe, deliver } = product;
    stripe.sending = sending;
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
  },
);

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
  expect(await readState(product)).toMatchObject({
    plans: [{ plan: "premium" }],
    payments: [{ current_period_end: stripe.clock() + 30 * day }],
  });
});

test("an event that says our customer was deleted is only a reason to read the customer, who is still there", async () => {
  const product = await createSubscribedApp();
  const { customer, stripe, deliver } = product;
  const before = await readState(product);
  stripe.state.record("customer.deleted", { ...customer, deleted: true });
  await deliver();
  expect(await readState(product)).toEqual(before);
});
