import { expect, test } from "vitest";

import { deleteSubscription } from "#app/features/billing/data.server.ts";
import { graceMs } from "#app/features/billing/entitlement.ts";
import type { StripeSubscriptionTable } from "#app/services/database/billing-schema.ts";
import { transact } from "#app/services/database/database.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { makeWriteServices } from "#tests/support/database/write-services.ts";

import { findComparison, loadSales } from "./sales-data.server.ts";

const day = 24 * 60 * 60 * 1000;
const now = 1_800_000_000_000;

describeOnEachDatabase("the operator's figures", (makeDb) => {
  async function open() {
    const db = await makeDb();
    await db.insertInto("stripe_price").values({ id: "price_1", product_id: "prod_1", plan: "premium" }).execute();
    let count = 0;
    /** A monthly subscription of $7.99 that started 100 days ago. */
    const subscribe = async (more: Partial<StripeSubscriptionTable> = {}) => {
      const id = `sub_${++count}`;
      const times = { started_at: now - 100 * day, current_period_end: now + 9 * day, cancel_at: null, ended_at: null };
      const price = { price_id: "price_1", period: "monthly", amount: 799, currency: "usd" };
      const row = { id, owner_id: id, status: "active", ...price, ...times, past_due_since: null, ...more };
      await db.insertInto("stripe_subscription").values(row).execute();
      return id;
    };
    const load = () => loadSales(db, now);
    return { db, subscribe, load };
  }

  test("are zero before anything is sold", async () => {
    const { load } = await open();
    const none = { active: 0, trialing: 0, pastDue: 0, lapsed: 0, ending: 0, granted: 0 };
    expect(await load()).toEqual({ ...none, monthlyRevenue: [], churn: { before: 0, ended: 0 } });
  });

  test("count each subscription once, and one that isn't paid only during the days of grace", async () => {
    const { db, subscribe, load } = await open();
    await subscribe();
    await subscribe({ cancel_at: now + day });
    await subscribe({ status: "trialing" });
    await subscribe({ status: "past_due", past_due_since: now - graceMs + 1 });
    await subscribe({ status: "past_due", past_due_since: now - graceMs });
    await subscribe({ status: "unpaid" });
    await subscribe({ status: "incomplete" });
    await subscribe({ price_id: "price_of_something_else" });
    await subscribe({ status: "canceled", ended_at: now - 90 * day });
    // The event of its end hasn't arrived.
    await subscribe({ cancel_at: now - 1 });
    const grant = { plan: "premium", reason: "", granted_by: "", created_at: 1 };
    const rows = [
      { owner_id: "a", ends_at: null, ...grant },
      { owner_id: "b", ends_at: now + 1, ...grant },
      { owner_id: "c", ends_at: now, ...grant },
    ];
    await db.insertInto("plan_grant").values(rows).execute();
    expect(await load()).toMatchObject({ active: 2, ending: 1, trialing: 1, pastDue: 1, lapsed: 2, granted: 2 });
  });

  test("add up the revenue of a month in each currency, with a twelfth of a year", async () => {
    const { subscribe, load } = await open();
    await subscribe();
    await subscribe({ status: "past_due", past_due_since: now - day });
    for (let n = 0; n < 3; n++) await subscribe({ period: "yearly", amount: 8000 });
    await subscribe({ status: "trialing" });
    await subscribe({ status: "past_due", past_due_since: now - graceMs });
    await subscribe({ status: "canceled", ended_at: now - day });
    await subscribe({ currency: "jpy", amount: 900 });
    expect((await load()).monthlyRevenue).toEqual([
      { currency: "jpy", amount: 900 },
      { currency: "usd", amount: 2 * 799 + 2000 },
    ]);
  });

  test("count as churn what ran 30 days ago and has ended since", async () => {
    const { subscribe, load } = await open();
    await subscribe();
    await subscribe({ started_at: now - 30 * day });
    await subscribe({ status: "canceled", ended_at: now - 30 * day + 1 });
    await subscribe({ cancel_at: now });
    const outside: Partial<StripeSubscriptionTable>[] = [
      { started_at: now - 30 * day + 1 },
      { started_at: now - 10 * day, status: "canceled", ended_at: now - day },
      { status: "canceled", ended_at: now - 30 * day },
      { status: "incomplete_expired", ended_at: now - day },
    ];
    for (const more of outside) await subscribe(more);
    expect((await load()).churn).toEqual({ before: 4, ended: 2 });
  });

  test("still count a subscription that ended with its account, without saying whose it was", async () => {
    const { db, subscribe, load } = await open();
    const { jobs } = await makeWriteServices(db);
    const ada = await subscribe();
    await subscribe({ owner_id: ada, status: "canceled", ended_at: now - 40 * day });
    await transact(db, (trx) => deleteSubscription(trx, jobs, { ownerId: ada, now: now - day }));
    const rows = await db.selectFrom("stripe_subscription").selectAll().execute();
    expect(rows).toMatchObject([{ owner_id: "", status: "canceled", ended_at: now - day }]);
    expect(JSON.stringify(rows)).not.toContain(ada);
    expect(await load()).toMatchObject({ active: 0, monthlyRevenue: [], churn: { before: 1, ended: 1 } });
  });

  test("say when the comparison with Stripe ran last, and that a later one failed", async () => {
    const { db } = await open();
    expect(await findComparison(db, now)).toEqual({ last: undefined, failure: undefined });
    const last = { at: now - day, compared: 12, fixed: 1 };
    const row = { name: "stripe-reconciliation", value: JSON.stringify(last) };
    await db.insertInto("setting").values(row).execute();
    const job = { kind: "reconcile-stripe", payload: "{}", run_at: now, last_error: "Stripe is down", leased_until: 0 };
    const add = (id: string, created_at: number, tries: number) =>
      db
        .insertInto("job")
        .values({ id, created_at, tries, ...job })
        .execute();
    await add("before", now - 2 * day, 10);
    await add("waiting", now - 1, 0);
    expect(await findComparison(db, now)).toEqual({ last, failure: undefined });
    await add("failed", now - 2, 3);
    expect(await findComparison(db, now)).toEqual({ last, failure: { reason: "Stripe is down", isGivenUp: false } });
    await db.updateTable("job").set({ tries: 10 }).where("id", "=", "failed").execute();
    expect((await findComparison(db, now)).failure).toMatchObject({ isGivenUp: true });
  });
});
