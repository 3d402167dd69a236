import { sql } from "kysely";

import { recordSecurityEvent } from "#app/services/auth/audit/security-events.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { checkPassword } from "#app/services/auth/passwords/password-changes.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";

import {
  clearingCookie,
  endSession,
  findHandedOver,
  findSession,
  maxSessionMs,
  readSessionToken,
  renewSession,
  sessionCookie,
} from "./session-rows.server.ts";

/** Wrong PINs and passwords, after which the session ends: four digits have 10,000 possibilities. */
const maxAttempts = 10;

/** `pin`: in addition to the password of the account, or in place of one. `form`: what the browser shows, for the caller. */
type HandOver = { userId: string; pin: string | undefined; form: string; origin: RequestOrigin };

/**
 * Locks the session of the request: it doesn't count as signed in, and its user proved nothing, until `takeBack`. Returns the cookies to
 * set, or undefined if the session has ended or got a new token in another request.
 */
export async function handOver(deps: AuthDeps, { userId, pin, form, origin }: HandOver): Promise<string[] | undefined> {
  const before = await readSessionToken(deps, origin.headers);
  const pinHash = pin === undefined ? null : await deps.passwords.hash(pin);
  return transact(deps.db, async (trx) => {
    // With a new cookie browsers drop the pages that they stored for their back button, and a copy of the old one is worth nothing.
    const token = before === undefined ? undefined : await renewSession(trx, before);
    const session = token === undefined ? undefined : await findSession(trx, token);
    if (token === undefined || session?.userId !== userId) return undefined;
    const row = { session_id: session.id, owner_id: userId, pin_hash: pinHash, form };
    await trx
      .insertInto("handed_over_session")
      .values({ ...row, expires_at: Date.now() + maxSessionMs })
      .execute();
    await sql`update "session" set "verifiedAt" = 0 where "id" = ${session.id}`.execute(trx);
    await recordSecurityEvent(deps, trx, { ownerId: userId, event: "handed-over", origin });
    return [await sessionCookie(deps, token)];
  });
}

export type TakeBackResult =
  | { kind: "back"; ownerId: string; form: string; cookies: string[] }
  /** `left`: how often it can be tried again. */
  | { kind: "refused"; left: number }
  /** Nothing is handed over in this browser, or not anymore: it is signed out. */
  /** `ended`: what the browser showed, when this attempt was the last one. */
  | { kind: "ended"; cookies: string[]; ended?: { ownerId: string; form: string } };

/** Unlocks the session of the request with its PIN or the account's password. The answer doesn't tell which of them exist. */
export async function takeBack(
  deps: AuthDeps,
  { secret, origin }: { secret: string; origin: RequestOrigin },
): Promise<TakeBackResult> {
  const token = await readSessionToken(deps, origin.headers);
  const found = token === undefined ? undefined : await findHandedOver(deps.db, token);
  if (token === undefined || !found) return { kind: "ended", cookies: [] };
  const attempt = await countAttempt(deps, found.sessionId);
  if (attempt !== undefined && (await isRight(deps, { ...found, pinHash: attempt.pinHash, secret })))
    return unlock(deps, { token, ...found, origin });
  const left = maxAttempts - (attempt?.attempts ?? maxAttempts);
  if (left > 0) return { kind: "refused", left };
  await transact(deps.db, async (trx) => {
    const ownerId = await endSession(trx, token);
    const detail = "hand-over";
    if (ownerId) await recordSecurityEvent(deps, trx, { ownerId, event: "session-ended", detail, origin });
  });
  const ended = { ownerId: found.ownerId, form: found.form };
  return { kind: "ended", cookies: [clearingCookie(deps)], ended };
}

/** Counted before anything is checked, so that requests at the same time don't get more attempts. Undefined when there are none left. */
async function countAttempt({ db }: AuthDeps, sessionId: string) {
  const row = await db
    .updateTable("handed_over_session")
    .set((columns) => ({ attempts: columns("attempts", "+", 1) }))
    .where("session_id", "=", sessionId)
    .where("attempts", "<", maxAttempts)
    .returning(["attempts", "pin_hash"])
    .executeTakeFirst();
  return row && { attempts: row.attempts, pinHash: row.pin_hash };
}

async function isRight(
  deps: AuthDeps,
  { ownerId, pinHash, secret }: { ownerId: string; pinHash: string | null; secret: string },
): Promise<boolean> {
  const { passwords } = deps;
  const isPin = await passwords.verify({ hash: pinHash ?? passwords.hashOfNoPassword, password: secret });
  return (await checkPassword(deps, { userId: ownerId, password: secret })) || (isPin && pinHash !== null);
}

type Unlocked = { token: string; sessionId: string; ownerId: string; form: string; origin: RequestOrigin };

function unlock(deps: AuthDeps, { token, sessionId, ownerId, form, origin }: Unlocked): Promise<TakeBackResult> {
  return transact(deps.db, async (trx): Promise<TakeBackResult> => {
    await lockUser(trx, ownerId);
    const renewed = await renewSession(trx, token);
    // It ended meanwhile, or another request unlocked it.
    if (renewed === undefined) return { kind: "ended", cookies: [] };
    await trx.deleteFrom("handed_over_session").where("session_id", "=", sessionId).execute();
    await recordSecurityEvent(deps, trx, { ownerId, event: "taken-back", origin });
    return { kind: "back", ownerId, form, cookies: [await sessionCookie(deps, renewed)] };
  });
}
