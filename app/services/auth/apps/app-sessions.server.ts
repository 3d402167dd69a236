import { z } from "zod";

import { recordSecurityEvent } from "#app/services/auth/audit/security-events.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { hasSecondFactor } from "#app/services/auth/factors/second-factor-state.server.ts";
import {
  endSessionById,
  endSessions,
  extendSession,
  findSessionById,
  insertSession,
  maxSessionMs,
  sessionMs,
} from "#app/services/auth/sessions/session-rows.server.ts";
import type { SessionRow, SignInMethod } from "#app/services/auth/sessions/session-rows.server.ts";
import { toViewer } from "#app/services/auth/sessions/viewer.server.ts";
import type { Viewer } from "#app/services/auth/sessions/viewer.server.ts";
import { hashToken, newToken } from "#app/services/auth/tokens.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

import { proofSchema } from "./access-tokens.server.ts";
import type { Proof } from "./access-tokens.server.ts";

/** What an app gets when its user signs in. `expiresAt`: of the access token, in seconds since 1970. */
export type AppTokens = { accessToken: string; refreshToken: string; seconds: number; expiresAt: number };

/**
 * `isFull`: each factor was checked that the account has. A session that isn't full may only check the second one. `expiresAt`: of the
 * access token, in seconds since 1970.
 */
export type AppSession = { viewer: Viewer; isFull: boolean; proofs: Proof[]; expiresAt: number };

export type AppSessionRefusal = "malformed" | "expired" | "ended";

/** Two tabs of an app may refresh with the same token at the same time. */
const graceMs = 10_000;
const readProofs = (stored: string): Proof[] => z.array(proofSchema).parse(JSON.parse(stored));
const proofNow = (method: string): Proof => ({ method, timestamp: Math.floor(Date.now() / 1000) });

type NewAppSession = {
  userId: string;
  method: SignInMethod;
  isFull: boolean;
  /** "App (Firefox on Windows)" */
  browser: string;
  /** When the user proved who they are, if that may count for sensitive changes; otherwise 0. */
  verifiedAt: number;
};

/** Starts a session of an app; the caller has locked the user. */
export async function startAppSession(
  deps: Pick<AuthDeps, "engine" | "accessTokens">,
  trx: Trx,
  session: NewAppSession,
): Promise<AppTokens> {
  const { userId, isFull, method } = session;
  const token = await insertSession(trx, { ...session, engine: deps.engine });
  const row = await findSessionById(trx, token.id);
  if (!row) throw new Error("The session that was just written isn't there.");
  const proofs = [proofNow(method === "password" ? "password" : method === "email-code" ? "otp" : method)];
  await trx
    .insertInto("app_session")
    .values({
      session_id: row.id,
      owner_id: userId,
      is_full: isFull ? 1 : 0,
      proofs: JSON.stringify(proofs),
      expires_at: Date.now() + maxSessionMs,
    })
    .execute();
  return issueTokens(deps, trx, { row, proofs });
}

async function issueTokens(
  { accessTokens }: Pick<AuthDeps, "accessTokens">,
  trx: Trx,
  { row, proofs }: { row: SessionRow; proofs: Proof[] },
): Promise<AppTokens> {
  const refreshToken = newToken();
  await trx
    .insertInto("refresh_token")
    .values({
      token_hash: hashToken(refreshToken),
      session_id: row.id,
      owner_id: row.userId,
      expires_at: Date.now() + sessionMs,
    })
    .execute();
  const claims = { userId: row.userId, sessionId: row.id, email: row.email, proofs };
  const { token: accessToken, seconds, expiresAt } = await accessTokens.sign(claims);
  return { accessToken, refreshToken, seconds, expiresAt };
}

/** The session of an access token, as long as it runs and its account isn't blocked. */
export async function findAppSession(deps: AuthDeps, accessToken: string): Promise<AppSession | AppSessionRefusal> {
  const claims = await deps.accessTokens.verify(accessToken);
  if (typeof claims === "string") return claims;
  const { userId, sessionId, expiresAt } = claims;
  const found = await findStored(deps.db, sessionId);
  if (found?.row.userId !== userId) return "ended";
  const { row, isFull, proofs } = found;
  // Two-step verification may have been turned on since.
  const isEnough = isFull || !(await hasSecondFactor(deps.db, userId));
  return { viewer: toViewer(row, row.token), isFull: isEnough, proofs, expiresAt };
}

async function findStored(db: Db | Trx, sessionId: string) {
  const row = await findSessionById(db, sessionId);
  if (!row) return undefined;
  const stored = await db
    .selectFrom("app_session")
    .select(["is_full", "proofs"])
    .where("session_id", "=", sessionId)
    .executeTakeFirst();
  return stored && { row, isFull: stored.is_full === 1, proofs: readProofs(stored.proofs) };
}

