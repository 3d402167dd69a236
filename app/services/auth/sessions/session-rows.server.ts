import { randomUUID } from "node:crypto";

import { makeSignature } from "better-auth/crypto";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { sessionCookieName } from "#app/services/auth/better-auth.server.ts";
import { hashToken, newToken } from "#app/services/auth/tokens.server.ts";
import { timeValue } from "#app/services/auth/user-rows.server.ts";
import { isEqualText } from "#app/services/base/signed-token.server.ts";
import type { Db, Engine, Trx } from "#app/services/database/database.server.ts";
import { hostCookieName, readHostCookie } from "#app/services/http/cookies.ts";

import { endTrust } from "./devices.server.ts";

export const signInMethods = [
  "password",
  "email-link",
  "email-code",
  "passkey",
  "google",
  "apple",
  "sso",
  "wallet",
  // The link that confirms a new account's address.
  "sign-up",
] as const;

/** How the owner of a session proved who they are. */
export type SignInMethod = (typeof signInMethods)[number];

/** A stored method. Throws for an unknown one. */
export function readMethod(stored: string): SignInMethod {
  const method = signInMethods.find((known) => known === stored);
  if (!method) throw new Error(`Unknown way of signing in: ${stored}`);
  return method;
}

/** A session with its user. Times are epoch milliseconds. */
export type SessionRow = {
  id: string;
  token: string;
  userId: string;
  expiresAt: number;
  /** When the user last proved who they are; 0 for a request that still carries a replaced token. */
  verifiedAt: number;
  email: string;
  name: string;
  isConfirmed: boolean;
};

const dayMs = 24 * 60 * 60 * 1000;
/** A session ends this long after its last use. */
export const sessionMs = 7 * dayMs;
/** It is extended at most once a day. */
export const extendAfterMs = dayMs;
/** A session ends this long after the sign-in, however often it is used (NIST SP 800-63B: reauthentication). */
export const maxSessionMs = 90 * dayMs;

/** Long enough for the requests that were under way when a session got its new token. */
const replacedTokenMs = 30_000;

type StoredSession = Omit<SessionRow, "expiresAt" | "isConfirmed"> & {
  expiresAt: string | Date;
  createdAt: string | Date;
  emailVerified: boolean | number;
};

/** A session whose browser is in a visitor's hands doesn't count as signed in. */
const isNotHandedOver = sql`not exists (select 1 from "handed_over_session" where "session_id" = "session"."id")`;

/**
 * Finds a session by its token: one query. Sessions of blocked accounts, those that have ended and those that are handed over are not
 * found.
 */
export function findSession(db: Db | Trx, token: string): Promise<SessionRow | undefined> {
  return findSessionWhere(db, sql`"token" = ${token}`);
}

/** Finds a session by its id: one query. */
export function findSessionById(db: Db | Trx, id: string): Promise<SessionRow | undefined> {
  return findSessionWhere(db, sql`"session"."id" = ${id}`);
}

/**
 * What a token stands for that isn't a session's: `session` while the requests are answered that were under way when the session got its
 * new token, without the new proof; undefined for a token that no session had a moment ago.
 */
export async function findReplacedToken(db: Db | Trx, token: string): Promise<ReplacedToken | undefined> {
  const row = await db
    .selectFrom("replaced_token")
    .select(["session_id", "owner_id", "is_valid"])
    .where("token_hash", "=", hashToken(token))
    .where("expires_at", ">", Date.now())
    .executeTakeFirst();
  if (!row) return undefined;
  const session = row.is_valid ? await findSessionById(db, row.session_id) : undefined;
  return { sessionId: row.session_id, ownerId: row.owner_id, session: session && { ...session, verifiedAt: 0 } };
}

type ReplacedToken = { sessionId: string; ownerId: string; session: SessionRow | undefined };

