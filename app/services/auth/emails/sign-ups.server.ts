import { randomBytes } from "node:crypto";

import { z } from "zod";

import { transact } from "#app/services/database/database.server.ts";
import type { Db, Engine, Trx } from "#app/services/database/database.server.ts";

import type { BetterAuth, EnqueueMail } from "#app/services/auth/better-auth.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { Viewer } from "#app/services/auth/sessions/sessions.server.ts";
import { confirmSignUpDraft, storeSignUpDraft } from "#app/services/auth/emails/sign-up-drafts.server.ts";
import type { SignIns } from "#app/services/auth/sessions/sign-ins.server.ts";
import {
  confirmUserEmail,
  findAddressOwner,
  lockUser,
  setPasswordHash,
  takeVerification,
} from "#app/services/auth/user-rows.server.ts";
import { isUniqueViolation } from "#app/services/base/errors.ts";
import { createTokenSigner } from "#app/services/base/signed-token.server.ts";
import { hostCookieAttributes, hostCookieName } from "#app/services/http/cookies.ts";

export type SignUps = {
  /**
   * Sends a link to confirm the address, or a notice if the address already has an account; the result is the same. `pending` is a token
   * for `resendConfirmation`, not a link. `returnTo` travels in the link; `draft` is stored for an account that is new. `cookies` let this
   * browser confirm the address without typing the password again.
   */
  signUp(form: SignUpForm): Promise<{ pending: string; cookies: string[] }>;
  /** Checks a link from a mail without using it up: mail scanners open links too. */
  checkConfirmation(link: CheckedLink): Promise<ConfirmCheck>;
  /**
   * Uses up a link from a mail. A `viewer` who is already signed in stays signed in. In a browser that didn't sign up, an unused account
   * gets `password`: a stranger may have chosen the one of the sign-up.
   */
  confirm(link: ConfirmLink): Promise<ConfirmResult>;
  /** Accepts a `pending` token or an expired link. "gone": the sign-up expired or was completed. */
  resendConfirmation(pending: string): Promise<"sent" | "gone">;
  /** The address in a `pending` token or a link, to rate-limit it and to show it. */
  readPendingAddress(pending: string): string | undefined;
  /** The address in a `pending` token; undefined when that sign-up expired or was completed. */
  findPendingAddress(pending: string): Promise<string | undefined>;
};

type SignUpForm = {
  email: string;
  password: string;
  returnTo?: string | undefined;
  draft?: string | undefined;
};

export type CheckedLink = { token: string; viewer: Viewer | undefined; headers: Headers };

export type ConfirmLink = CheckedLink & RequestOrigin & { password?: string | undefined };

/** `isSignUp`: the link came from a sign-up, which anyone can send to the address. */
export type ConfirmCheck =
  | { kind: "ready"; userId: string; email: string; isSignUp: boolean; needsPassword: boolean }
  | ConfirmRefusal;

export type ConfirmResult =
  /** `returnTo`: the path that the sign-up form was to lead to. */
  | { kind: "signed-in"; cookies: string[]; returnTo?: string | undefined }
  /** Nobody was signed in: another user is signed in in this browser, or the account is in use and has its own ways in. */
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

type SignUpsDeps = {
  auth: BetterAuth;
  db: Db;
  engine: Engine;
  secret: string;
  isSecure: boolean;
  signIns: SignIns;
  enqueueMail: EnqueueMail;
};

const cookieName = "meishi.sign_up";
const hourMs = 60 * 60 * 1000;
const linkHours = 24;
const attemptHours = 7 * 24;

/** The signed content of a token. `attempt` identifies the sign-up: several people may sign up with the same address. */
type SignUpClaim = { email: string; attempt: string; until: number; returnTo?: string | undefined };

/** A tuple, to keep links short. */
const signUpClaim = z
  .tuple([z.string(), z.string(), z.number(), z.string().optional()])
  .transform(([email, attempt, until, returnTo]): SignUpClaim => ({ email, attempt, until, returnTo }));
