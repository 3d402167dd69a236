import { z } from "zod";

import type { BetterAuth, EnqueueMail } from "#app/services/auth/better-auth.server.ts";
import { createTokenSigner } from "#app/services/base/signed-token.server.ts";
import type { CheckedLink, ConfirmCheck, ConfirmLink, ConfirmResult } from "./sign-ups.server.ts";

export type EmailConfirmations = {
  /** Sends a signed-in user a link to confirm their current address. "confirmed": it already is, and nothing is sent. */
  sendEmailConfirmation(userId: string): Promise<"sent" | "confirmed">;
  /** Returns undefined for any other kind of link. */
  confirmEmail(link: ConfirmLink): Promise<ConfirmResult | undefined>;
  /** The same without confirming. */
  checkEmailConfirmation(link: CheckedLink): Promise<ConfirmCheck | undefined>;
};

type EmailConfirmationsDeps = { auth: BetterAuth; secret: string; enqueueMail: EnqueueMail };

const linkHours = 24;
const hourMs = 60 * 60 * 1000;

/** User id, address and expiry time in epoch milliseconds. */
const claimSchema = z.tuple([z.string(), z.string(), z.number()]);

/**
 * Confirms the address of an existing account: one that was changed, or that came from a provider without confirming it. The link works
 * only in a browser that is signed in to that account. Otherwise a user could enter a stranger's address and have the stranger's click
 * confirm it.
 */
export function createEmailConfirmations({ auth, secret, enqueueMail }: EmailConfirmationsDeps): EmailConfirmations {
  const links = createTokenSigner(secret, "confirm-own");

  async function sendEmailConfirmation(userId: string) {
    const { internalAdapter } = await auth.$context;
    const user = await internalAdapter.findUserById(userId);
    if (!user || user.emailVerified) return "confirmed";
    const { email } = user;
    const token = links.sign([userId, email, Date.now() + linkHours * hourMs] satisfies z.input<typeof claimSchema>);
    await enqueueMail({ kind: "confirm-own", to: email, token, validHours: linkHours });
    return "sent";
  }

  async function checkEmailConfirmation({ token, viewer }: CheckedLink): Promise<ConfirmCheck | undefined> {
    const link = claimSchema.safeParse(links.verify(token)).data;
    if (!link) return undefined;
    const [userId, email, until] = link;
    const { internalAdapter } = await auth.$context;
    const user = await internalAdapter.findUserById(userId);
    // The address was changed again: this link is about the old one.
    if (user?.email !== email) return { kind: "unknown" };
    if (user.emailVerified) return { kind: "used" };
    if (until < Date.now()) return { kind: "expired" };
    if (viewer?.id !== userId) return { kind: "sign-in-first" };
    return { kind: "ready", userId, email, isSignUp: false, needsPassword: false };
  }

  async function confirmEmail(link: ConfirmLink): Promise<ConfirmResult | undefined> {
    const checked = await checkEmailConfirmation(link);
    if (checked?.kind !== "ready") return checked;
    const { internalAdapter } = await auth.$context;
    await internalAdapter.updateUser(checked.userId, { emailVerified: true });
    return { kind: "confirmed", email: checked.email };
  }

  return { sendEmailConfirmation, confirmEmail, checkEmailConfirmation };
}
