import { recordRefusedSignIn, recordSecurityEvent } from "#app/services/auth/audit/security-events.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import { findAppSession } from "#app/services/auth/apps/app-sessions.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { findPasswordHash, lockUser } from "#app/services/auth/user-rows.server.ts";
import { isOutcomeUnknown } from "#app/services/base/errors.ts";
import { transact } from "#app/services/database/database.server.ts";

import {
  clearingCookie,
  endSession,
  endSessionById,
  extendAfterMs,
  extendSession,
  findHandedOver,
  findReplacedToken,
  findSession,
  hasSession,
  readSessionToken,
  sessionCookie,
  sessionMs,
  verifySignedToken,
} from "./session-rows.server.ts";
import type { HandedOver, SessionRow } from "./session-rows.server.ts";
import { toViewer } from "./viewer.server.ts";
import type { Viewer } from "./viewer.server.ts";
import { completeSignIn } from "./sign-ins.server.ts";
import type { SignInOutcome } from "./sign-ins.server.ts";

export type SignInResult =
  | SignInOutcome
  /**
   * Unknown address, wrong password, or not confirmed yet. The three are indistinguishable, even by response time: otherwise an attacker could sign
   * up with someone's address, sign in with that password, and learn from the response whether the address had an account before.
   */
  | { kind: "refused" };

type SignInForm = { email: string; password: string } & RequestOrigin;

/**
 * Finds the signed-in user. The response must set `cookies`: they extend a session that is older than a day, and delete the cookie of
 * an expired or unknown session.
 */
export async function findViewer(deps: AuthDeps, headers: Headers): Promise<FoundViewer> {
  if (!hasSession(headers.get("cookie") ?? undefined)) return { viewer: undefined, cookies: [] };
  const token = await readSessionToken(deps, headers);
  const session = token === undefined ? undefined : await findSession(deps.db, token);
  if (!session) return findLateViewer(deps, token);
  return { viewer: toViewer(session, session.token), cookies: await extend(deps, session) };
}

/** `handedOver`: the browser shows visitors a form, and no one is signed in until its owner takes it back. */
type FoundViewer = { viewer: Viewer | undefined; cookies: string[]; handedOver?: HandedOver };

/** A request that was under way when its session got a new token must not delete the new cookie. */
async function findLateViewer(deps: AuthDeps, token = ""): Promise<FoundViewer> {
  const handedOver = token === "" ? undefined : await findHandedOver(deps.db, token);
  if (handedOver) return { viewer: undefined, cookies: [], handedOver };
  const replaced = token === "" ? undefined : await findReplacedToken(deps.db, token);
  if (!replaced) return { viewer: undefined, cookies: [clearingCookie(deps)] };
  return { viewer: replaced.session && toViewer(replaced.session, token), cookies: [] };
}

async function extend(deps: AuthDeps, { id, token, expiresAt }: SessionRow): Promise<string[]> {
  if (expiresAt - Date.now() > sessionMs - extendAfterMs) return [];
  try {
    return (await extendSession(deps.db, { id, engine: deps.engine })) ? [await sessionCookie(deps, token)] : [];
  } catch (error) {
    // On a full disk the session can't be extended, but it stays valid until it expires.
    deps.log.warn({ err: error }, "a session could not be extended");
    return [];
  }
}

/**
 * Finds the user of a session by a bearer token: the value of its cookie, or the access token of an app. Neither extends the session nor
 * accepts a token that was replaced.
 */
export async function findBearer(deps: AuthDeps, value: string): Promise<Viewer | undefined> {
  if (isAccessToken(value)) {
    const found = await findAppSession(deps, value);
    return typeof found !== "string" && found.isFull ? found.viewer : undefined;
  }
  const token = await verifySignedToken(deps, value);
  const session = token === undefined ? undefined : await findSession(deps.db, token);
  return session && toViewer(session, session.token);
}

/** RFC 7519 §3: three parts. The value of a cookie has two. */
const isAccessToken = (value: string) => value.split(".").length === 3;

export async function signIn(deps: AuthDeps, { email, password, ...origin }: SignInForm): Promise<SignInResult> {
  const { db, passwords } = deps;
  const found = await findPasswordHash(db, email);
  // Whoever signed up with an address knows its password, but must not learn whether it had an account already.
  const hash = found?.isConfirmed ? found.hash : passwords.hashOfNoPassword;
  if (!(await passwords.verify({ hash, password })) || !found) {
    if (found) reportRefusal(deps, found.userId, origin);
    return { kind: "refused" };
  }
  const { userId } = found;
  return transact(db, async (trx): Promise<SignInResult> => {
    await lockUser(trx, userId);
    // The password may have been changed since it was checked; a change ends only the sessions that it sees.
    const now = await findPasswordHash(trx, email);
    if (!now?.isConfirmed || now.hash !== hash) return { kind: "refused" };
    return completeSignIn(deps, trx, { userId, method: "password", origin });
  });
}

/** The response doesn't wait for the write: its time would reveal that the address has an account. */
function reportRefusal(deps: AuthDeps, ownerId: string, origin: RequestOrigin) {
  recordRefusedSignIn(deps, { ownerId, origin }).catch((error: unknown) =>
    deps.log.warn({ err: error }, "a refused sign-in could not be recorded"),
  );
}

/** Ends the session on the server, not only in this browser. */
export async function signOut(deps: AuthDeps, headers: Headers): Promise<{ cookies: string[] }> {
  if (!hasSession(headers.get("cookie") ?? undefined)) return { cookies: [] };
  const token = await readSessionToken(deps, headers);
  if (token !== undefined) await end(deps, token, headers);
  return { cookies: [clearingCookie(deps)] };
}

/** Ending a session twice does no harm, so it is repeated when it is unknown whether it ended. */
async function end(deps: AuthDeps, token: string, headers: Headers) {
  const work = () =>
    transact(deps.db, async (trx) => {
      const ownerId = await endSession(trx, token);
      const late = ownerId ? undefined : await findReplacedToken(trx, token);
      if (late) await endSessionById(trx, { userId: late.ownerId, sessionId: late.sessionId });
      if (ownerId) await recordSecurityEvent(deps, trx, { ownerId, event: "signed-out", origin: { headers } });
    });
  try {
    await work();
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error;
    await work();
  }
}
