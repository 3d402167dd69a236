import type { Db, Trx } from "#app/services/database/database.server.ts";

import { activePlan } from "./rules.ts";
import type { Plan } from "./rules.ts";

/** `paidUntil` in epoch milliseconds; null on Free and for a plan granted without payment. */
export type SubscriptionStatus = { plan: Plan; paidUntil: number | null };

/** A user's subscription at `now`. Without one, or when it has ended, the plan is Free. */
export async function checkSubscription(db: Db, ownerId: string, now: number): Promise<SubscriptionStatus> {
  const subscription = await db
    .selectFrom("subscription")
    .select(["plan", "ends_at"])
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  const plan = activePlan(subscription, now);
  return { plan, paidUntil: plan.id === "free" ? null : (subscription?.ends_at ?? null) };
}

/** The plan of a user at `now`. */
export async function findPlan(db: Db, ownerId: string, now: number): Promise<Plan> {
  return (await checkSubscription(db, ownerId, now)).plan;
}

/** Part of deleting an account; runs in its transaction. */
export async function deleteSubscription(trx: Trx, ownerId: string): Promise<void> {
  await trx.deleteFrom("subscription").where("owner_id", "=", ownerId).execute();
}
