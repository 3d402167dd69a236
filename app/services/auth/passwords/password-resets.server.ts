import { transact } from "#app/services/database/database.server.ts";
import type { Db, Engine } from "#app/services/database/database.server.ts";

import type { BetterAuth, EnqueueMail } from "#app/services/auth/better-auth.server.ts";
import type { RequestOrigin, SecurityEvents } from "#app/services/auth/audit/security-events.server.ts";
import { endOtherSessions } from "#app/services/auth/sessions/session-rows.server.ts";
import {
  confirmUserEmail,
  deleteMailedLinks,
  findAddressOwner,
  lockUser,
  setPasswordHash,
  takeVerification,
} from "#app/services/auth/user-rows.server.ts";

import { createResetLink, resetLinkHours, resetLinkKey } from "./reset-links.server.ts";

export type PasswordResets = {
  /** Sends a link to set a new password if the address has an account. The caller doesn't learn whether it has. */
  requestReset(email: string): Promise<void>;
  /** Returns the account that a valid link belongs to. */
  findReset(token: string): Promise<{ email: string } | undefined>;
  /**
   * Sets the password, once per link, and ends all sessions and other links of the account. The link came from the mailbox, so it also
   * confirms the address. Returns false for a link that is used or expired.
   */
  resetPassword(form: NewPassword): Promise<boolean>;
};

type NewPassword = { token: string; password: string } & RequestOrigin;

type PasswordResetsDeps = {
  auth: BetterAuth;
  db: Db;
  engine: Engine;
  securityEvents: SecurityEvents;
  enqueueMail: EnqueueMail;
};

const tokenPattern = /^[\w-]{32}$/;

/** Not better-auth's `resetPassword`: a sign-in with the old password that is under way would outlive it. */
export function createPasswordResets(deps: PasswordResetsDeps): PasswordResets {
  const { auth, db, engine, enqueueMail } = deps;

  async function requestReset(email: string) {
    const { internalAdapter } = await auth.$context;
    const found = await internalAdapter.findUserByEmail(email);
    if (!found) return;
    const token = await createResetLink(auth, found.user.id);
    await transact(db, async (trx) => {
      // A change of the address in the meantime has deleted the link, or finds it here once this lock is free.
      if ((await lockUser(trx, found.user.id)) && (await findAddressOwner(trx, email))?.id === found.user.id)
        await enqueueMail({ kind: "reset", to: email, token, validHours: resetLinkHours }, trx);
      else await deleteMailedLinks(trx, found.user.id);
    });
  }

  async function findLink(token: string) {
    // Other text never reaches the database: PostgreSQL rejects NUL.
    if (!tokenPattern.test(token)) return undefined;
    const { internalAdapter } = await auth.$context;
    const link = await internalAdapter.findVerificationValue(resetLinkKey(token));
    if (!link || link.expiresAt.getTime() < Date.now()) return undefined;
    const user = await internalAdapter.findUserById(link.value);
    return user ? { id: link.id, userId: user.id, email: user.email } : undefined;
  }

  async function findReset(token: string) {
    const link = await findLink(token);
    return link && { email: link.email };
  }

  async function resetPassword({ token, password, ...origin }: NewPassword) {
    const link = await findLink(token);
    if (!link) return false;
    const { userId } = link;
    const { password: passwords } = await auth.$context;
    const hash = await passwords.hash(password);
    return transact(db, async (trx) => {
      // Another request may have been faster with the same link.
      if (!(await lockUser(trx, userId)) || !(await takeVerification(trx, link.id))) return false;
      await setPasswordHash(trx, { userId, hash, engine });
      await confirmUserEmail(trx, { userId, engine });
      await endOtherSessions(trx, { userId, keep: undefined });
      await deleteMailedLinks(trx, userId);
      await deps.securityEvents.record(trx, { ownerId: userId, event: "password-set", origin });
      return true;
    });
  }

  return { requestReset, findReset, resetPassword };
}
