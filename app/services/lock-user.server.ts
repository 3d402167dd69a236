import { sql } from "kysely";

import type { Trx } from "./database.server.ts";

/**
 * Until the transaction ends, others that lock this account wait here: none of them makes something for it while it is being deleted.
 * False when there is no such account any more. In better-auth's own table, because it has no such thing.
 */
export async function lockUser(trx: Trx, userId: string): Promise<boolean> {
  // Changes nothing. SQLite has one writer at a time anyway, and no "for update".
  const { numAffectedRows } = await sql`update "user" set "id" = "id" where "id" = ${userId}`.execute(trx);
  return (numAffectedRows ?? 0n) > 0n;
}
