import type { Logger } from "pino";

import type { RequestOrigin, SecurityEvents } from "#app/services/auth/audit/security-events.server.ts";
import type { BetterAuth } from "#app/services/auth/better-auth.server.ts";
import type { PasswordHashes } from "#app/services/auth/passwords/password-hashes.server.ts";
import { findPasswordHash, lockUser } from "#app/services/auth/user-rows.server.ts";
import { isOutcomeUnknown } from "#app/services/base/errors.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Engine } from "#app/services/database/database.server.ts";

import {
  clearingCookie,
  endOwnSession,
  endSession,
  extendAfterMs,
  extendSession,
  findReplacedToken,
  findSession,
  hashToken,
  hasSession,
  readSessionToken,
  sessionCookie,
  sessionMs,
  verifySignedToken,
} from "./session-rows.server.ts";
import type { SessionRow } from "./session-rows.server.ts";
import type { SignInOutcome, SignIns } from "./sign-ins.server.ts";

/** The user who is signed in. */
export type Viewer = {
  id: string;
  email: string;
  name: string;
  isConfirmed: boolean;
  /** The id of the session, which keeps it when it gets another token. */
  sessionId: string;
  /** Of the token that the request has: after a proof of identity, the session has another one. */
  tokenHash: string;
  /** When the user last proved who they are in this session, in epoch milliseconds. */
  verifiedAt: number;
};

export type Sessions = {
  /**
   * Finds the signed-in user. The response must set `cookies`: they extend a session that is older than a day, and delete the cookie of
   * an expired or unknown session.
   */
  findViewer(headers: Headers): Promise<{ viewer: Viewer | undefined; cookies: string[] }>;
  /**
   * Finds the user of a session by the value of its cookie, sent as a bearer token. Neither extends the session nor accepts a token that
   * was replaced.
   */
  findBearer(token: string): Promise<Viewer | undefined>;
  /** The token of the browser's session, to keep or replace it when the account's others end. */
  findSessionToken(headers: Headers): Promise<string | undefined>;
  signIn(form: SignInForm): Promise<SignInResult>;
  /** Ends the session on the server, not only in this browser. */
  signOut(headers: Headers): Promise<{ cookies: string[] }>;
};

export type SignInResult =
  | SignInOutcome
  /**
   * Unknown address, wrong password, or not confirmed yet. The three are indistinguishable, even by response time: otherwise an attacker could sign
   * up with someone's address, sign in with that password, and learn from the response whether the address had an account before.
   */
  | { kind: "refused" };

type SignInForm = { email: string; password: string } & RequestOrigin;

type SessionsDeps = {
  auth: BetterAuth;
  db: Db;
  engine: Engine;
  log: Logger;
  passwords: PasswordHashes;
  signIns: SignIns;
  securityEvents: SecurityEvents;
};

export function createSessions(deps: SessionsDeps): Sessions {
  const { auth, db, engine, log, passwords, signIns, securityEvents } = deps;
  async function findViewer(headers: Headers) {
    if (!hasSession(headers.get("cookie") ?? undefined)) return { viewer: undefined, cookies: [] };
    const token = await readSessionToken(auth, headers);
    const session = token === undefined ? undefined : await findSession(db, token);
    if (!session) return findLateViewer(token);
    return { viewer: toViewer(session, session.token), cookies: await extend(session) };
  }

  /** A request that was under way when its session got a new token must not delete the new cookie. */
  async function findLateViewer(token = "") {
    const replaced = token === "" ? undefined : await findReplacedToken(db, token);
    if (!replaced) return { viewer: undefined, cookies: [await clearingCookie(auth)] };
    return { viewer: replaced.session && toViewer(replaced.session, token), cookies: [] };
  }

  async function extend({ id, token, expiresAt }: SessionRow): Promise<string[]> {
    if (expiresAt - Date.now() > sessionMs - extendAfterMs) return [];
    try {
      return (await extendSession(db, { id, engine })) ? [await sessionCookie(auth, token)] : [];
    } catch (error) {
      // On a full disk the session can't be extended, but it stays valid until it expires.
      log.warn({ err: error }, "a session could not be extended");
      return [];
    }
  }

  async function findSessionToken(headers: Headers) {
    const token = await readSessionToken(auth, headers);
    return token === undefined ? undefined : (await findSession(db, token))?.token;
  }

  async function signIn({ email, password, ...origin }: SignInForm): Promise<SignInResult> {
    const found = await findPasswordHash(db, email);
    // Whoever signed up with an address knows its password, but must not learn whether it had an account already.
    const hash = found?.isConfirmed ? found.hash : passwords.hashOfNoPassword;
    if (!(await passwords.verify({ hash, password })) || !found) {
      if (found) reportRefusal(found.userId, origin);
      return { kind: "refused" };
    }
    const { userId } = found;
    return transact(db, async (trx): Promise<SignInResult> => {
      await lockUser(trx, userId);
      // The password may have been changed since it was checked; a change ends only the sessions that it sees.
      const now = await findPasswordHash(trx, email);
      if (!now?.isConfirmed || now.hash !== hash) return { kind: "refused" };
      return signIns.completeSignIn(trx, { userId, method: "password", origin });
    });
  }

  /** The response doesn't wait for the write: its time would reveal that the address has an account. */
  function reportRefusal(ownerId: string, origin: RequestOrigin) {
    securityEvents
      .recordRefusedSignIn({ ownerId, origin })
      .catch((error: unknown) => log.warn({ err: error }, "a refused sign-in could not be recorded"));
  }

  async function signOut(headers: Headers) {
    if (!hasSession(headers.get("cookie") ?? undefined)) return { cookies: [] };
    const token = await readSessionToken(auth, headers);
    if (token !== undefined) await end(token, headers);
    return { cookies: [await clearingCookie(auth)] };
  }

  /** Ending a session twice does no harm, so it is repeated when it is unknown whether it ended. */
  async function end(token: string, headers: Headers) {
    const work = () =>
      transact(db, async (trx) => {
        const ownerId = await endSession(trx, token);
        const late = ownerId ? undefined : await findReplacedToken(trx, token);
        if (late) await endOwnSession(trx, { userId: late.ownerId, sessionId: late.sessionId });
        if (ownerId) await securityEvents.record(trx, { ownerId, event: "signed-out", origin: { headers } });
      });
    try {
      await work();
    } catch (error) {
      if (!isOutcomeUnknown(error)) throw error;
      await work();
    }
  }

  return { findViewer, findBearer: (value) => findBearer({ auth, db }, value), findSessionToken, signIn, signOut };
}

async function findBearer({ auth, db }: Pick<SessionsDeps, "auth" | "db">, value: string) {
  const token = await verifySignedToken(auth, value);
  const session = token === undefined ? undefined : await findSession(db, token);
  return session && toViewer(session, session.token);
}

function toViewer({ userId, id, email, name, isConfirmed, verifiedAt }: SessionRow, token: string): Viewer {
  return { id: userId, email, name, isConfirmed, sessionId: id, tokenHash: hashToken(token), verifiedAt };
}
