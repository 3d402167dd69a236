import { sql } from "kysely";

import { recordSecurityEvent } from "#app/services/auth/audit/security-events.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { findEmailChange } from "#app/services/auth/emails/email-changes.server.ts";
import { checkSecondFactor } from "#app/services/auth/factors/second-factor-checks.server.ts";
import type { SecondFactorResponse } from "#app/services/auth/factors/second-factor-checks.server.ts";
import { findSecondFactor } from "#app/services/auth/factors/second-factor-state.server.ts";
import { listConnectionRows } from "#app/services/auth/oauth/connection-rows.server.ts";
import type { ConnectionRow } from "#app/services/auth/oauth/connection-rows.server.ts";
import { useIdentityCode } from "#app/services/auth/sessions/identity-checks.server.ts";
import { endSessions, findSessionById } from "#app/services/auth/sessions/session-rows.server.ts";
import type { Viewer } from "#app/services/auth/sessions/viewer.server.ts";
import { deleteMailedLinks, findPasswordHash, lockUser, setPasswordHash } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";

import { strengthenAppSession } from "./app-sessions.server.ts";
import type { AppTokens } from "./app-sessions.server.ts";

/** An account as apps see it. Times are ISO 8601. */
export type AppUser = {
  id: string;
  email: string;
  name: string;
  isConfirmed: boolean;
  createdAt: string;
  updatedAt: string;
  hasPassword: boolean;
  connections: ConnectionRow[];
  /** When an authenticator app was set up. */
  appSince: string | undefined;
  /** An address that isn't confirmed yet. */
  newEmail: string | undefined;
};

type StoredUser = {
  id: string;
  email: string;
  name: string;
  emailVerified: boolean | number;
  createdAt: string | Date;
  updatedAt: string | Date;
};

export async function findAppUser(deps: AuthDeps, userId: string): Promise<AppUser | undefined> {
  const { db } = deps;
  const { rows } = await sql<StoredUser>`select "id", "email", "name", "emailVerified", "createdAt", "updatedAt"
    from "user" where "id" = ${userId}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { emailVerified, createdAt, updatedAt, ...user } = row;
  const factor = await findSecondFactor(db, userId);
  return {
    ...user,
    isConfirmed: Boolean(emailVerified),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    hasPassword: (await findPasswordHash(db, user.email)) !== undefined,
    connections: await listConnectionRows(db, userId),
    appSince: factor?.enabled_at && factor.totp_secret ? new Date(factor.enabled_at).toISOString() : undefined,
    newEmail: (await findEmailChange(deps, userId))?.email,
  };
}

type OfViewer = { viewer: Viewer; origin: RequestOrigin };

/** Notes that the user of an app's session has typed a mailed code. Returns false for a wrong one. The caller counts attempts first. */
export function confirmAppIdentity(
  deps: AuthDeps,
  { viewer, code, origin }: OfViewer & { code: string },
): Promise<boolean> {
  const { id: userId, sessionId } = viewer;
  return transact(deps.db, async (trx) => {
    if (!(await lockUser(trx, userId)) || !(await useIdentityCode(deps, trx, { userId, code }))) return false;
    await sql`update "session" set "verifiedAt" = ${Date.now()} where "id" = ${sessionId}`.execute(trx);
    await recordSecurityEvent(deps, trx, {
      ownerId: userId,
      event: "identity-confirmed",
      detail: "email-code+app",
      origin,
    });
    return true;
  });
}

/**
 * Sets the password of a user who has just proved who they are, ends the account's other sessions and mailed links, and tells the owner.
 * Returns "same" for the password that it has.
 */
export async function setAppPassword(
  deps: AuthDeps,
  { viewer, password, origin }: OfViewer & { password: string },
): Promise<"set" | "same" | "ended"> {
  const { id: userId, sessionId, email } = viewer;
  const before = await findPasswordHash(deps.db, email);
  if (before && (await deps.passwords.verify({ hash: before.hash, password }))) return "same";
  const hash = await deps.passwords.hash(password);
  return transact(deps.db, async (trx) => {
    const own = (await lockUser(trx, userId)) ? await findSessionById(trx, sessionId) : undefined;
    if (!own) return "ended";
    await setPasswordHash(trx, { userId, hash, engine: deps.engine });
    await endSessions(trx, { userId, keep: own.token });
    await deleteMailedLinks(trx, userId);
    await recordSecurityEvent(deps, trx, { ownerId: userId, event: "password-changed", origin });
    await deps.enqueueMail({ kind: "password-changed", to: own.email }, trx);
    return "set";
  });
}

/** Checks the second factor of an app's session. Returns its new tokens, or undefined for a wrong code. The caller counts attempts first. */
export function verifyAppFactor(
  deps: AuthDeps,
  { viewer, response, origin }: OfViewer & { response: SecondFactorResponse },
): Promise<AppTokens | undefined> {
  const { id: userId, sessionId } = viewer;
  return transact(deps.db, async (trx) => {
    if (!(await lockUser(trx, userId)) || !(await checkSecondFactor(deps, trx, { userId, response, origin })))
      return undefined;
    return strengthenAppSession(deps, trx, { sessionId, method: "totp" });
  });
}
