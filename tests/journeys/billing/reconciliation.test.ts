import { describe, expect, test } from "vitest";

import { deleteAccount } from "#app/features/account/settings/account-deletion-data.server.ts";
import { findPlan } from "#app/features/billing/data.server.ts";
import { checkPrices } from "#app/features/billing/stripe/price-checks.server.ts";
import { features } from "#server/features.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import {
  buyPremium,
  createStripeApp,
  createSubscribedApp,
  pressPremium,
} from "#tests/support/providers/stripe/stripe-app.ts";
import type { StripeApp } from "#tests/support/providers/stripe/stripe-app.ts";

const day = 86_400_000;

async function withSubscriber() {
  const product = await createSubscribedApp();
  const { services, stripe, maintain } = product;
  /** Starts the program with a key of this mode: Stripe has other objects then. */
  const startWith = async (mode: "test" | "live") => {
    for (const price of stripe.state.prices.values()) price.livemode = mode === "live";
    await checkPrices(services);
  };
  const forgetAtStripe = () => {
    for (const of of [stripe.state.customers, stripe.state.subscriptions, stripe.state.invoices]) of.clear();
  };
  return { ...product, startWith, forgetAtStripe, night: maintain };
}

describe("the key of Stripe", () => {
  test("changed from a test key to a live one ends Premium that was paid in the test environment", async () => {
    const { services, startWith, forgetAtStripe, night, plan } = await withSubscriber();
    await startWith("test");
    forgetAtStripe();
    await startWith("live");
    await night();
    expect(await plan()).toBe("free");
    for (const table of ["stripe_subscription", "stripe_invoice"] as const)
      expect(await services.db.selectFrom(table).selectAll().execute()).toEqual([]);
  });

  test("can't be changed from a live key to a test one while live customers are charged", async () => {
    const { services, startWith, plan } = await withSubscriber();
    await startWith("live");
    await expect(startWith("test")).rejects.toThrow("STRIPE_SECRET_KEY is a test key");
    await startWith("live");
    expect(await plan()).toBe("premium");
    await services.db.deleteFrom("stripe_customer").execute();
    await startWith("test");
  });
});

describe("each night", () => {
  test("a subscription whose period is over, and which Stripe's list doesn't have, ends", async () => {
    const { stripe, forgetAtStripe, night, plan } = await withSubscriber();
    forgetAtStripe();
    stripe.advance(31 * day);
    await night();
    expect(await plan()).toBe("premium");
    stripe.advance(2 * day);
    await night();
    expect(await plan()).toBe("free");
  });

  test("customers are read with time between them, so that mails don't wait", async () => {
    const { services, stripe } = await withSubscriber();
    const rows = ["a", "b", "c"].map((id) => ({ owner_id: id, customer_id: `cus_${id}`, created_at: 0 }));
    await services.db.insertInto("stripe_customer").values(rows).execute();
    await runMaintenance(features, services);
    const jobs = services.db.selectFrom("job").select("run_at").where("kind", "=", "sync-stripe-customer");
    const delays = (await jobs.orderBy("run_at").execute()).map(({ run_at }) => run_at - stripe.clock());
    expect(delays).toEqual([0, 5_000, 10_000]);
  });

  test("a page of the comparison reads no customers itself, so that it ends within its lease", async () => {
    const { services, stripe, signedIn } = await withSubscriber();
    const bob = await signedIn("bob@example.com");
    await buyPremium(bob, stripe);
    for (const subscription of stripe.state.subscriptions.values()) stripe.billing.end(subscription);
    await runMaintenance(features, services);
    await services.jobs.runDue();
    const jobs = services.db.selectFrom("job").select("id").where("kind", "=", "sync-stripe-customer");
    expect(await jobs.execute()).toHaveLength(1);
    stripe.advance(5_000);
    await services.jobs.runDue();
    expect(await jobs.execute()).toEqual([]);
    expect((await findPlan(services, await userIdOf(bob))).id).toBe("free");
  });

  test("an email that Stripe refuses leaves no job behind", async () => {
    const { services, stripe } = await withSubscriber();
    const [customerId] = stripe.state.customers.keys();
    stripe.health = "refuses";
    await services.jobs.enqueue(services.db, "update-stripe-email", { customerId });
    await services.jobs.runDue();
    expect(await services.db.selectFrom("job").select("kind").execute()).toEqual([]);
  });

  test("what was kept for some weeks is deleted, also when Premium isn't sold any more", async () => {
    const { services } = await createTestApp();
    const { db, clock } = services;
    const event = { id: "evt_1", type: "invoice.paid", created_at: 0, received_at: clock() - 36 * day };
    await db.insertInto("stripe_event").values(event).execute();
    await runMaintenance(features, services);
    expect(await db.selectFrom("stripe_event").selectAll().execute()).toEqual([]);
  });
});

/** What Stripe reported to operators. */
function listNotices({ db }: StripeApp["services"]) {
  return db
    .selectFrom("operator_log")
    .select(["owner_id", "action", "detail"])
    .where("admin_id", "=", "stripe")
    .orderBy("action")
    .execute();
}

