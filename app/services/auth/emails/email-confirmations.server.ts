import { z } from "zod";

import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import type { Viewer } from "#app/services/auth/sessions/viewer.server.ts";
import { createTokenSigner } from "#app/services/base/signed-token.server.ts";

export type CheckedLink = { token: string; viewer: Viewer | undefined; headers: Headers };

export type ConfirmLink = CheckedLink & RequestOrigin & { password?: string | undefined };

/** `isSignUp`: the link came from a sign-up, which anyone can send to the address. */
export type ConfirmCheck =
  | { kind: "ready"; userId: string; email: string; isSignUp: boolean; needsPassword: boolean }
  | ConfirmRefusal;

export type ConfirmResult =
  /** `returnTo`: the path that the sign-up form was to lead to. */
  | { kind: "signed-in"; cookies: string[]; returnTo?: string | undefined }
  /** Nobody was signed in: another user is signed in in this browser, or the account is in use and has its own sign-in methods. */
  | { kind: "confirmed"; email: string }
  /** Another browser signed up, and there was no password. Nothing was changed. */
  | { kind: "password-required" }
  | ConfirmRefusal;

type ConfirmRefusal =
  /** The link confirms the address of an account that this browser is not signed in to. */
  | { kind: "sign-in-first" }
  /** The link was used before. The address is confirmed, and no second session is created. */
  | { kind: "used" }
  | { kind: "expired" }
  | { kind: "unknown" };

const linkHours = 24;
const hourMs = 60 * 60 * 1000;

/** User id, address and expiry time in epoch milliseconds. */
const claimSchema = z.tuple([z.string(), z.string(), z.number()]);
const linkSigner = ({ secret }: AuthDeps) => createTokenSigner(secret, "confirm-own");

/** Sends a signed-in user a link to confirm their current address. "confirmed": it already is, and nothing is sent. */
export async function sendEmailConfirmation(deps: AuthDeps, userId: string): Promise<"sent" | "confirmed"> {
  const { internalAdapter } = await deps.auth.$context;
  const user = await internalAdapter.findUserById(userId);
  if (!user || user.emailVerified) return "confirmed";
  const claim: z.input<typeof claimSchema> = [userId, user.email, Date.now() + linkHours * hourMs];
  const token = linkSigner(deps).sign(claim);
  await deps.enqueueMail({ kind: "confirm-own", to: user.email, token, validHours: linkHours });
  return "sent";
}

/** What `confirmEmail` would answer, without confirming. */
export async function checkEmailConfirmation(
  deps: AuthDeps,
  { token, viewer }: CheckedLink,
): Promise<ConfirmCheck | undefined> {
  const link = claimSchema.safeParse(linkSigner(deps).verify(token)).data;
  if (!link) return undefined;
  const [userId, email, until] = link;
  const { internalAdapter } = await deps.auth.$context;
  const user = await internalAdapter.findUserById(userId);
  // The address was changed again: this link is about the old one.
  if (user?.email !== email) return { kind: "unknown" };
  if (user.emailVerified) return { kind: "used" };
  if (until < Date.now()) return { kind: "expired" };
  if (viewer?.id !== userId) return { kind: "sign-in-first" };
  return { kind: "ready", userId, email, isSignUp: false, needsPassword: false };
}

/**
 * Confirms the address of an existing account: one that was changed, or that came from a provider without confirming it. The link works
 * only in a browser that is signed in to that account. Otherwise a user could enter a stranger's address and have the stranger's click
 * confirm it. Returns undefined for any other kind of link.
 */
export async function confirmEmail(deps: AuthDeps, link: ConfirmLink): Promise<ConfirmResult | undefined> {
  const checked = await checkEmailConfirmation(deps, link);
  if (checked?.kind !== "ready") return checked;
  const { internalAdapter } = await deps.auth.$context;
  await internalAdapter.updateUser(checked.userId, { emailVerified: true });
  return { kind: "confirmed", email: checked.email };
}
