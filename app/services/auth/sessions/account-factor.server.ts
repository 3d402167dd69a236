import type { Db, Trx } from "#app/services/database/database.server.ts";

/** Whether two-step verification of the account is on: a password alone proves nothing then. */
export async function hasSecondFactor(trx: Db | Trx, userId: string): Promise<boolean> {
  const row = await trx
    .selectFrom("second_factor")
    .select("enabled_at")
    .where("owner_id", "=", userId)
    .executeTakeFirst();
  return Boolean(row?.enabled_at);
}
