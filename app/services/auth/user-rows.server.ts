import { randomUUID } from "node:crypto";

import { sql } from "kysely";

import { isBlocked } from "#app/services/database/account-block.server.ts";
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
 * Deletes an account with its sessions, passwords, mailed links and drafts. Returns its email address, or undefined if there is no such account.
 * Uses better-auth's tables directly, to be part of the transaction that deletes everything else of the account.
 */
export async function deleteUser(trx: Trx, userId: string): Promise<string | undefined> {
  await sql`delete from "session" where "userId" = ${userId}`.execute(trx);
  await sql`delete from "account" where "userId" = ${userId}`.execute(trx);
  await deleteMailedLinks(trx, userId);
  for (const table of [...ownedTables, ...planTables])
    await trx.deleteFrom(table).where("owner_id", "=", userId).execute();
  const { rows } = await sql<{ email: string }>`delete from "user" where "id" = ${userId} returning "email"`.execute(
    trx,
  );
  return rows[0]?.email;
}

/** Tables about signing in; better-auth doesn't know them. */
const ownedTables = [
  "known_device",
  "sign_in_challenge",
  "second_factor",
  "backup_code",
  "passkey",
  "passkey_challenge",
  "security_event",
  "account_block",
  "identity_code",
  "replaced_token",
  "handed_over_session",
  "app_session",
  "refresh_token",
  "app_link",
  "account_preference",
  "sign_up_draft",
] as const;

/** An operator may have given a plan to an account that was never used. Of others, billing has deleted its rows. */
const planTables = ["plan_grant", "subscription", "plan_notice"] as const;

/** Makes the links void that were mailed to sign in, to set a password or to change the email. */
export async function deleteMailedLinks(trx: Trx, userId: string): Promise<void> {
  await sql`delete from "verification" where "value" = ${userId}`.execute(trx);
  await trx.deleteFrom("email_change").where("owner_id", "=", userId).execute();
  await trx.deleteFrom("email_sign_in").where("owner_id", "=", userId).execute();
  // Messages of wallets that were used stay noted.
  await trx.deleteFrom("app_link").where("owner_id", "=", userId).where("kind", "<>", "used").execute();
}

/** The account with an address and its password hash; undefined for an unknown address, and for an account without a password. */
export async function findPasswordHash(db: Db | Trx, email: string): Promise<PasswordHash | undefined> {
  const { rows } = await sql<{ userId: string; hash: string; emailVerified: boolean | number }>`select
      "userId", "password" as "hash", "emailVerified"
    from "account" join "user" on "user"."id" = "account"."userId"
    where "user"."email" = ${email} and "providerId" = 'credential' and "password" is not null`.execute(db);
  const [row] = rows;
  return row && { userId: row.userId, hash: row.hash, isConfirmed: Boolean(row.emailVerified) };
}

type PasswordHash = { userId: string; hash: string; isConfirmed: boolean };

/** The email address of an account, and whether it is confirmed. */
export async function findAddress(
  db: Db | Trx,
  userId: string,
): Promise<{ email: string; name: string; isConfirmed: boolean } | undefined> {
  const { rows } = await sql<{ email: string; name: string; emailVerified: boolean | number }>`
    select "email", "name", "emailVerified" from "user" where "id" = ${userId}`.execute(db);
  const [row] = rows;
  return row && { email: row.email, name: row.name, isConfirmed: Boolean(row.emailVerified) };
}

/** The address that mails about what happens in an account go to; undefined for one that isn't confirmed, and for an account that is blocked. */
export async function findRecipient(db: Db | Trx, ownerId: string): Promise<string | undefined> {
  const address = await findAddress(db, ownerId);
  return address?.isConfirmed && !(await isBlocked(db, ownerId)) ? address.email : undefined;
}

/** Sets a confirmed address. Throws a unique violation if another account got the address at the same time. */
export async function setUserEmail(
  trx: Trx,
  { userId, email, engine }: { userId: string; email: string; engine: Engine },
): Promise<void> {
  await sql`update "user" set "email" = ${email}, "emailVerified" = true, "updatedAt" = ${timeValue(engine, Date.now())}
    where "id" = ${userId}`.execute(trx);
}

/** Marks the address of an account as confirmed. */
export async function confirmUserEmail(
  trx: Trx,
  { userId, engine }: { userId: string; engine: Engine },
): Promise<void> {
  await sql`update "user" set "emailVerified" = true, "updatedAt" = ${timeValue(engine, Date.now())}
    where "id" = ${userId} and not "emailVerified"`.execute(trx);
}

