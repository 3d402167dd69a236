import { recordSecurityEvent } from "#app/services/auth/audit/security-events.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { hasSecondFactor } from "#app/services/auth/factors/second-factor-state.server.ts";
import { readDeviceId } from "#app/services/auth/sessions/devices.server.ts";
import {
  endSessions,
  readSessionToken,
  renewSession,
  sessionCookie,
} from "#app/services/auth/sessions/session-rows.server.ts";
import { deleteMailedLinks, lockUser, replacePasswordHash } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";

/** When the password was set, in epoch milliseconds. An account that came from a provider has none. */
export async function findPasswordTime({ auth }: AuthDeps, userId: string): Promise<number | undefined> {
  const { internalAdapter } = await auth.$context;
  const account = await internalAdapter.findCredentialAccount(userId);
  return account?.password ? account.updatedAt.getTime() : undefined;
}

/** Whether this is the account's password. The caller counts attempts first. */
export async function checkPassword(
  deps: AuthDeps,
  { userId, password }: { userId: string; password: string },
): Promise<boolean> {
  return (await findMatchingHash(deps, userId, password)) !== undefined;
}

/** The account's hash, if `password` belongs to it. */
async function findMatchingHash({ auth, passwords }: AuthDeps, userId: string, password: string) {
  const { internalAdapter } = await auth.$context;
  const hash = (await internalAdapter.findCredentialAccount(userId))?.password;
  return hash && (await passwords.verify({ hash, password })) ? hash : undefined;
}

type PasswordChange = { userId: string; current: string; password: string } & RequestOrigin;

/**
 * Sets a new password, ends the account's other sessions and mailed links, and tells the owner by mail. Returns the new cookie of the
 * browser's session, or undefined if `current` isn't the password. Not better-auth's `changePassword`, which isn't one transaction: a
 * sign-in that is under way would outlive it.
 */
export async function changePassword(
  deps: AuthDeps,
  { userId, current, password, ...origin }: PasswordChange,
): Promise<{ cookies: string[] } | undefined> {
  const { auth, db, engine } = deps;
  const from = await findMatchingHash(deps, userId, current);
  if (from === undefined) return undefined;
  const to = await deps.passwords.hash(password);
  const before = await readSessionToken(deps, origin.headers);
  const keepTrustIn = readDeviceId(deps, origin.headers);
  const user = await (await auth.$context).internalAdapter.findUserById(userId);
  return transact(db, async (trx) => {
    // Another request may have changed it in the meantime.
    if (!(await lockUser(trx, userId)) || !(await replacePasswordHash(trx, { userId, from, to, engine })))
      return undefined;
    // A copy of the old cookie must not outlive the password that it was made with.
    const isProof = !(await hasSecondFactor(trx, userId));
    const token = before === undefined ? undefined : await renewSession(trx, before, { isProof });
    await endSessions(trx, { userId, keep: token, keepTrustIn });
    await deleteMailedLinks(trx, userId);
    await recordSecurityEvent(deps, trx, { ownerId: userId, event: "password-changed", origin });
    if (user) await deps.enqueueMail({ kind: "password-changed", to: user.email }, trx);
    return { cookies: token === undefined ? [] : [await sessionCookie(deps, token)] };
  });
}
