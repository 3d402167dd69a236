import { randomBytes } from "node:crypto";

import { createEmailVerificationToken } from "better-auth/api";
import { z } from "zod";

import type { AccountMail } from "./auth.server.ts";
import type { BetterAuth } from "./better-auth.server.ts";
import type { Viewer } from "./context.ts";
import { isUniqueViolation } from "./database.server.ts";
import { createSeal } from "./seal.server.ts";

export type SignUps = {
  /**
   * Sends a link to confirm the address or, when it has an account, tells its owner; the answer is the same. `pending` is
   * for `resendConfirmation`, and is no link.
   */
  signUp(form: { email: string; password: string }): Promise<{ pending: string }>;
  /** Opens a link from a mail. `viewer` is who is signed in already: they stay signed in. */
  confirm(link: { token: string; viewer: Viewer | undefined }): Promise<ConfirmResult>;
  /** Takes a `pending`, or a link that came too late. "gone": there is nothing left to confirm. */
  resendConfirmation(pending: string): Promise<"sent" | "gone">;
  /** The address that a `pending` or a link is about, for limits and to show it. */
  readPending(pending: string): string | undefined;
  /** Makes a `pending` for an attempt whose password hash is known. */
  keepAttempt(email: string, hash: string): Promise<string>;
};

export type ConfirmResult =
  | { kind: "signed-in"; cookies: string[] }
  /** Somebody is signed in in this browser; their session stays. */
  | { kind: "confirmed"; email: string }
  /** The link confirms the address of an account that this browser is not signed in to. */
  | { kind: "sign-in-first" }
  /** Opened before, perhaps by a program that looks at mails: the address is confirmed, and nobody is signed in twice. */
  | { kind: "used" }
  | { kind: "expired" }
  | { kind: "unknown" };

type Parts = { auth: BetterAuth; secret: string; enqueueMail(mail: AccountMail): Promise<void> };

const HOUR = 60 * 60 * 1000;
const LINK_HOURS = 24;
const ATTEMPT_HOURS = 7 * 24;

/** What we sign and give away. `attempt` says which sign-up it was: an address may be signed up by several people. */
type Claim = { email: string; attempt: string; until: number };

/** Without names, because it becomes part of a link. */
const claim = z
  .tuple([z.string(), z.string(), z.number()])
  .transform(([email, attempt, until]): Claim => ({ email, attempt, until }));
const pack = ({ email, attempt, until }: Claim): z.input<typeof claim> => [email, attempt, until];

/**
 * Until an address is confirmed anybody may have signed it up, and more than once. So a link confirms the very attempt that
 * it was sent for: with it the password that was typed then becomes the account's, and all the others are void. Else a
 * stranger who signs up an address first would know the password of its owner's account.
 */
export function createSignUps({ auth, secret, enqueueMail }: Parts): SignUps {
  const links = createSeal(secret, "confirm");
  const pendings = createSeal(secret, "pending");
  const openLink = (token: string) => claim.safeParse(links.open(token)).data;
  const openPending = (pending: string) => claim.safeParse(pendings.open(pending)).data ?? openLink(pending);

  async function signUp({ email, password }: { email: string; password: string }) {
    const { password: passwords } = await auth.$context;
    const hash = await passwords.hash(password);
    const pending = await keepAttempt(email, hash);
    await makeUser(email, hash);
    await resendConfirmation(pending);
    return { pending };
  }

  async function keepAttempt(email: string, hash: string): Promise<string> {
    const { internalAdapter } = await auth.$context;
    const attempt = randomBytes(16).toString("base64url");
    const until = Date.now() + ATTEMPT_HOURS * HOUR;
    await internalAdapter.createVerificationValue({
      identifier: keyOf(attempt),
      value: hash,
      expiresAt: new Date(until),
    });
    return pendings.seal(pack({ email, attempt, until }));
  }

  /** An account that is there already is left as it is. */
  async function makeUser(email: string, hash: string) {
    const { internalAdapter } = await auth.$context;
    if (await internalAdapter.findUserByEmail(email)) return;
    try {
      const user = await internalAdapter.createUser(
        { email, name: email.split("@")[0] ?? "", emailVerified: false },
        { method: "email-password" },
      );
      await setPassword(user.id, hash);
    } catch (error) {
      // The same address at the same moment: the other one made it.
      if (!isUniqueViolation(error)) throw error;
    }
  }

  async function resendConfirmation(pending: string) {
    const { internalAdapter } = await auth.$context;
    const asked = openPending(pending);
    const kept = asked && (await internalAdapter.findVerificationValue(keyOf(asked.attempt)));
    if (!kept || kept.expiresAt.getTime() < Date.now()) return "gone";
    const { email, attempt } = asked;
    const found = await internalAdapter.findUserByEmail(email);
    if (found?.user.emailVerified) {
      await enqueueMail({ kind: "known-address", to: email });
    } else {
      const token = links.seal(pack({ email, attempt, until: Date.now() + LINK_HOURS * HOUR }));
      await enqueueMail({ kind: "confirm", to: email, token, validHours: LINK_HOURS });
    }
    return "sent";
  }

  async function confirm({ token, viewer }: { token: string; viewer: Viewer | undefined }): Promise<ConfirmResult> {
    const { internalAdapter, secret: signing } = await auth.$context;
    const link = openLink(token);
    const found = link && (await internalAdapter.findUserByEmail(link.email));
    if (!found) return { kind: "unknown" };
    if (found.user.emailVerified) return { kind: "used" };
    if (link.until < Date.now()) return { kind: "expired" };
    // Only one of two at once gets it, here or in another process.
    const attempt = await internalAdapter.consumeVerificationValue(keyOf(link.attempt));
    if (!attempt) return { kind: "used" };
    await setPassword(found.user.id, attempt.value);
    if (viewer) {
      await internalAdapter.updateUser(found.user.id, { emailVerified: true });
      return { kind: "confirmed", email: link.email };
    }
    const verifying = await createEmailVerificationToken(signing, link.email);
    const { headers } = await auth.api.verifyEmail({ query: { token: verifying }, returnHeaders: true });
    return { kind: "signed-in", cookies: headers.getSetCookie() };
  }

  async function setPassword(userId: string, hash: string) {
    const { internalAdapter } = await auth.$context;
    if (await internalAdapter.findCredentialAccount(userId)) await internalAdapter.updatePassword(userId, hash);
    else await internalAdapter.createAccount({ userId, accountId: userId, providerId: "credential", password: hash });
  }

  return { signUp, keepAttempt, confirm, resendConfirmation, readPending: (pending) => openPending(pending)?.email };
}

const keyOf = (attempt: string) => `sign-up:${attempt}`;
