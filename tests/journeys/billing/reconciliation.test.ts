import { describe, expect, test } from "vitest";

import { findPlan } from "#app/features/billing/data.server.ts";
import { checkPrices } from "#app/features/billing/stripe/price-checks.server.ts";
import { features } from "#server/features.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { buyPremium, createSubscribedApp } from "#tests/support/providers/stripe/stripe-app.ts";

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
