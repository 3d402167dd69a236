import type { Db, Trx } from "#app/services/database.server.ts";

import { planOf } from "./rules.ts";
import type { Plan } from "./rules.ts";

/** `paidUntil` in epoch milliseconds; null on Free, and for a plan that nobody has to pay for. */
export type SubscriptionStatus = { plan: Plan; paidUntil: number | null };

/** What a person is subscribed to at `now`: Free for those who never were, and for those whose time is over. */
export async function checkSubscription(db: Db, userId: string, now: number): Promise<SubscriptionStatus> {
  const subscription = await db
    .selectFrom("subscription")
    .select(["plan", "ends_at"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const plan = planOf(subscription, now);
  return { plan, paidUntil: plan.id === "free" ? null : (subscription?.ends_at ?? null) };
}

/** The plan a person is on at `now`. */
export async function findPlan(db: Db, userId: string, now: number): Promise<Plan> {
  return (await checkSubscription(db, userId, now)).plan;
}

/** For whoever deletes an account, in the same transaction. */
export async function removeSubscription(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("subscription").where("user_id", "=", userId).execute();
}
