import { sql } from "kysely";

import type { Trx } from "./database.server.ts";

/**
 * Deletes an account with its sessions, passwords and links in mails; the e-mail address that it had, or undefined when there is none.
 * In better-auth's own tables and not through it, because all else that belongs to the person goes in the same transaction.
 */
export async function removeUser(trx: Trx, userId: string): Promise<string | undefined> {
  await sql`delete from "session" where "userId" = ${userId}`.execute(trx);
  await sql`delete from "account" where "userId" = ${userId}`.execute(trx);
  await sql`delete from "verification" where "value" = ${userId}`.execute(trx);
  const { rows } = await sql<{ email: string }>`delete from "user" where "id" = ${userId} returning "email"`.execute(
    trx,
  );
  return rows[0]?.email;
}
