import { z } from "zod";

import type { AccountMail } from "./auth.server.ts";
import type { BetterAuth } from "./better-auth.server.ts";
import type { Viewer } from "./context.ts";
import { createSeal } from "./seal.server.ts";
import type { ConfirmResult } from "./sign-ups.server.ts";

export type OwnConfirmations = {
  /** Sends an account that is signed in a link to confirm its current address. "confirmed": it is already. */
  sendOwnConfirmation(userId: string): Promise<"sent" | "confirmed">;
  /** Undefined for a link that is not one of these. */
  confirmOwn(link: { token: string; viewer: Viewer | undefined }): Promise<ConfirmResult | undefined>;
};

type Parts = { auth: BetterAuth; secret: string; enqueueMail(mail: AccountMail): Promise<void> };

const LINK_HOURS = 24;
const HOUR = 60 * 60 * 1000;

/** Whose account, which address, until when. */
const claim = z.tuple([z.string(), z.string(), z.number()]);

/**
 * For an account whose address was changed, or came from a provider that had not checked it. The link works in a browser that is signed
 * in to that account alone: whoever names a stranger's address must not get it confirmed by the stranger's click.
 */
export function createOwnConfirmations({ auth, secret, enqueueMail }: Parts): OwnConfirmations {
  const links = createSeal(secret, "confirm-own");

  async function sendOwnConfirmation(userId: string) {
    const { internalAdapter } = await auth.$context;
    const user = await internalAdapter.findUserById(userId);
    if (!user || user.emailVerified) return "confirmed";
    const { email } = user;
    const token = links.seal([userId, email, Date.now() + LINK_HOURS * HOUR] satisfies z.input<typeof claim>);
    await enqueueMail({ kind: "confirm-own", to: email, token, validHours: LINK_HOURS });
    return "sent";
  }

  async function confirmOwn({ token, viewer }: { token: string; viewer: Viewer | undefined }) {
    const link = claim.safeParse(links.open(token)).data;
    if (!link) return undefined;
    const [userId, email, until] = link;
    const { internalAdapter } = await auth.$context;
    const user = await internalAdapter.findUserById(userId);
    // An address that was changed once more is another one's to confirm.
    if (user?.email !== email) return { kind: "unknown" as const };
    if (user.emailVerified) return { kind: "used" as const };
    if (until < Date.now()) return { kind: "expired" as const };
    if (viewer?.id !== userId) return { kind: "sign-in-first" as const };
    await internalAdapter.updateUser(userId, { emailVerified: true });
    return { kind: "confirmed" as const, email };
  }

  return { sendOwnConfirmation, confirmOwn };
}