async function findSessionWhere(db: Db | Trx, condition: RawBuilder<unknown>): Promise<SessionRow | undefined> {
  const { rows } =
    await sql<StoredSession>`select "session"."id", "token", "userId", "expiresAt", "session"."createdAt",
      "verifiedAt", "email", "name", "emailVerified"
    from "session" join "user" on "user"."id" = "session"."userId"
    where ${condition} and ${isNotHandedOver}
      and not exists (select 1 from "account_block" where "owner_id" = "userId")`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  if (endOf(row) <= Date.now()) return undefined;
  const { expiresAt, createdAt: _createdAt, emailVerified, ...rest } = row;
  return {
    ...rest,
    expiresAt: new Date(expiresAt).getTime(),
    isConfirmed: Boolean(emailVerified),
  };
}

/**
 * Which of these sessions, by their ids, have not ended, and belong to an account that isn't blocked; with the hashes of their current
 * tokens.
 */
export async function findRunningSessions(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<
    Pick<StoredSession, "id" | "token" | "expiresAt" | "createdAt">
  >`select "id", "token", "expiresAt", "createdAt"
    from "session" where "id" in (${sql.join(ids)}) and ${isNotHandedOver}
    and not exists (select 1 from "account_block" where "owner_id" = "userId")`.execute(db);
  return new Map(rows.filter((row) => endOf(row) > Date.now()).map(({ id, token }) => [id, hashToken(token)]));
}

/** A session whose browser is handed over to visitors; `form`: what it shows, encrypted by the caller of `handOver`. */
export type HandedOver = { sessionId: string; ownerId: string; form: string };

/** The session that has this token and is handed over. */
export async function findHandedOver(db: Db | Trx, token: string): Promise<HandedOver | undefined> {
  const { rows } = await sql<
    HandedOver & Pick<StoredSession, "expiresAt" | "createdAt">
  >`select "session_id" as "sessionId", "owner_id" as "ownerId", "form", "expiresAt", "createdAt"
    from "session" join "handed_over_session" on "session_id" = "session"."id" where "token" = ${token}`.execute(db);
  const [row] = rows;
  return row && endOf(row) > Date.now()
    ? { sessionId: row.sessionId, ownerId: row.ownerId, form: row.form }
    : undefined;
}

function endOf({ expiresAt, createdAt }: Pick<StoredSession, "expiresAt" | "createdAt">): number {
  return Math.min(new Date(expiresAt).getTime(), new Date(createdAt).getTime() + maxSessionMs);
}

/** Extends a session that was used. Returns false if it ended meanwhile. */
export async function extendSession(db: Db | Trx, { id, engine }: { id: string; engine: Engine }): Promise<boolean> {
  const { numAffectedRows } = await sql`update "session" set
      "expiresAt" = ${timeValue(engine, Date.now() + sessionMs)}, "updatedAt" = ${timeValue(engine, Date.now())}
    where "id" = ${id}`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

type NewSession = {
  userId: string;
  method: SignInMethod;
  browser: string;
  engine: Engine;
  /** When the user proved who they are, with each factor that the account has. */
  verifiedAt: number;
};

/** Starts a session. The caller has locked the user. */
export async function insertSession(
  trx: Trx,
  { userId, method, browser, engine, verifiedAt }: NewSession,
): Promise<{ id: string; token: string }> {
  const [id, token] = [randomUUID(), newToken()];
  const now = timeValue(engine, Date.now());
  await sql`insert into "session"
    ("id", "userId", "token", "expiresAt", "createdAt", "updatedAt", "ipAddress", "userAgent", "browser", "method", "verifiedAt")
    values (${id}, ${userId}, ${token}, ${timeValue(engine, Date.now() + sessionMs)}, ${now}, ${now}, '', '',
      ${browser}, ${method}, ${verifiedAt})`.execute(trx);
  return { id, token };
}

/**
 * Gives a session a new token, so that a copy of the old cookie is worth nothing. Returns the new token, or undefined if the session has
 * ended. `allowsOld`: the old token stays valid for the requests that are under way. `isProof`: the user has just proved who they are, with
 * each factor that the account has.
 */
export async function renewSession(
  trx: Trx,
  token: string,
  { allowsOld = false, isProof = false } = {},
): Promise<string | undefined> {
  const renewed = newToken();
  const verifiedAt = isProof ? sql`${Date.now()}` : sql`"verifiedAt"`;
  const { rows } = await sql<{ id: string; userId: string }>`update "session"
    set "token" = ${renewed}, "verifiedAt" = ${verifiedAt}
    where "token" = ${token} returning "id", "userId"`.execute(trx);
  const [row] = rows;
  if (!row) return undefined;
  if (!allowsOld)
    await trx.updateTable("replaced_token").set({ is_valid: 0 }).where("session_id", "=", row.id).execute();
  await trx
    .insertInto("replaced_token")
    .values({
      token_hash: hashToken(token),
      owner_id: row.userId,
      session_id: row.id,
      is_valid: allowsOld ? 1 : 0,
      expires_at: Date.now() + replacedTokenMs,
    })
    .execute();
  return renewed;
}

/** Ends a session by its token and returns its user. Returns undefined if it had ended already. */
export async function endSession(trx: Trx, token: string): Promise<string | undefined> {
  const { rows } = await sql<{
    userId: string;
  }>`delete from "session" where "token" = ${token} returning "userId"`.execute(trx);
  return rows[0]?.userId;
}

/** Ends a session of an account by its id. Returns its browser, or undefined if the account has no such session. */
export async function endSessionById(
  trx: Trx,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ browser: string }>`delete from "session"
    where "id" = ${sessionId} and "userId" = ${userId} returning "browser"`.execute(trx);
  return rows[0]?.browser;
}

