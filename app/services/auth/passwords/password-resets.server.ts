import { recordSecurityEvent } from "#app/services/auth/audit/security-events.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import type { BetterAuth } from "#app/services/auth/better-auth.server.ts";
import { endSessions } from "#app/services/auth/sessions/session-rows.server.ts";
import { newToken } from "#app/services/auth/tokens.server.ts";
import {
  confirmUserEmail,
  deleteMailedLinks,
  findAddressOwner,
  lockUser,
  setPasswordHash,
  takeVerification,
} from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";

const linkHours = 1;
const tokenPattern = /^[\w-]{32}$/;

/** The key of a link to set a password, in better-auth's table of verifications. */
const linkKey = (token: string) => `reset-password:${token}`;

/** Sends a link to set a new password if the address has an account. The caller doesn't learn whether it has. */
export async function requestReset({ auth, db, enqueueMail }: AuthDeps, email: string): Promise<void> {
  const { internalAdapter } = await auth.$context;
  const found = await internalAdapter.findUserByEmail(email);
  if (!found) return;
  const token = await createResetLink(auth, found.user.id);
  await transact(db, async (trx) => {
    // A change of the address in the meantime has deleted the link, or finds it here once this lock is free.
    if ((await lockUser(trx, found.user.id)) && (await findAddressOwner(trx, email))?.id === found.user.id)
      await enqueueMail({ kind: "reset", to: email, token, validHours: linkHours }, trx);
    else await deleteMailedLinks(trx, found.user.id);
  });
}

/** Stores a link to set a new password and returns its token. */
export async function createResetLink(auth: BetterAuth, userId: string): Promise<string> {
  const { internalAdapter } = await auth.$context;
  const token = newToken();
  const expiresAt = new Date(Date.now() + linkHours * 60 * 60 * 1000);
  await internalAdapter.createVerificationValue({ identifier: linkKey(token), value: userId, expiresAt });
  return token;
}

/** Returns the account that a valid link belongs to. */
export async function findReset(deps: AuthDeps, token: string): Promise<{ email: string } | undefined> {
  const link = await findLink(deps, token);
  return link && { email: link.email };
}

async function findLink({ auth }: AuthDeps, token: string) {
  // Other text never reaches the database: PostgreSQL rejects NUL.
  if (!tokenPattern.test(token)) return undefined;
  const { internalAdapter } = await auth.$context;
  const link = await internalAdapter.findVerificationValue(linkKey(token));
  if (!link || link.expiresAt.getTime() < Date.now()) return undefined;
  const user = await internalAdapter.findUserById(link.value);
  return user ? { id: link.id, userId: user.id, email: user.email } : undefined;
}

type NewPassword = { token: string; password: string } & RequestOrigin;

/**
 * Sets the password, once per link, and ends all sessions and other links of the account. The link came from the mailbox, so it also
 * confirms the address. Returns false for a link that is used or expired. Not better-auth's `resetPassword`: a sign-in with the old
 * password that is under way would outlive it.
 */
export async function resetPassword(deps: AuthDeps, { token, password, ...origin }: NewPassword): Promise<boolean> {
  const link = await findLink(deps, token);
  if (!link) return false;
  const { userId } = link;
  const hash = await deps.passwords.hash(password);
  return transact(deps.db, async (trx) => {
    // Another request may have been faster with the same link.
    if (!(await lockUser(trx, userId)) || !(await takeVerification(trx, link.id))) return false;
    await setPasswordHash(trx, { userId, hash, engine: deps.engine });
    await confirmUserEmail(trx, { userId, engine: deps.engine });
    await endSessions(trx, { userId, keep: undefined });
    await deleteMailedLinks(trx, userId);
    await recordSecurityEvent(deps, trx, { ownerId: userId, event: "password-set", origin });
    return true;
  });
}