export type RefreshResult =
  | { kind: "refreshed"; tokens: AppTokens; userId: string }
  | { kind: "unknown" }
  /** It was used before: someone has a copy, so the session ended. */
  | { kind: "reused" }
  | { kind: "ended" };

/** Exchanges a refresh token, once, for new tokens of its session. */
export function refreshAppSession(
  deps: AuthDeps,
  { refreshToken, ...origin }: { refreshToken: string } & RequestOrigin,
): Promise<RefreshResult> {
  const token_hash = hashToken(refreshToken);
  const find = (db: Db | Trx) =>
    db.selectFrom("refresh_token").selectAll().where("token_hash", "=", token_hash).executeTakeFirst();
  return transact(deps.db, async (trx): Promise<RefreshResult> => {
    const known = await find(trx);
    if (!known || !(await lockUser(trx, known.owner_id))) return { kind: "unknown" };
    // Another request may have used it until the lock was free.
    const stored = await find(trx);
    if (!stored || stored.expires_at <= Date.now()) return { kind: "unknown" };
    const { owner_id: userId, session_id: sessionId, used_at: usedAt } = stored;
    const found = await findStored(trx, sessionId);
    if (!found) return { kind: "ended" };
    if (usedAt !== null && Date.now() - usedAt > graceMs) {
      const browser = await endSessionById(trx, { userId, sessionId });
      await recordSecurityEvent(deps, trx, { ownerId: userId, event: "session-ended", detail: browser ?? "", origin });
      return { kind: "reused" };
    }
    if (usedAt === null) await useRefreshTokens(trx, sessionId);
    await extendSession(trx, { id: sessionId, engine: deps.engine });
    return { kind: "refreshed", userId, tokens: await issueTokens(deps, trx, found) };
  });
}

/**
 * Notes that the tokens of a session are used: the one that is exchanged, and others that tabs got with the same earlier one. Whoever has one
 * of those can't go on with it beside the app.
 */
async function useRefreshTokens(trx: Trx, sessionId: string): Promise<void> {
  await trx
    .updateTable("refresh_token")
    .set({ used_at: Date.now() })
    .where("session_id", "=", sessionId)
    .where("used_at", "is", null)
    .execute();
}

/** The session of a refresh token, to count attempts before the token is used. */
export async function findRefreshSession({ db }: AuthDeps, refreshToken: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("refresh_token")
    .select("session_id")
    .where("token_hash", "=", hashToken(refreshToken))
    .executeTakeFirst();
  return row?.session_id;
}

/** Notes that the user of a session proved who they are with each factor, and returns its new tokens; undefined if it has ended. */
export async function strengthenAppSession(
  deps: AuthDeps,
  trx: Trx,
  { sessionId, method }: { sessionId: string; method: string },
): Promise<AppTokens | undefined> {
  const found = await findStored(trx, sessionId);
  if (!found) return undefined;
  const proofs = [proofNow(method), ...found.proofs.filter((proof) => proof.method !== method)];
  await trx
    .updateTable("app_session")
    .set({ is_full: 1, proofs: JSON.stringify(proofs) })
    .where("session_id", "=", sessionId)
    .execute();
  // A copy that was made before this proof must not profit from it.
  await useRefreshTokens(trx, sessionId);
  return issueTokens(deps, trx, { row: found.row, proofs });
}

/** The same in a transaction of its own, for a session whose user has just set up the second factor. */
export function strengthenSession(
  deps: AuthDeps,
  { sessionId }: { sessionId: string },
): Promise<AppTokens | undefined> {
  return transact(deps.db, (trx) => strengthenAppSession(deps, trx, { sessionId, method: "totp" }));
}

export type EndedAppSessions = "local" | "others" | "global";

/** Ends sessions of an account: this one, all others, or all. */
export function endAppSessions(
  deps: AuthDeps,
  { viewer, scope, origin }: { viewer: Viewer; scope: EndedAppSessions; origin: RequestOrigin },
): Promise<void> {
  const { id: userId, sessionId } = viewer;
  return transact(deps.db, async (trx) => {
    // A sign-in that is under way ends before this, or starts after it.
    await lockUser(trx, userId);
    const record = (event: "signed-out" | "session-ended", detail = "") =>
      recordSecurityEvent(deps, trx, { ownerId: userId, event, detail, origin });
    if (scope === "local") {
      if ((await endSessionById(trx, { userId, sessionId })) !== undefined) await record("signed-out");
      return;
    }
    const own = await findSessionById(trx, sessionId);
    await endSessions(trx, { userId, keep: scope === "others" ? own?.token : undefined });
    await record("session-ended", scope === "others" ? "others" : "all");
  });
}
