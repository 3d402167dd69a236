import { randomBytes } from "node:crypto";

import { isAPIError } from "better-auth/api";

import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

import type { BetterAuth, EnqueueMail } from "./better-auth.server.ts";
import { deleteMailedLinks, findAddressOwner, lockUser } from "./user-rows.server.ts";

export type PasswordResets = {
  /** Sends a link to set a new password if the address has an account. The caller doesn't learn whether it has. */
  requestReset(email: string): Promise<void>;
  /** Returns the account that a valid link belongs to. */
  findReset(token: string): Promise<{ email: string } | undefined>;
  /**
   * Sets the password, once per link, and ends all sessions and other links of the account. The link came from the mailbox, so it also
   * confirms the address. Returns false for a link that is used or expired.
   */
  resetPassword(form: { token: string; password: string }): Promise<boolean>;
};

type PasswordResetsDeps = { auth: BetterAuth; db: Db; enqueueMail: EnqueueMail };

const linkHours = 1;
const tokenPattern = /^[\w-]{32}$/;

export function createPasswordResets({ auth, db, enqueueMail }: PasswordResetsDeps): PasswordResets {
  async function requestReset(email: string) {
    const { internalAdapter } = await auth.$context;
    const found = await internalAdapter.findUserByEmail(email);
    if (!found) return;
    const token = randomBytes(24).toString("base64url");
    const expiresAt = new Date(Date.now() + linkHours * 60 * 60 * 1000);
    await internalAdapter.createVerificationValue({
      identifier: verificationKey(token),
      value: found.user.id,
      expiresAt,
    });
    await transact(db, async (trx) => {
      // A change of the address meanwhile has deleted the link, or finds it here once this lock is free.
      if ((await lockUser(trx, found.user.id)) && (await findAddressOwner(trx, email))?.id === found.user.id)
        await enqueueMail({ kind: "reset", to: email, token, validHours: linkHours }, trx);
      else await deleteMailedLinks(trx, found.user.id);
    });
  }

  async function findUser(token: string) {
    // Other text never reaches the database: PostgreSQL rejects NUL.
    if (!tokenPattern.test(token)) return undefined;
    const { internalAdapter } = await auth.$context;
    const link = await internalAdapter.findVerificationValue(verificationKey(token));
    if (!link || link.expiresAt.getTime() < Date.now()) return undefined;
    return (await internalAdapter.findUserById(link.value)) ?? undefined;
  }

  async function findReset(token: string) {
    const user = await findUser(token);
    return user && { email: user.email };
  }

  async function resetPassword({ token, password }: { token: string; password: string }) {
    const user = await findUser(token);
    if (!user) return false;
    try {
      await auth.api.resetPassword({ body: { token, newPassword: password } });
    } catch (error) {
      // Another request was faster with the same link.
      if (isAPIError(error) && error.body?.code === "INVALID_TOKEN") return false;
      throw error;
    }
    const { internalAdapter } = await auth.$context;
    await transact(db, (trx) => deleteMailedLinks(trx, user.id));
    if (!user.emailVerified) await internalAdapter.updateUser(user.id, { emailVerified: true });
    return true;
  }

  return { requestReset, findReset, resetPassword };
}

/** The key under which better-auth's `resetPassword` finds the link. */
const verificationKey = (token: string) => `reset-password:${token}`;
