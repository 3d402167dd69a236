import { sql } from "kysely";
import { z } from "zod";

import { graceMs } from "#app/features/billing/entitlement.ts";
import { reconciliationSetting, reconcileJob } from "#app/features/billing/stripe/stripe-tasks.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { findSetting } from "#app/services/config/setting-rows.server.ts";
import { maxJobTries } from "#app/services/jobs/job-rows.server.ts";

/** What is sold now, from our own tables: subscriptions at prices that give a plan. One of them belongs to exactly one of the first four. */
export type Sales = {
  active: number;
  trialing: number;
  /** A payment failed, and the plan continues for the days of grace. */
  pastDue: number;
  /** Payments failed and the plan is paused, but Stripe hasn't ended the subscription. */
  lapsed: number;
  /** Those of `active` and `trialing` that end with their period. */
  ending: number;
  /** Accounts that an operator gave Premium. */
  granted: number;
  /** Per month and currency, in its smallest unit: active and past due subscriptions, a yearly one with a twelfth. Without discounts. */
  monthlyRevenue: { currency: string; amount: number }[];
  /** Of the subscriptions that ran 30 days ago, how many have ended since. */
  churn: { before: number; ended: number };
};

const churnMs = 30 * 24 * 60 * 60 * 1000;

export async function loadSales(db: Db, now: number): Promise<Sales> {
  const before = now - churnMs;
  // Stripe ends a subscription at `cancel_at`, even if its event hasn't arrived.
  const end = sql`coalesce("ended_at", "cancel_at")`;
  const runs = sql`(${end} is null or ${end} > ${now})`;
  const active = sql`("status" = 'active' and ${runs})`;
  const trialing = sql`("status" = 'trialing' and ${runs})`;
  const inGrace = sql`("status" = 'past_due' and ${runs} and "past_due_since" > ${now - graceMs})`;
  const unpaid = sql`("status" in ('past_due', 'unpaid', 'paused') and ${runs})`;
  const wasPaid = sql`"status" not in ('incomplete', 'incomplete_expired')`;
  const ran = sql`(${wasPaid} and "started_at" <= ${before} and (${end} is null or ${end} > ${before}))`;
  const { rows } = await sql<Record<string, unknown>>`select
      "currency",
      count(case when ${active} then 1 end) as "active",
      count(case when ${trialing} then 1 end) as "trialing",
      count(case when ${inGrace} then 1 end) as "pastDue",
      count(case when ${unpaid} and not ${inGrace} then 1 end) as "lapsed",
      count(case when (${active} or ${trialing}) and "cancel_at" is not null then 1 end) as "ending",
      sum(case when not (${active} or ${inGrace}) then 0 when "period" = 'yearly' then "amount" else 12 * "amount" end) as "yearly",
      count(case when ${ran} then 1 end) as "before",
      count(case when ${ran} and ${end} <= ${now} then 1 end) as "ended"
    from "stripe_subscription" where "price_id" in (select "id" from "stripe_price") group by "currency" order by "currency"`.execute(
    db,
  );
  const total = (name: string) => rows.reduce((sum, row) => sum + Number(row[name]), 0);
  return {
    active: total("active"),
    trialing: total("trialing"),
    pastDue: total("pastDue"),
    lapsed: total("lapsed"),
    ending: total("ending"),
    granted: await countGranted(db, now),
    monthlyRevenue: rows
      .map(({ currency, yearly }) => ({ currency: String(currency), amount: Math.round(Number(yearly) / 12) }))
      .filter(({ amount }) => amount > 0),
    churn: { before: total("before"), ended: total("ended") },
  };
}

async function countGranted(db: Db, now: number): Promise<number> {
  const { granted } = await db
    .selectFrom("plan_grant")
    .select(({ fn }) => fn.countAll<number | string>().as("granted"))
    .where("plan", "=", "premium")
    .where(({ or, eb }) => or([eb("ends_at", "is", null), eb("ends_at", ">", now)]))
    .executeTakeFirstOrThrow();
  return Number(granted);
}

/** The nightly comparison with Stripe. Times are epoch milliseconds. */
export type Comparison = {
  /** The last one that ended; `fixed`: how many customers differed, which jobs read again. */
  last: { at: number; compared: number; fixed: number } | undefined;
  /** One that failed: it is tried again, or was given up after the last try. */
  failure: { reason: string; isGivenUp: boolean } | undefined;
};

export async function findComparison(db: Db, now: number): Promise<Comparison> {
  const stored = await findSetting(db, reconciliationSetting);
  const last = stored === undefined ? undefined : comparison.parse(JSON.parse(stored));
  const job = await db
    .selectFrom("job")
    .select(["tries", "last_error"])
    .where("kind", "=", reconcileJob)
    .where("created_at", ">", last?.at ?? 0)
    .where("tries", ">", 0)
    .where("leased_until", "<=", now)
    .orderBy("created_at", "desc")
    .executeTakeFirst();
  return { last, failure: job && { reason: job.last_error ?? "", isGivenUp: job.tries >= maxJobTries } };
}

const comparison = z.object({ at: z.number(), compared: z.number(), fixed: z.number() });
