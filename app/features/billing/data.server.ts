import type { Config } from "#app/services/config/config.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { lockOwner } from "#app/services/database/owner-lock.server.ts";
import type { Services } from "#app/services/http/context.ts";
import type { Jobs } from "#app/services/jobs/jobs.server.ts";

import { entitlementOf } from "./entitlement.ts";
import type { Entitlement } from "./entitlement.ts";
import { deleteCustomerRows } from "./stripe/customer-data.server.ts";
import { activePlan, isPlanId } from "./rules.ts";
import type { Plan, PlanConditions, Subscription } from "./rules.ts";

/** `endsAt` in epoch milliseconds; null on Free and for a plan without an end. */
export type SubscriptionStatus = { plan: Plan; endsAt: number | null };

type PlanDeps = { db: Db | Trx; clock: () => number; config: Pick<Config, "premium"> };

/** A user's subscription now. Without one, or when it has ended, the plan is Free. */
export async function checkSubscription(
  { db, clock, config: { premium } }: PlanDeps,
  ownerId: string,
): Promise<SubscriptionStatus> {
  const subscription = await db
    .selectFrom("subscription")
    .select(["plan", "ends_at"])
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return subscriptionStatus(subscription, { now: clock(), premium });
}

/** The same from the columns of a query that joins the table `subscription`, which are null without a row. */
export function subscriptionStatus(
  row: { plan: string | null; ends_at: number | null } | undefined,
  conditions: PlanConditions,
): SubscriptionStatus {
  const plan = activePlan(row?.plan ? { plan: row.plan, ends_at: row.ends_at } : undefined, conditions);
  const hasEnd = plan.id !== "free" && conditions.premium !== "everyone";
  return { plan, endsAt: hasEnd ? (row?.ends_at ?? null) : null };
}

/** The plan that a user has now. */
export async function findPlan(deps: PlanDeps, ownerId: string): Promise<Plan> {
  return (await checkSubscription(deps, ownerId)).plan;
}

export type Grant = { ownerId: string; endsAt: number | null; reason: string; grantedBy: string; now: number };

/** Gives an owner Premium until `endsAt` (epoch milliseconds), or without an end. Replaces what was granted before. */
export async function grantPremium(
  trx: Trx,
  events: Services["events"],
  { ownerId, endsAt, reason, grantedBy, now }: Grant,
): Promise<void> {
  const grant = { plan: "premium", ends_at: endsAt, reason, granted_by: grantedBy, created_at: now };
  await trx
    .insertInto("plan_grant")
    .values({ owner_id: ownerId, ...grant })
    .onConflict((conflict) => conflict.column("owner_id").doUpdateSet(grant))
    .execute();
  await saveEntitlement(trx, { events, now }, ownerId);
}

/** Takes back what was granted; what the owner pays for stays. Returns what they had and have now; undefined if nothing was granted. */
export async function revokeGrant(
  trx: Trx,
  deps: EntitlementDeps,
  ownerId: string,
): Promise<EntitlementChange | undefined> {
  const { numDeletedRows } = await trx
    .deleteFrom("plan_grant")
    .where("owner_id", "=", ownerId)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return undefined;
  return saveEntitlement(trx, deps, ownerId);
}

/** `now` in epoch milliseconds. */
type EntitlementDeps = { events: Services["events"]; now: number };

type EntitlementChange = { before: Entitlement; after: Entitlement };

/**
 * Derives an owner's row of `subscription` from all that gives them a plan. Part of each transaction that changes one of these sources,
 * after the change. Returns what the owner had and has now.
 */
export async function saveEntitlement(
  trx: Trx,
  { events, now }: EntitlementDeps,
  ownerId: string,
): Promise<EntitlementChange> {
  await lockOwner(trx, ownerId);
  const stored = await lockSubscription(trx, ownerId);
  const before: Entitlement = { plan: isPlanId(stored.plan) ? stored.plan : "free", endsAt: stored.ends_at };
  const after = entitlementOf(await readPlanSources(trx, ownerId), now);
  // Not `before`: a plan that this release doesn't know is replaced, so that a later one doesn't give it again.
  if (stored.plan === after.plan && stored.ends_at === after.endsAt) return { before, after };
  await trx
    .updateTable("subscription")
    .set({ plan: after.plan, ends_at: after.endsAt })
    .where("owner_id", "=", ownerId)
    .execute();
  await events.record(trx, { kind: "plan.changed", ownerId });
  return { before, after };
}

/** Makes other changes of this row wait until the transaction ends, also of one that doesn't exist yet. */
async function lockSubscription(trx: Trx, ownerId: string): Promise<Subscription> {
  return trx
    .insertInto("subscription")
    .values({ owner_id: ownerId, plan: "free", ends_at: null })
    .onConflict((conflict) =>
      conflict.column("owner_id").doUpdateSet((row) => ({ plan: row.ref("subscription.plan") })),
    )
    .returning(["plan", "ends_at"])
    .executeTakeFirstOrThrow();
}

/** What an owner's plan is derived from. */
export async function readPlanSources(db: Db | Trx, ownerId: string) {
  const grant = await db
    .selectFrom("plan_grant")
    .select(["plan", "ends_at", "created_at"])
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  const payments = await db
    .selectFrom("stripe_subscription")
    .innerJoin("stripe_price", "stripe_price.id", "price_id")
    .select(["plan", "status", "cancel_at", "past_due_since", "started_at", "period", "current_period_end", "ended_at"])
    .where("owner_id", "=", ownerId)
    .execute();
  return { grant, payments };
}

/** Part of deleting an account; runs in its transaction. A job ends what the owner pays for. */
export async function deleteSubscription(
  trx: Trx,
  jobs: Jobs,
  { ownerId, now }: { ownerId: string; now: number },
): Promise<void> {
  await deleteCustomerRows(trx, jobs, { ownerId, now });
  await trx.deleteFrom("subscription").where("owner_id", "=", ownerId).execute();
  await trx.deleteFrom("plan_grant").where("owner_id", "=", ownerId).execute();
}

export const operatorNoticeJob = "operator-notice";

/** What operators should learn about the payments of an account. */
type OperatorNotice = {
  ownerId: string;
  kind: "payment-disputed" | "payment-refunded" | "unknown-price" | "paid-twice";
  /** The ids at Stripe. The same notice has the same ones, and is shown once. */
  detail: string;
};

/** Reports to operators: in the program's log, and in theirs. */
export async function notifyOperators(
  trx: Trx,
  { jobs, log }: Pick<Services, "jobs" | "log">,
  notice: OperatorNotice,
): Promise<void> {
  log.warn(
    { notice: notice.kind, account: notice.ownerId, detail: notice.detail },
    "operators should look at a payment",
  );
  await jobs.enqueue(trx, operatorNoticeJob, notice);
}
