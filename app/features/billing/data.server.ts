import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { activePlan } from "./rules.ts";
import type { Plan, PlanId } from "./rules.ts";

/** `paidUntil` in epoch milliseconds; null on Free and for a plan granted without payment. */
export type SubscriptionStatus = { plan: Plan; paidUntil: number | null };

/** A user's subscription at `now`. Without one, or when it has ended, the plan is Free. */
export async function checkSubscription(db: Db, ownerId: string, now: number): Promise<SubscriptionStatus> {
  const subscription = await db
    .selectFrom("subscription")
    .select(["plan", "ends_at"])
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return subscriptionStatus(subscription, now);
}

/** The same from the columns of a query that joins the table `subscription`, which are null without a row. */
export function subscriptionStatus(
  row: { plan: string | null; ends_at: number | null } | undefined,
  now: number,
): SubscriptionStatus {
  const plan = activePlan(row?.plan ? { plan: row.plan, ends_at: row.ends_at } : undefined, now);
  return { plan, paidUntil: plan.id === "free" ? null : (row?.ends_at ?? null) };
}

/** The plan of a user at `now`. */
export async function findPlan(db: Db, ownerId: string, now: number): Promise<Plan> {
  return (await checkSubscription(db, ownerId, now)).plan;
}

/** Gives a user a plan until `endsAt` (epoch milliseconds), or without an end. */
export async function savePlan(
  { db, events }: Pick<Services, "db" | "events">,
  { ownerId, plan, endsAt }: { ownerId: string; plan: PlanId; endsAt: number | null },
): Promise<void> {
  await transact(db, async (trx) => {
    await trx
      .insertInto("subscription")
      .values({ owner_id: ownerId, plan, ends_at: endsAt })
      .onConflict((conflict) => conflict.column("owner_id").doUpdateSet({ plan, ends_at: endsAt }))
      .execute();
    await events.record(trx, { kind: "plan.changed", ownerId });
  });
}

/** Part of deleting an account; runs in its transaction. */
export async function deleteSubscription(trx: Trx, ownerId: string): Promise<void> {
  await trx.deleteFrom("subscription").where("owner_id", "=", ownerId).execute();
}
