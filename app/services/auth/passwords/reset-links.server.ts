import { randomBytes } from "node:crypto";

import type { BetterAuth } from "#app/services/auth/better-auth.server.ts";

export const resetLinkHours = 1;

/** The key of a link to set a password, in better-auth's table of verifications. */
export const resetLinkKey = (token: string) => `reset-password:${token}`;

/** Stores a link to set a new password and returns its token. */
export async function createResetLink(auth: BetterAuth, userId: string): Promise<string> {
  const { internalAdapter } = await auth.$context;
  const token = randomBytes(24).toString("base64url");
  const expiresAt = new Date(Date.now() + resetLinkHours * 60 * 60 * 1000);
  await internalAdapter.createVerificationValue({ identifier: resetLinkKey(token), value: userId, expiresAt });
  return token;
}