const toClaimTuple = ({ email, attempt, until, returnTo }: SignUpClaim): z.input<typeof signUpClaim> =>
  returnTo === undefined ? [email, attempt, until] : [email, attempt, until, returnTo];

/**
 * Before an address is confirmed, anyone may sign up with it, several times. So a link confirms exactly the attempt that it was sent for:
 * the password of that attempt becomes the account's password. Otherwise a stranger who signs up first would know the password of the
 * owner's account. For the same reason, only the browser that signed up confirms with that password; another one is asked for a password. An
 * account that is used already, for example with a provider, keeps its own password: the link confirms the address only.
 */
export function createSignUps({ auth, db, engine, secret, isSecure, signIns, enqueueMail }: SignUpsDeps): SignUps {
  const links = createTokenSigner(secret, "confirm");
  const pendings = createTokenSigner(secret, "pending");
  const browsers = createSignUpCookies({ secret, isSecure });
  const openLink = (token: string) => signUpClaim.safeParse(links.verify(token)).data;
  const openPending = (pending: string) => signUpClaim.safeParse(pendings.verify(pending)).data ?? openLink(pending);

  async function signUp({ email, password, returnTo, draft }: SignUpForm) {
    const { password: passwords } = await auth.$context;
    const hash = await passwords.hash(password);
    const claim = await storeAttempt(auth, { email, returnTo, hash });
    await ensureUser(auth, email, hash);
    if (draft !== undefined) await storeSignUpDraft(db, { email, attempt: claim.attempt, content: draft });
    const pending = pendings.sign(toClaimTuple(claim));
    await resendConfirmation(pending);
    return { pending, cookies: [browsers.cookieOf(claim.attempt)] };
  }

  async function resendConfirmation(pending: string) {
    const { internalAdapter } = await auth.$context;
    const claim = await findWaiting(auth, openPending(pending));
    if (!claim) return "gone";
    const { email } = claim;
    const found = await internalAdapter.findUserByEmail(email);
    if (found?.user.emailVerified) {
      await enqueueMail({ kind: "known-address", to: email });
    } else {
      const token = links.sign(toClaimTuple({ ...claim, until: Date.now() + linkHours * hourMs }));
      await enqueueMail({ kind: "confirm", to: email, token, validHours: linkHours });
    }
    return "sent";
  }

  async function checkConfirmation({ token, headers }: CheckedLink): Promise<ConfirmCheck> {
    const checked = await checkLink(token);
    if (checked.kind !== "ready") return checked;
    const { link, userId } = checked;
    const needsPassword = !browsers.hasCookie(headers, link.attempt) && (await isUnused(db, { userId, link }));
    return { kind: checked.kind, userId, email: link.email, isSignUp: true, needsPassword };
  }

  async function checkLink(token: string) {
    const { internalAdapter } = await auth.$context;
    const link = openLink(token);
    const found = link && (await internalAdapter.findUserByEmail(link.email));
    if (!found) return { kind: "unknown" as const };
    if (found.user.emailVerified) return { kind: "used" as const };
    if (link.until < Date.now()) return { kind: "expired" as const };
    return { kind: "ready" as const, link, userId: found.user.id };
  }

  async function confirm(request: ConfirmLink): Promise<ConfirmResult> {
    const { viewer, headers, address } = request;
    const checked = await checkLink(request.token);
    if (checked.kind !== "ready") return checked;
    const { link, userId } = checked;
    const { internalAdapter } = await auth.$context;
    const stored = await internalAdapter.findVerificationValue(verificationKey(link.attempt));
    if (!stored) return { kind: "used" };
    // That of the sign-up in the same browser, otherwise of a password that is chosen now.
    const isOwn = browsers.hasCookie(headers, link.attempt);
    const hash = isOwn ? stored.value : await hashPassword(auth, request.password);
    return transact(db, async (trx) => {
      await lockUser(trx, userId);
      const isFirst = await isUnused(trx, { userId, link });
      if (isFirst && hash === undefined) return { kind: "password-required" };
      // Only one of two concurrent requests gets the attempt, even across processes.
      if (!(await takeVerification(trx, stored.id))) return { kind: "used" };
      await startAccount(trx, { userId, attempt: link.attempt, hash: isFirst ? hash : undefined, engine });
      // Someone who can read the mails of an account that is in use needs its password, too.
      if (viewer || !isFirst) return { kind: "confirmed", email: link.email };
      const outcome = await signIns.completeSignIn(trx, { userId, method: "sign-up", origin: { headers, address } });
      return outcome.kind === "signed-in"
        ? { ...outcome, returnTo: link.returnTo }
        : { kind: "confirmed", email: link.email };
    });
  }

  return {
    signUp,
    checkConfirmation,
    confirm,
    resendConfirmation,
    readPendingAddress: (pending) => openPending(pending)?.email,
    findPendingAddress: async (pending) => (await findWaiting(auth, openPending(pending)))?.email,
  };
}

