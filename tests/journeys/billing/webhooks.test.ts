import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { deleteAccount } from "#app/features/account/settings/account-deletion-data.server.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { changeAll } from "#tests/support/database/account-rows.ts";
import {
  buyPremium,
  createStripeApp,
  createSubscribedApp,
  pressPremium,
  sendEvent,
} from "#tests/support/providers/stripe/stripe-app.ts";
import type { StripeApp } from "#tests/support/providers/stripe/stripe-app.ts";

const day = 86_400_000;

describe("the webhook", () => {
  test("refuses a wrong or an old signature with 400, and logs it", async () => {
    const { app, stripe, services, logLines } = await createSubscribedApp();
    stripe.state.record("customer.subscription.updated", {});
    const [event] = stripe.takeEvents();
    if (!event) throw new Error("no event");
    const url = `${services.config.baseUrl}/webhooks/stripe`;
    const wrong = stripe.sign(event, { secret: "whsec_of_another_account" });
    const { payload: body, header: old } = stripe.sign(event, { at: stripe.state.seconds() - 301 });
    for (const header of [wrong.header, old, `t=${stripe.state.seconds()},v1=`, "rubbish", ""]) {
      const headers = { ...(header && { "stripe-signature": header }) };
      expect((await app.request(url, { method: "POST", body, headers })).status, header).toBe(400);
    }
    expect(logLines.filter(({ security }) => security === "webhook-refused")).toHaveLength(5);
    expect(await services.db.selectFrom("stripe_event").select("id").where("id", "=", event.id).execute()).toEqual([]);
  });

  test("accepts events that it doesn't know, and those of customers that aren't ours", async () => {
    const product = await createSubscribedApp();
    const { stripe, services, logLines } = product;
    stripe.state.record("radar.early_fraud_warning.created", { id: "issfr_1" });
    const foreign = { id: "sub_x", object: "subscription", customer: "cus_other" };
    stripe.state.record("customer.subscription.updated", foreign);
    stripe.state.record("invoice.paid", { id: "in_x", object: "invoice", customer: null });
    for (const event of stripe.takeEvents()) expect((await sendEvent(product, stripe, event)).status).toBe(200);
    expect(await services.db.selectFrom("job").select("kind").where("kind", "like", "%stripe%").execute()).toEqual([]);
    expect(logLines.filter(({ outcome }) => outcome === "not a customer of this site")).toHaveLength(2);
  });

  test("isn't there without Stripe's settings", async () => {
    const { app, services } = await createTestApp();
    const response = await app.request(`${services.config.baseUrl}/webhooks/stripe`, { method: "POST", body: "{}" });
    expect(response.status).toBe(404);
  });

  test("does the work of an event once, however often and wherever it arrives", async () => {
    const product = await createSubscribedApp();
    const { stripe, services, subscription } = product;
    stripe.billing.cancelAtPeriodEnd(subscription);
    const [event] = stripe.takeEvents();
    if (!event) throw new Error("no event");
    await Promise.all(Array.from({ length: 8 }, () => sendEvent(product, stripe, event)));
    const jobs = services.db.selectFrom("job").select("kind").where("kind", "=", "sync-stripe-customer");
    expect(await jobs.execute()).toHaveLength(1);
  });

  test.each(["down", "rate-limited"] as const)(
    "answers while Stripe is %s, and the work is done later",
    async (health) => {
      const { stripe, services, deliver, subscription, plan } = await createSubscribedApp();
      stripe.billing.end(subscription);
      stripe.health = health;
      await deliver();
      expect(await plan()).toBe("premium");
      stripe.health = "ok";
      stripe.advance(60_000);
      await services.jobs.runDue();
      expect(await plan()).toBe("free");
    },
  );
});

test("the end of Premium pauses the other cards at once, also where their pages are cached, and buying it again brings them back", async () => {
  const { ada, visitor, stripe, deliver, subscription } = await createSubscribedApp();
  const oldest = await makeCard(ada);
  stripe.advance(1);
  const cards = [oldest, await makeCard(ada)];
  const statuses = () => Promise.all(cards.map(async (id) => (await visitor().get(`/card/${id}`)).status));
  expect(await statuses()).toEqual([200, 200]);
  stripe.billing.end(subscription);
  await deliver();
  expect(await statuses()).toEqual([200, 404]);
  await buyPremium(ada, stripe);
  await deliver();
  expect(await statuses()).toEqual([200, 200]);
});

