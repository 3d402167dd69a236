import { sql } from "kysely";

import type { Db } from "#app/services/database/database.server.ts";

/** How many accounts there are, and how many have Premium now. Of those, an operator gave it to `granted`. */
export type PlanCounts = { users: number; premium: number; granted: number };

export async function countPlans(db: Db, now: number): Promise<PlanCounts> {
  const isInForce = sql`("plan" <> 'free' and ("ends_at" is null or "ends_at" > ${now}))`;
  const { rows } = await sql<Record<keyof PlanCounts, number | string>>`select
    (select count(*) from "user") as "users",
    (select count(*) from "subscription" where ${isInForce}) as "premium",
    (select count(*) from "plan_grant" where ${isInForce}) as "granted"`.execute(db);
  const [row] = rows;
  return { users: Number(row?.users), premium: Number(row?.premium), granted: Number(row?.granted) };
}
