import { transact } from "#app/services/database/database.server.ts";
import type { Db, Engine } from "#app/services/database/database.server.ts";

import type { BetterAuth, EnqueueMail } from "#app/services/auth/better-auth.server.ts";
import type { RequestOrigin, SecurityEvents } from "#app/services/auth/audit/security-events.server.ts";
import { hasSecondFactor } from "#app/services/auth/sessions/account-factor.server.ts";
import { readDeviceId } from "#app/services/auth/sessions/devices.server.ts";
import {
  endOtherSessions,
  readSessionToken,
  renewSession,
  sessionCookie,
} from "#app/services/auth/sessions/session-rows.server.ts";
import { deleteMailedLinks, lockUser, replacePasswordHash } from "#app/services/auth/user-rows.server.ts";

export type PasswordChanges = {
  /** When the password was set, in epoch milliseconds. An account that came from a provider has none. */
  findPasswordTime(userId: string): Promise<number | undefined>;
  /** Whether this is the account's password. The caller counts attempts first. */
  checkPassword(account: { userId: string; password: string }): Promise<boolean>;
  /**
   * Sets a new password, ends the account's other sessions and mailed links, and tells the owner by mail. Returns the new cookie of the
   * browser's session, or undefined if `current` isn't the password.
   */
  changePassword(change: PasswordChange): Promise<{ cookies: string[] } | undefined>;
};

type PasswordChange = {
  userId: string;
  current: string;
  password: string;
} & RequestOrigin;

type PasswordChangesDeps = {
  auth: BetterAuth;
  db: Db;
  engine: Engine;
  securityEvents: SecurityEvents;
  enqueueMail: EnqueueMail;
};

/** Not better-auth's `changePassword`, which isn't one transaction: a sign-in that is under way would outlive it. */
export function createPasswordChanges(deps: PasswordChangesDeps): PasswordChanges {
  const { auth, db, engine, securityEvents, enqueueMail } = deps;

  async function findPasswordTime(userId: string) {
    const { internalAdapter } = await auth.$context;
    const account = await internalAdapter.findCredentialAccount(userId);
    return account?.password ? account.updatedAt.getTime() : undefined;
  }

  /** The account's hash, if `password` belongs to it. */
  async function findMatchingHash(userId: string, password: string) {
    const { password: passwords, internalAdapter } = await auth.$context;
    const hash = (await internalAdapter.findCredentialAccount(userId))?.password;
    return hash && (await passwords.verify({ hash, password })) ? hash : undefined;
  }

  async function changePassword({ userId, current, password, ...origin }: PasswordChange) {
    const from = await findMatchingHash(userId, current);
    if (from === undefined) return undefined;
    const { password: passwords, internalAdapter } = await auth.$context;
    const to = await passwords.hash(password);
    const before = await readSessionToken(auth, origin.headers);
    const keepTrustIn = await readDeviceId(auth, origin.headers);
    const user = await internalAdapter.findUserById(userId);
    return transact(db, async (trx) => {
      // Another request may have changed it in the meantime.
      if (!(await lockUser(trx, userId)) || !(await replacePasswordHash(trx, { userId, from, to, engine })))
        return undefined;
      // A copy of the old cookie must not outlive the password that it was made with.
      const isProof = !(await hasSecondFactor(trx, userId));
      const token = before === undefined ? undefined : await renewSession(trx, before, { isProof });
      await endOtherSessions(trx, { userId, keep: token, keepTrustIn });
      await deleteMailedLinks(trx, userId);
      await securityEvents.record(trx, { ownerId: userId, event: "password-changed", origin });
      if (user) await enqueueMail({ kind: "password-changed", to: user.email }, trx);
      return { cookies: token === undefined ? [] : [await sessionCookie(auth, token)] };
    });
  }

  return {
    findPasswordTime,
    checkPassword: async ({ userId, password }) => (await findMatchingHash(userId, password)) !== undefined,
    changePassword,
  };
}
