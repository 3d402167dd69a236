import { randomBytes } from "node:crypto";

import { isAPIError } from "better-auth/api";

import type { AccountMail } from "./auth.server.ts";
import type { BetterAuth } from "./better-auth.server.ts";

export type Resets = {
  /** Sends a link to set a new password, if the address has an account; nobody is told whether. */
  requestReset(email: string): Promise<void>;
  /** Whose password a link would set, while it may be used. */
  findReset(token: string): Promise<{ email: string } | undefined>;
  /**
   * Sets the password, once for a link, and ends all sessions and all other links of the account. Whoever opened a link from
   * the mail box has the address, so it counts as confirmed. False when the link is over.
   */
  resetPassword(form: { token: string; password: string }): Promise<boolean>;
};

type Parts = { auth: BetterAuth; enqueueMail(mail: AccountMail): Promise<void> };

const LINK_HOURS = 1;
const TOKEN = /^[\w-]{32}$/;

export function createResets({ auth, enqueueMail }: Parts): Resets {
  async function requestReset(email: string) {
    const { internalAdapter } = await auth.$context;
    const found = await internalAdapter.findUserByEmail(email);
    if (!found) return;
    const token = randomBytes(24).toString("base64url");
    const expiresAt = new Date(Date.now() + LINK_HOURS * 60 * 60 * 1000);
    await internalAdapter.createVerificationValue({ identifier: keyOf(token), value: found.user.id, expiresAt });
    await enqueueMail({ kind: "reset", to: found.user.email, token, validHours: LINK_HOURS });
  }

  async function findUser(token: string) {
    // What a person could have typed is not asked of the database: PostgreSQL takes no NUL.
    if (!TOKEN.test(token)) return undefined;
    const { internalAdapter } = await auth.$context;
    const link = await internalAdapter.findVerificationValue(keyOf(token));
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
    const { adapter, internalAdapter } = await auth.$context;
    await adapter.deleteMany({ model: "verification", where: [{ field: "value", value: user.id }] });
    if (!user.emailVerified) await internalAdapter.updateUser(user.id, { emailVerified: true });
    return true;
  }

  return { requestReset, findReset, resetPassword };
}

/** As better-auth's own `resetPassword` looks it up. */
const keyOf = (token: string) => `reset-password:${token}`;
