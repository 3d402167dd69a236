import { randomBytes } from "node:crypto";

import { createEmailVerificationToken } from "better-auth/api";
import { z } from "zod";

import type { BetterAuth, EnqueueMail } from "./better-auth.server.ts";
import type { Viewer } from "./sessions.server.ts";
import { isUniqueViolation } from "#app/services/base/errors.ts";
import { createTokenSigner } from "#app/services/base/signed-token.server.ts";

export type SignUps = {
  /**
   * Sends a link to confirm the address, or a notice if the address already has an account; the result is the same. `pending` is a token
   * for `resendConfirmation`, not a link.
   */
  signUp(form: { email: string; password: string }): Promise<{ pending: string }>;
  /** Opens a link from a mail. A `viewer` who is already signed in stays signed in. */
  confirm(link: { token: string; viewer: Viewer | undefined }): Promise<ConfirmResult>;
  /** Accepts a `pending` token or an expired link. "gone": the sign-up expired or was completed. */
  resendConfirmation(pending: string): Promise<"sent" | "gone">;
  /** The address in a `pending` token or a link, to rate-limit it and to show it. */
  readPendingAddress(pending: string): string | undefined;
  /** Stores a sign-up attempt by its password hash and returns its `pending` token. */
  storeAttempt(email: string, hash: string): Promise<string>;
};

export type ConfirmResult =
  | { kind: "signed-in"; cookies: string[] }
  /** Another user is signed in in this browser and stays signed in. */
  | { kind: "confirmed"; email: string }
  /** The link confirms the address of an account that this browser is not signed in to. */
  | { kind: "sign-in-first" }
  /** The link was opened before, perhaps by a mail scanner. The address is confirmed, and no second session is created. */
  | { kind: "used" }
  | { kind: "expired" }
  | { kind: "unknown" };

type SignUpsDeps = { auth: BetterAuth; secret: string; enqueueMail: EnqueueMail };

const hourMs = 60 * 60 * 1000;
const linkHours = 24;
const attemptHours = 7 * 24;

/** The signed content of a token. `attempt` identifies the sign-up: several people may sign up with the same address. */
type SignUpClaim = { email: string; attempt: string; until: number };

/** A tuple, to keep links short. */
const signUpClaim = z
  .tuple([z.string(), z.string(), z.number()])
  .transform(([email, attempt, until]): SignUpClaim => ({ email, attempt, until }));
const toClaimTuple = ({ email, attempt, until }: SignUpClaim): z.input<typeof signUpClaim> => [email, attempt, until];

/**
 * Before an address is confirmed, anyone may sign up with it, several times. So a link confirms exactly the attempt that it was sent for:
 * the password of that attempt becomes the account's password. Otherwise a stranger who signs up first would know the password of the
 * owner's account.
 */
export function createSignUps({ auth, secret, enqueueMail }: SignUpsDeps): SignUps {
  const links = createTokenSigner(secret, "confirm");
  const pendings = createTokenSigner(secret, "pending");
  const openLink = (token: string) => signUpClaim.safeParse(links.verify(token)).data;
  const openPending = (pending: string) => signUpClaim.safeParse(pendings.verify(pending)).data ?? openLink(pending);

  async function signUp({ email, password }: { email: string; password: string }) {
    const { password: passwords } = await auth.$context;
    const hash = await passwords.hash(password);
    const pending = await storeAttempt(email, hash);
    await ensureUser(auth, email, hash);
    await resendConfirmation(pending);
    return { pending };
  }

  async function storeAttempt(email: string, hash: string): Promise<string> {
    const { internalAdapter } = await auth.$context;
    const attempt = randomBytes(16).toString("base64url");
    const until = Date.now() + attemptHours * hourMs;
    await internalAdapter.createVerificationValue({
      identifier: verificationKey(attempt),
      value: hash,
      expiresAt: new Date(until),
    });
    return pendings.sign(toClaimTuple({ email, attempt, until }));
  }

  async function resendConfirmation(pending: string) {
    const { internalAdapter } = await auth.$context;
    const claim = openPending(pending);
    const stored = claim && (await internalAdapter.findVerificationValue(verificationKey(claim.attempt)));
    if (!stored || stored.expiresAt.getTime() < Date.now()) return "gone";
    const { email, attempt } = claim;
    const found = await internalAdapter.findUserByEmail(email);
    if (found?.user.emailVerified) {
      await enqueueMail({ kind: "known-address", to: email });
    } else {
      const token = links.sign(toClaimTuple({ email, attempt, until: Date.now() + linkHours * hourMs }));
      await enqueueMail({ kind: "confirm", to: email, token, validHours: linkHours });
    }
    return "sent";
  }

  async function confirm({ token, viewer }: { token: string; viewer: Viewer | undefined }): Promise<ConfirmResult> {
    const { internalAdapter, secret: betterAuthSecret } = await auth.$context;
    const link = openLink(token);
    const found = link && (await internalAdapter.findUserByEmail(link.email));
    if (!found) return { kind: "unknown" };
    if (found.user.emailVerified) return { kind: "used" };
    if (link.until < Date.now()) return { kind: "expired" };
    // Only one of two concurrent requests gets the attempt, also across processes.
    const attempt = await internalAdapter.consumeVerificationValue(verificationKey(link.attempt));
    if (!attempt) return { kind: "used" };
    await setPassword(auth, found.user.id, attempt.value);
    if (viewer) {
      await internalAdapter.updateUser(found.user.id, { emailVerified: true });
      return { kind: "confirmed", email: link.email };
    }
    const verificationToken = await createEmailVerificationToken(betterAuthSecret, link.email);
    const { headers } = await auth.api.verifyEmail({ query: { token: verificationToken }, returnHeaders: true });
    return { kind: "signed-in", cookies: headers.getSetCookie() };
  }

  return {
    signUp,
    storeAttempt,
    confirm,
    resendConfirmation,
    readPendingAddress: (pending) => openPending(pending)?.email,
  };
}

const verificationKey = (attempt: string) => `sign-up:${attempt}`;

/** Creates the account if there is none. An unconfirmed one gets a new date: it is deleted a week after the last sign-up. */
async function ensureUser(auth: BetterAuth, email: string, hash: string) {
  const { internalAdapter } = await auth.$context;
  const existing = await internalAdapter.findUserByEmail(email);
  if (existing) {
    if (!existing.user.emailVerified) await internalAdapter.updateUser(existing.user.id, { updatedAt: new Date() });
    return;
  }
  try {
    const user = await internalAdapter.createUser(
      { email, name: email.split("@")[0] ?? "", emailVerified: false },
      { method: "email-password" },
    );
    await setPassword(auth, user.id, hash);
  } catch (error) {
    // A concurrent sign-up with the same address created it.
    if (!isUniqueViolation(error)) throw error;
  }
}

async function setPassword(auth: BetterAuth, userId: string, hash: string) {
  const { internalAdapter } = await auth.$context;
  if (await internalAdapter.findCredentialAccount(userId)) await internalAdapter.updatePassword(userId, hash);
  else await internalAdapter.createAccount({ userId, accountId: userId, providerId: "credential", password: hash });
}
