import pino from "pino";
import type { Stripe } from "stripe";
import { expect, test } from "vitest";

import { findPlan } from "#app/features/billing/data.server.ts";
import { createStripe } from "#app/services/stripe/stripe.server.ts";
import type { StripeApi } from "#app/services/stripe/stripe.server.ts";
import { readConfig } from "#app/services/config/config.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { makeWriteServices } from "#tests/support/database/write-services.ts";
import { openStripe } from "#tests/support/providers/stripe/stripe-double.ts";

import { findOpenSubscription, syncCustomer } from "./subscription-data.server.ts";

describeOnEachDatabase("subscriptions read from Stripe", (makeDb) => {
  async function withSubscriber() {
    const double = await openStripe();
    const db = await makeDb();
    const { events, jobs } = await makeWriteServices(db);
    const read = readConfig(double.env, "/");
    if (!("config" in read) || !read.config.stripe) throw new Error("the settings are incomplete");
    const stripe = createStripe(read.config.stripe);
    const { forJob } = stripe;
    const log = pino({ level: "silent" });
    const { id } = await forJob((client) => client.customers.create({ email: "ada@example.com" }));
    await db.insertInto("stripe_customer").values({ owner_id: "ada", customer_id: id, created_at: 1 }).execute();
    const subscription = double.billing.subscribe(id, "price_monthly");
    const deps = { db, events, jobs, log, stripe, clock: double.clock };
    const sync = (send: StripeApi["forPage"] = forJob) => syncCustomer(deps, send, id);
    const syncOther = (customerId: string) => syncCustomer(deps, forJob, customerId);
    const plan = async () => (await findPlan({ db, clock: double.clock, config: { premium: "sold" } }, "ada")).id;
    return { double, db, forJob, subscription, sync, syncOther, plan };
  }

  test("give the plan, with its price and its dates", async () => {
    const { double, db, subscription, sync, plan } = await withSubscriber();
    await sync();
    await sync();
    expect(await plan()).toBe("premium");
    expect(await findOpenSubscription(db, "ada")).toMatchObject({
      id: subscription.id,
      status: "active",
      period: "monthly",
      amount: 799,
      current_period_end: double.clock() + 30 * 86_400_000,
      cancel_at: null,
    });
    double.billing.end(subscription);
    await sync();
    expect([await plan(), await findOpenSubscription(db, "ada")]).toEqual(["free", undefined]);
  });

  test("aren't replaced by a read that started earlier and ended later", async () => {
    const { double, forJob, subscription, sync, plan } = await withSubscriber();
    const { promise: isLate, resolve: release } = Promise.withResolvers<void>();
    const slow = async <T>(work: (stripe: Stripe) => Promise<T>): Promise<T> => {
      const result = await forJob(work);
      await isLate;
      return result;
    };
    const late = sync(slow);
    await expect.poll(() => double.requests.filter((line) => line.includes("/subscriptions")).length).toBe(1);
    double.billing.end(subscription);
    await sync();
    release();
    await late;
    expect(await plan()).toBe("free");
  });

  test("change nothing for a customer that isn't ours", async () => {
    const { db, syncOther } = await withSubscriber();
    await syncOther("cus_other");
    expect(await db.selectFrom("stripe_subscription").selectAll().execute()).toEqual([]);
  });
});