type NewAttempt = Pick<SignUpClaim, "email" | "returnTo"> & { hash: string };

/** Stores a sign-up attempt by its password hash. */
async function storeAttempt(auth: BetterAuth, { hash, ...form }: NewAttempt): Promise<SignUpClaim> {
  const { internalAdapter } = await auth.$context;
  const attempt = randomBytes(16).toString("base64url");
  const until = Date.now() + attemptHours * hourMs;
  await internalAdapter.createVerificationValue({
    identifier: verificationKey(attempt),
    value: hash,
    expiresAt: new Date(until),
  });
  return { ...form, attempt, until };
}

/** The claim of a sign-up that neither expired nor was completed. */
async function findWaiting(auth: BetterAuth, claim: SignUpClaim | undefined): Promise<SignUpClaim | undefined> {
  const { internalAdapter } = await auth.$context;
  const stored = claim && (await internalAdapter.findVerificationValue(verificationKey(claim.attempt)));
  return stored && stored.expiresAt.getTime() >= Date.now() ? claim : undefined;
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
    await internalAdapter.createAccount({
      userId: user.id,
      accountId: user.id,
      providerId: "credential",
      password: hash,
    });
  } catch (error) {
    // A concurrent sign-up with the same address created it.
    if (!isUniqueViolation(error)) throw error;
  }
}

async function hashPassword(auth: BetterAuth, password: string | undefined): Promise<string | undefined> {
  return password === undefined ? undefined : (await auth.$context).password.hash(password);
}

async function isUnused(trx: Db | Trx, { userId, link }: { userId: string; link: SignUpClaim }): Promise<boolean> {
  const owner = await findAddressOwner(trx, link.email);
  return owner?.id === userId && owner.isUnused;
}

type FirstUse = { userId: string; attempt: string; hash: string | undefined; engine: Engine };

/**
 * Confirms the address. `hash`: of the password of an account that was never used, which also gets the draft of the sign-up; another one keeps
 * its password and gets no draft.
 */
async function startAccount(trx: Trx, { userId, attempt, hash, engine }: FirstUse): Promise<void> {
  if (hash !== undefined) await setPasswordHash(trx, { userId, hash, engine });
  await confirmSignUpDraft(trx, { userId, attempt: hash === undefined ? undefined : attempt });
  await confirmUserEmail(trx, { userId, engine });
}

/** The cookie that says which sign-up a browser sent, by its attempt. */
function createSignUpCookies({ secret, isSecure }: { secret: string; isSecure: boolean }) {
  const signer = createTokenSigner(secret, "sign-up-browser");
  const name = hostCookieName(cookieName, isSecure);
  return {
    cookieOf: (attempt: string) =>
      `${name}=${signer.sign(attempt)}; HttpOnly; ${hostCookieAttributes(attemptHours * 3600, isSecure)}`,
    hasCookie: (headers: Headers, attempt: string): boolean => {
      const cookies = (headers.get("cookie") ?? "").split(/; ?/);
      const value = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
      return value !== undefined && signer.verify(value) === attempt;
    },
  };
}