test("the plan ends with a customer who was deleted at Stripe, and can be bought again", async () => {
  const { ada, stripe, deliver, customer, plan } = await createSubscribedApp();
  stripe.billing.deleteCustomer(customer);
  await deliver();
  expect(await plan()).toBe("free");
  await buyPremium(ada, stripe);
  expect(await plan()).toBe("premium");
});

test("deleting an account ends its subscription at Stripe, also when Stripe can't be reached at first", async () => {
  const { ada, stripe, services, ownerId, customer, subscription } = await createSubscribedApp();
  stripe.health = "down";
  expect(await deleteAccount(services, { ownerId, feedback: "" })).toBe(true);
  await services.jobs.runDue();
  expect(subscription.status).toBe("active");
  expect(await services.db.selectFrom("stripe_customer").selectAll().execute()).toEqual([]);
  stripe.health = "ok";
  stripe.advance(60_000);
  await services.jobs.runDue();
  expect([subscription.status, customer.deleted]).toEqual(["canceled", true]);
  expect((await ada.get("/account")).status).toBe(302);
});

test("a comparison each night repairs what the webhook missed", async () => {
  const { stripe, services, subscription, plan, maintain } = await createSubscribedApp();
  stripe.billing.end(subscription);
  await maintain();
  expect(await plan()).toBe("free");
  const setting = services.db.selectFrom("setting").select("value").where("name", "=", "stripe-reconciliation");
  expect(JSON.parse((await setting.executeTakeFirstOrThrow()).value)).toMatchObject({ compared: 1, fixed: 1 });
});

test("a comparison each night gives Stripe the new email of an account, for its receipts", async () => {
  const { ada, stripe, services, customer, maintain } = await createSubscribedApp();
  await changeAll(services, "user", { email: "countess@example.com" });
  await maintain();
  expect(customer.email).toBe("countess@example.com");
  // The next night has nothing to change, and a deleted customer no email.
  stripe.billing.deleteCustomer(customer);
  stripe.requests.length = 0;
  stripe.advance(day);
  await maintain();
  expect(stripe.requests.filter((line) => line.startsWith("POST"))).toEqual([]);
  expect((await ada.get("/account")).status).toBe(200);
});

/** What an owner does at Stripe within some months. Every step causes events. */
async function liveThrough(product: Awaited<ReturnType<typeof createSubscribedApp>>) {
  const { stripe, subscription, customer } = product;
  stripe.billing.switchPrice(subscription, "price_yearly");
  stripe.billing.cancelAtPeriodEnd(subscription);
  stripe.billing.cancelAtPeriodEnd(subscription, false);
  stripe.billing.switchPrice(subscription, "price_monthly");
  stripe.advance(31 * day);
  customer.card = "declined";
  stripe.advance(30 * day);
  customer.card = "works";
  stripe.billing.retryPayments(customer.id);
  stripe.billing.cancelAtPeriodEnd(subscription);
  return stripe.takeEvents();
}

/** What is stored about payments, without the times of the events. */
async function readState({ services }: Pick<StripeApp, "services">) {
  const { db } = services;
  return {
    plans: await db.selectFrom("subscription").select(["plan", "ends_at"]).execute(),
    payments: await db.selectFrom("stripe_subscription").selectAll().execute(),
    jobs: await db.selectFrom("job").select("kind").where("kind", "like", "%stripe%").execute(),
  };
}

test("any order and repetition of events ends in the state of the right order", async () => {
  const product = await createSubscribedApp();
  const { services, stripe } = product;
  const events = await liveThrough(product);
  await product.deliver(events);
  const expected = await readState(product);
  expect(expected.payments).toHaveLength(1);
  const orders = fc.array(fc.nat({ max: events.length - 1 }), { minLength: 1, maxLength: 2 * events.length });
  const pauses = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(orders, pauses, async (order, runs) => {
      await services.db.deleteFrom("stripe_event").execute();
      await services.db.deleteFrom("stripe_subscription").execute();
      for (const [at, index] of order.entries()) {
        const event = events[index];
        if (event) await sendEvent(product, stripe, event);
        if (runs[at % runs.length]) await services.jobs.runDue();
      }
      await services.jobs.runDue();
      expect(await readState(product)).toEqual(expected);
    }),
    { numRuns: 25 },
  );
});

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
