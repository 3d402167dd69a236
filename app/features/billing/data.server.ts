import type { Db } from "#app/services/database.server.ts";

import { planOf } from "./rules.ts";
import type { Plan } from "./rules.ts";

/** The plan a person is on at `now`; Free for those who never subscribed. */
export async function findPlan(db: Db, userId: string, now: number): Promise<Plan> {
  const subscription = await db
    .selectFrom("subscription")
    .select(["plan", "ends_at"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return planOf(subscription, now);
}
