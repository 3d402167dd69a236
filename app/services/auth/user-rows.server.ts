import { sql } from "kysely";

import { transact } from "#app/services/database/database.server.ts";
import type { Db, Engine, Trx } from "#app/services/database/database.server.ts";

/**
 * Locks the account until the transaction ends, so that nothing is created for it while it is being deleted. Returns false if there is no
 * such account. Writes to better-auth's table, because better-auth has no lock.
 */
export async function lockUser(trx: Trx, userId: string): Promise<boolean> {
  // An update that changes nothing works on both engines; SQLite has no "for update".
  const { numAffectedRows } = await sql`update "user" set "id" = "id" where "id" = ${userId}`.execute(trx);
  return (numAffectedRows ?? 0n) > 0n;
}

/**
 * Deletes an account with its sessions, passwords and mailed links. Returns its e-mail address, or undefined if there is no such account.
 * Uses better-auth's tables directly, to be part of the transaction that deletes everything else of the account.
 */
export async function deleteUser(trx: Trx, userId: string): Promise<string | undefined> {
  await sql`delete from "session" where "userId" = ${userId}`.execute(trx);
  await sql`delete from "account" where "userId" = ${userId}`.execute(trx);
  await sql`delete from "verification" where "value" = ${userId}`.execute(trx);
  const { rows } = await sql<{ email: string }>`delete from "user" where "id" = ${userId} returning "email"`.execute(
    trx,
  );
  return rows[0]?.email;
}

/**
 * Deletes the accounts that were never used: the address isn't confirmed, no one signed up with it since `before`, and there is no session,
 * no profile and no other way to sign in than a password. Returns how many.
 */
export async function deleteUnconfirmedUsers(
  { db, engine }: { db: Db; engine: Engine },
  before: number,
): Promise<number> {
  // better-auth stores times as ISO text on SQLite, and as timestamps on PostgreSQL.
  const time = engine === "sqlite" ? new Date(before).toISOString() : new Date(before);
  const isUnused = sql`not "emailVerified" and "updatedAt" < ${time}
    and not exists (select 1 from "session" where "userId" = "user"."id")
    and not exists (select 1 from "account" where "userId" = "user"."id" and "providerId" <> 'credential')
    and not exists (select 1 from "profile" where "owner_id" = "user"."id")`;
  const { rows } = await sql<{ id: string }>`select "id" from "user" where ${isUnused}`.execute(db);
  let count = 0;
  for (const { id } of rows) {
    const isDeleted = await transact(db, async (trx) => {
      // Its link may be opened right now.
      await lockUser(trx, id);
      const { rows: unused } = await sql`select "id" from "user" where "id" = ${id} and ${isUnused}`.execute(trx);
      return unused.length > 0 && (await deleteUser(trx, id)) !== undefined;
    });
    if (isDeleted) count++;
  }
  return count;
}