/** `keep`: the token of a session that stays. `keepTrustIn`: the id of a browser that stays trusted. */
type EndedSessions = { userId: string; keep: string | undefined; keepTrustIn?: string | undefined };

/**
 * Ends the sessions of an account, the sign-ins that wait for a second factor or for an app, and the trust in browsers that need none.
 * Returns how many sessions ended.
 */
export async function endSessions(trx: Trx, { userId, keep, keepTrustIn }: EndedSessions): Promise<number> {
  const { numAffectedRows } =
    await sql`delete from "session" where "userId" = ${userId} and "token" <> ${keep ?? ""}`.execute(trx);
  await trx.deleteFrom("sign_in_challenge").where("owner_id", "=", userId).execute();
  await trx.deleteFrom("app_link").where("owner_id", "=", userId).where("kind", "=", "code").execute();
  await endTrust(trx, { userId, except: keepTrustIn });
  return Number(numAffectedRows ?? 0n);
}

type CookieDeps = Pick<AuthDeps, "secret" | "isSecure">;

/** The cookie of a session. It lasts as long as a session that is not used. */
export async function sessionCookie({ secret, isSecure }: CookieDeps, token: string): Promise<string> {
  const value = encodeURIComponent(`${token}.${await makeSignature(token, secret)}`);
  return cookieText(value, { maxAge: sessionMs / 1000, isSecure });
}

/** Deletes the cookie of a session. */
export function clearingCookie({ isSecure }: CookieDeps): string {
  return cookieText("", { maxAge: 0, isSecure });
}

function cookieText(value: string, { maxAge, isSecure }: { maxAge: number; isSecure: boolean }): string {
  const name = hostCookieName(sessionCookieName, isSecure);
  return `${name}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly${isSecure ? "; Secure" : ""}; SameSite=Lax`;
}

/** The token in the session cookie, if we signed it. */
export async function readSessionToken(deps: CookieDeps, headers: Headers): Promise<string | undefined> {
  return verifySignedToken(deps, readHostCookie(headers, sessionCookieName, deps.isSecure) ?? "");
}

/** The session token in the value of a session cookie, if we signed it. Checked before any query, so that guessing costs none. */
export async function verifySignedToken({ secret }: CookieDeps, value: string): Promise<string | undefined> {
  const signed = decode(value);
  const dot = signed.lastIndexOf(".");
  if (dot < 1) return undefined;
  const token = signed.slice(0, dot);
  return isEqualText(signed.slice(dot + 1), await makeSignature(token, secret)) ? token : undefined;
}

/** Whether a request has a session cookie. Cheap enough for every request; `findViewer` checks whether the session is valid. */
export function hasSession(cookieHeader: string | undefined): boolean {
  return cookieHeader?.includes(`${sessionCookieName}=`) ?? false;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // Not a cookie of ours.
    return "";
  }
}
