import { sql } from "kysely";

import type { RequestOrigin, SecurityEvents } from "#app/services/auth/audit/security-events.server.ts";
import type { BetterAuth } from "#app/services/auth/better-auth.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

import { endTrust, readDeviceId } from "./devices.server.ts";
import {
  clearingCookie,
  endOtherSessions,
  endOwnSession,
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

export type OwnSessions = {
  /** The sessions of an account that have not ended: that of the request first, then the latest used. */
  listSessions(of: { userId: string; headers: Headers }): Promise<OwnSession[]>;
  /** Ends one session of the account. Returns its browser, or undefined if there is no such session. */
  endOwnSession(of: { userId: string; sessionId: string; origin: RequestOrigin }): Promise<string | undefined>;
  /** Ends all sessions but that of the request. Returns how many. */
  endOtherSessions(of: { userId: string; origin: RequestOrigin }): Promise<number>;
  /** Ends all sessions of the account. Returns the cookies to set. */
  endAllSessions(of: { userId: string; origin: RequestOrigin }): Promise<string[]>;
};

type OwnSessionsDeps = { auth: BetterAuth; db: Db; securityEvents: SecurityEvents };

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

/** The list of an account's sessions, and how its owner ends them (the scopes local, others and global). */
export function createOwnSessions({ auth, db, securityEvents }: OwnSessionsDeps): OwnSessions {
  async function listSessions({ userId, headers }: { userId: string; headers: Headers }) {
    const token = await readSessionToken(auth, headers);
    const { rows } =
      await sql<StoredSession>`select "id", "token", "browser", "method", "createdAt", "updatedAt", "expiresAt"
      from "session" where "userId" = ${userId}
      order by case when "token" = ${token ?? ""} then 0 else 1 end, "updatedAt" desc, "id"
      limit ${maxListed}`.execute(db);
    return rows.filter(isRunning).map((row) => ({
      id: row.id,
      browser: row.browser,
      method: readMethod(row.method),
      startedAt: new Date(row.createdAt).getTime(),
      seenAt: new Date(row.updatedAt).getTime(),
      isCurrent: row.token === token,
    }));
  }

  return {
    listSessions,
    endOwnSession: ({ userId, sessionId, origin }) =>
      transact(db, async (trx) => {
        const browser = await endOwnSession(trx, { userId, sessionId });
        if (browser === undefined) return undefined;
        // A session doesn't say which browser it belongs to: those with its name are asked for a second factor again, but not this one.
        const except = await readDeviceId(auth, origin.headers);
        await endTrust(trx, { userId, except, browser });
        await securityEvents.record(trx, { ownerId: userId, event: "session-ended", detail: browser, origin });
        return browser;
      }),
    endOtherSessions: async ({ userId, origin }) => {
      const keep = await readSessionToken(auth, origin.headers);
      const keepTrustIn = await readDeviceId(auth, origin.headers);
      return transact(db, async (trx) => {
        // A sign-in that is under way ends before this, or starts after it.
        await lockUser(trx, userId);
        const count = await endOtherSessions(trx, { userId, keep, keepTrustIn });
        if (count > 0)
          await securityEvents.record(trx, { ownerId: userId, event: "session-ended", detail: "others", origin });
        return count;
      });
    },
    endAllSessions: ({ userId, origin }) =>
      transact(db, async (trx) => {
        await lockUser(trx, userId);
        await endOtherSessions(trx, { userId, keep: undefined });
        await securityEvents.record(trx, { ownerId: userId, event: "session-ended", detail: "all", origin });
        return [await clearingCookie(auth)];
      }),
  };
}

function isRunning({ createdAt, expiresAt }: StoredSession): boolean {
  return Math.min(new Date(expiresAt).getTime(), new Date(createdAt).getTime() + maxSessionMs) > Date.now();
}