describe("Premium", () => {
  test("doesn't change with a refund or a dispute as long as the subscription goes on, and operators see both once", async () => {
    const { stripe, deliver, customer, subscription, plan, services, ownerId } = await createSubscribedApp();
    const charge = { id: "ch_1", object: "charge" as const, customer: customer.id, refunded: false, disputed: false };
    stripe.state.charges.set(charge.id, charge);
    stripe.state.record("charge.refunded", charge);
    await deliver();
    expect(await listNotices(services)).toEqual([]);
    charge.refunded = true;
    charge.disputed = true;
    stripe.state.record("charge.refunded", charge);
    stripe.state.record("charge.dispute.created", { id: "dp_1", object: "dispute", charge: charge.id });
    await deliver();
    await deliver(stripe.state.events);
    expect(await plan()).toBe("premium");
    expect(await listNotices(services)).toEqual([
      { owner_id: ownerId, action: "payment-disputed", detail: "ch_1" },
      { owner_id: ownerId, action: "payment-refunded", detail: "ch_1" },
    ]);
    stripe.billing.end(subscription);
    stripe.takeEvents();
    stripe.state.record("charge.dispute.created", { id: "dp_2", object: "dispute", charge: charge.id });
    await deliver();
    expect(await plan()).toBe("free");
  });

  test("gives nothing for the price of another product, which operators see", async () => {
    const { stripe, deliver, subscription, plan, services, ownerId, logLines } = await createSubscribedApp();
    const [item] = subscription.items.data;
    if (!item) throw new Error("no item");
    stripe.state.prices.set("price_old", { ...item.price, id: "price_old", unit_amount: 499 });
    stripe.state.prices.set("price_course", { ...item.price, id: "price_course", product: "prod_course" });
    stripe.billing.switchPrice(subscription, "price_old");
    await deliver();
    expect(await plan()).toBe("premium");
    stripe.billing.switchPrice(subscription, "price_course");
    await deliver();
    expect(await plan()).toBe("free");
    await deliver(stripe.state.events);
    expect(await listNotices(services)).toEqual([
      { owner_id: ownerId, action: "unknown-price", detail: `${subscription.id}, price_course` },
    ]);
    expect(logLines.filter(({ notice }) => notice === "unknown-price")).not.toEqual([]);
  });

  test("gives nothing for a plan that this release doesn't have, which operators see", async () => {
    const { stripe, deliver, subscription, plan, services, ownerId } = await createSubscribedApp();
    await services.db.updateTable("stripe_price").set({ plan: "team" }).execute();
    stripe.billing.switchPrice(subscription, "price_yearly");
    await deliver();
    expect(await plan()).toBe("free");
    expect(await listNotices(services)).toEqual([
      { owner_id: ownerId, action: "unknown-price", detail: `${subscription.id}, price_yearly` },
    ]);
  });

  test("goes on when the operator sells at other prices, also of another product", async () => {
    const { stripe, services, deliver, plan, subscription } = await createSubscribedApp();
    const [item] = subscription.items.data;
    const settings = services.stripe?.settings;
    if (!item || !settings) throw new Error("nothing is sold");
    for (const period of ["monthly", "yearly"] as const) {
      const price = stripe.state.prices.get(`price_${period}`);
      if (!price) throw new Error("no price");
      const id = `price_${period}_new`;
      stripe.state.prices.set(id, { ...price, id, product: "prod_new" });
      settings[period] = id;
    }
    await checkPrices(services);
    stripe.billing.cancelAtPeriodEnd(subscription);
    stripe.billing.cancelAtPeriodEnd(subscription, false);
    await deliver();
    expect(await plan()).toBe("premium");
    expect(await listNotices(services)).toEqual([]);
  });

  test("is counted once for two subscriptions, which operators see", async () => {
    const { stripe, deliver, subscription, customer, plan, services, ownerId } = await createSubscribedApp();
    const second = stripe.billing.subscribe(customer.id, "price_yearly");
    await deliver();
    await deliver(stripe.state.events);
    const ids = [subscription.id, second.id].toSorted().join(", ");
    expect(await listNotices(services)).toEqual([{ owner_id: ownerId, action: "paid-twice", detail: ids }]);
    stripe.billing.end(subscription);
    await deliver();
    expect(await plan()).toBe("premium");
  });
});

test("the log of operators keeps nothing of Stripe's about an account that was deleted", async () => {
  const { services, ownerId } = await createSubscribedApp();
  const notice = { ownerId, kind: "payment-disputed" };
  await services.jobs.enqueue(services.db, "operator-notice", { ...notice, detail: "ch_before" });
  await services.jobs.runDue();
  await deleteAccount(services, { ownerId, feedback: "" });
  await services.jobs.enqueue(services.db, "operator-notice", { ...notice, detail: "ch_after" });
  await services.jobs.runDue();
  const rows = await services.db.selectFrom("operator_log").selectAll().execute();
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain("ch_");
});

test.each([
  ["after the subscriptions were read", /^GET \S+\/checkout\/sessions/],
  ["before the open session is closed", /^POST \S+\/expire/],
])("a payment in another tab leaves nothing to pay a second time: %s", async (_, request) => {
  const { signedIn, stripe } = await createStripeApp();
  const ada = await signedIn();
  const page = (await pressPremium(ada)) ?? "";
  // The monthly checkout is paid just before a request of the tab for a year.
  let isPaid = false;
  stripe.beforeRequest = (line) => {
    if (isPaid || !request.test(line)) return;
    isPaid = true;
    stripe.pay(page);
  };
  const opened = await pressPremium(ada, "yearly");
  expect(isPaid).toBe(true);
  expect([...stripe.state.sessions.values()].filter(({ status }) => status === "open")).toEqual([]);
  expect(opened).toContain("/portal/");
});

test("a payment that comes too late for the other session isn't accepted", async () => {
  const { signedIn, stripe } = await createStripeApp();
  const ada = await signedIn();
  const page = (await pressPremium(ada)) ?? "";
  const other = (await pressPremium(ada, "yearly")) ?? "";
  expect(() => stripe.pay(page)).toThrow("isn't open");
  stripe.pay(other);
  expect(stripe.state.subscriptions.size).toBe(1);
});
