import { sql } from "kysely";

import { recordSecurityEvent } from "#app/services/auth/audit/security-events.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";

import { endTrust, readDeviceId } from "./devices.server.ts";
import {
  clearingCookie,
  endSessionById,
  endSessions,
  maxSessionMs,
  readMethod,
  readSessionToken,
} from "./session-rows.server.ts";
import type { SignInMethod } from "./session-rows.server.ts";

/** A session as its owner sees it. Times are epoch milliseconds. */
export type OwnSession = {
  id: string;
  /** "Firefox on Windows" */
  browser: string;
  method: SignInMethod;
  startedAt: number;
  /** The last use, to the day: a session that is used is extended once a day. */
  seenAt: number;
  /** It belongs to the browser that asks. */
  isCurrent: boolean;
};

/** More are not shown; they can be ended together. */
const maxListed = 100;

type StoredSession = {
  id: string;
  token: string;
  browser: string;
  method: string;
  createdAt: string | Date;
  updatedAt: string | Date;
  expiresAt: string | Date;
};

/** The sessions of an account that have not ended: that of the request first, then the latest used. */
export async function listSessions(
  deps: AuthDeps,
  { userId, headers }: { userId: string; headers: Headers },
): Promise<OwnSession[]> {
  const token = await readSessionToken(deps, headers);
  const { rows } =
    await sql<StoredSession>`select "id", "token", "browser", "method", "createdAt", "updatedAt", "expiresAt"
    from "session" where "userId" = ${userId}
    order by case when "token" = ${token ?? ""} then 0 else 1 end, "updatedAt" desc, "id"
    limit ${maxListed}`.execute(deps.db);
  return rows.filter(isRunning).map((row) => ({
    id: row.id,
    browser: row.browser,
    method: readMethod(row.method),
    startedAt: new Date(row.createdAt).getTime(),
    seenAt: new Date(row.updatedAt).getTime(),
    isCurrent: row.token === token,
  }));
}

type Own = { userId: string; origin: RequestOrigin };

/** Ends one session of the account. Returns its browser, or undefined if there is no such session. */
export function endOwnSession(
  deps: AuthDeps,
  { userId, sessionId, origin }: Own & { sessionId: string },
): Promise<string | undefined> {
  return transact(deps.db, async (trx) => {
    const browser = await endSessionById(trx, { userId, sessionId });
    if (browser === undefined) return undefined;
    // A session doesn't say which browser it belongs to: those with its name are asked for a second factor again, but not this one.
    await endTrust(trx, { userId, except: readDeviceId(deps, origin.headers), browser });
    await recordSecurityEvent(deps, trx, { ownerId: userId, event: "session-ended", detail: browser, origin });
    return browser;
  });
}

/** Ends all sessions but that of the request. Returns how many. */
export async function endOtherSessions(deps: AuthDeps, { userId, origin }: Own): Promise<number> {
  const keep = await readSessionToken(deps, origin.headers);
  const keepTrustIn = readDeviceId(deps, origin.headers);
  return transact(deps.db, async (trx) => {
    // A sign-in that is under way ends before this, or starts after it.
    await lockUser(trx, userId);
    const count = await endSessions(trx, { userId, keep, keepTrustIn });
    if (count > 0)
      await recordSecurityEvent(deps, trx, { ownerId: userId, event: "session-ended", detail: "others", origin });
    return count;
  });
}

/** Ends all sessions of the account. Returns the cookies to set. */
export function endAllSessions(deps: AuthDeps, { userId, origin }: Own): Promise<string[]> {
  return transact(deps.db, async (trx) => {
    await lockUser(trx, userId);
    await endSessions(trx, { userId, keep: undefined });
    await recordSecurityEvent(deps, trx, { ownerId: userId, event: "session-ended", detail: "all", origin });
    return [clearingCookie(deps)];
  });
}

/** Ends the sessions of all accounts, those of apps too, and forgets the tokens that providers gave for them. Returns how many ended. */
export async function endEverySession(trx: Trx): Promise<number> {
  const { numAffectedRows } = await sql`delete from "session"`.execute(trx);
  await trx.deleteFrom("sign_in_challenge").execute();
  await trx.deleteFrom("app_link").where("kind", "=", "code").execute();
  await trx.updateTable("known_device").set({ trusted_until: 0 }).execute();
  await sql`update "account" set "accessToken" = null, "refreshToken" = null, "idToken" = null`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

function isRunning({ createdAt, expiresAt }: StoredSession): boolean {
  return Math.min(new Date(expiresAt).getTime(), new Date(createdAt).getTime() + maxSessionMs) > Date.now();
}