/** Uses up a link of better-auth's table "verification" by its id. Returns false if another request was faster. */
export async function takeVerification(trx: Trx, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from "verification" where "id" = ${id}`.execute(trx);
  return (numAffectedRows ?? 0n) > 0n;
}

type NewVerification = { identifier: string; value: string; validMs: number; engine: Engine };

/** Stores a value in better-auth's table "verification". */
export async function insertVerification(
  db: Db,
  { identifier, value, validMs, engine }: NewVerification,
): Promise<void> {
  const now = timeValue(engine, Date.now());
  await sql`insert into "verification" ("id", "identifier", "value", "expiresAt", "createdAt", "updatedAt")
    values (${randomUUID()}, ${identifier}, ${value}, ${timeValue(engine, Date.now() + validMs)}, ${now}, ${now})`.execute(
    db,
  );
}

/** A value that `insertVerification` stored, even one that has expired. `expiresAt`: epoch milliseconds. */
export async function findVerificationByKey(
  db: Db | Trx,
  identifier: string,
): Promise<{ id: string; value: string; expiresAt: number } | undefined> {
  const { rows } = await sql<{ id: string; value: string; expiresAt: string | Date }>`select "id", "value", "expiresAt"
    from "verification" where "identifier" = ${identifier}`.execute(db);
  return rows[0] && { ...rows[0], expiresAt: new Date(rows[0].expiresAt).getTime() };
}

/** Uses up a value that `insertVerification` stored, even one that has expired. `expiresAt`: epoch milliseconds. */
export async function takeVerificationByKey(
  trx: Db | Trx,
  identifier: string,
): Promise<{ value: string; expiresAt: number } | undefined> {
  const { rows } = await sql<{ value: string; expiresAt: string | Date }>`delete from "verification"
    where "identifier" = ${identifier} returning "value", "expiresAt"`.execute(trx);
  return rows[0] && { value: rows[0].value, expiresAt: new Date(rows[0].expiresAt).getTime() };
}

/** Sets a password, even for an account that has none yet. */
export async function setPasswordHash(
  trx: Trx,
  { userId, hash, engine }: { userId: string; hash: string; engine: Engine },
): Promise<void> {
  const now = timeValue(engine, Date.now());
  const { numAffectedRows } = await sql`update "account" set "password" = ${hash}, "updatedAt" = ${now}
    where "userId" = ${userId} and "providerId" = 'credential'`.execute(trx);
  if (numAffectedRows) return;
  await sql`insert into "account" ("id", "userId", "accountId", "providerId", "password", "createdAt", "updatedAt")
    values (${randomUUID()}, ${userId}, ${userId}, 'credential', ${hash}, ${now}, ${now})`.execute(trx);
}

/** Removes the password of an account. */
export async function deletePassword(trx: Trx, userId: string): Promise<void> {
  await sql`delete from "account" where "userId" = ${userId} and "providerId" = 'credential'`.execute(trx);
}

/** Replaces a password hash. Returns false if the account no longer has the hash `from`. */
export async function replacePasswordHash(
  trx: Trx,
  { userId, from, to, engine }: { userId: string; from: string; to: string; engine: Engine },
): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update "account" set "password" = ${to}, "updatedAt" = ${timeValue(engine, Date.now())}
    where "userId" = ${userId} and "providerId" = 'credential' and "password" = ${from}`.execute(trx);
  return (numAffectedRows ?? 0n) > 0n;
}

export type AddressOwner = {
  id: string;
  /** The address was never confirmed, and the account never used. */
  isUnused: boolean;
  /** It is unused, and whoever proves the address may replace it. A blocked account stays, so that the address stays blocked. */
  isReplaceable: boolean;
};

/** The account with an address. */
export async function findAddressOwner(db: Db | Trx, email: string): Promise<AddressOwner | undefined> {
  const { rows } = await sql<{ id: string; isUnused: boolean | number; isBlocked: boolean | number }>`select "id",
      (${unusedUser}) as "isUnused", (${blockedUser}) as "isBlocked"
    from "user" where "email" = ${email}`.execute(db);
  const [row] = rows;
  return row && { id: row.id, isUnused: Boolean(row.isUnused), isReplaceable: Boolean(row.isUnused) && !row.isBlocked };
}

const blockedUser = sql`exists (select 1 from "account_block" where "owner_id" = "user"."id")`;

/** The condition for an account that was never used: not confirmed, no session, no profile, no payment, no other way to sign in than a password. */
const unusedUser = sql`not "emailVerified"
    and not exists (select 1 from "session" where "userId" = "user"."id")
    and not exists (select 1 from "account" where "userId" = "user"."id" and "providerId" <> 'credential')
    and not exists (select 1 from "profile" where "owner_id" = "user"."id")
    and not exists (select 1 from "stripe_customer" where "owner_id" = "user"."id")`;

/**
 * Deletes the accounts that were never used: the address isn't confirmed, no one signed up with it since `before`, and there is no session,
 * no profile and no other way to sign in than a password. A blocked one stays: without it, the address could sign up again. Returns how many.
 */
export async function deleteUnconfirmedUsers(
  { db, engine }: { db: Db; engine: Engine },
  before: number,
): Promise<number> {
  const time = timeValue(engine, before);
  const isUnused = sql`${unusedUser} and not ${blockedUser} and "updatedAt" < ${time}`;
  for (let [count, last] = [0, ""]; ;) {
    const { rows } = await sql<{ id: string }>`select "id" from "user"
      where ${isUnused} and "id" > ${last} order by "id" limit ${usersPerRead}`.execute(db);
    for (const { id } of rows) {
      const isDeleted = await transact(db, async (trx) => {
        // Its link may be opened right now.
        await lockUser(trx, id);
        const { rows: unused } = await sql`select "id" from "user" where "id" = ${id} and ${isUnused}`.execute(trx);
        return unused.length > 0 && (await deleteUser(trx, id)) !== undefined;
      });
      if (isDeleted) count++;
    }
    last = rows.at(-1)?.id ?? last;
    if (rows.length < usersPerRead) return count;
  }
}

const usersPerRead = 500;

/** better-auth stores times as ISO text on SQLite, and as timestamps on PostgreSQL. */
export function timeValue(engine: Engine, ms: number): string | Date {
  return engine === "sqlite" ? new Date(ms).toISOString() : new Date(ms);
}
