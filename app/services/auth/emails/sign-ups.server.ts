import { z } from "zod";

import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import { completeSignIn } from "#app/services/auth/sessions/sign-ins.server.ts";
import type { SignInOutcome } from "#app/services/auth/sessions/sign-ins.server.ts";
import { hashToken, newToken } from "#app/services/auth/tokens.server.ts";
import {
  confirmUserEmail,
  findAddress,
  findAddressOwner,
  findVerificationByKey,
  insertVerification,
  lockUser,
  setPasswordHash,
  takeVerification,
  takeVerificationByKey,
} from "#app/services/auth/user-rows.server.ts";
import { isUniqueViolation } from "#app/services/base/errors.ts";
import { createTokenSigner } from "#app/services/base/signed-token.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Engine, Trx } from "#app/services/database/database.server.ts";
import { httpOnlyCookie, readHostCookie } from "#app/services/http/cookies.ts";

import { checkEmailConfirmation, confirmEmail } from "./email-confirmations.server.ts";
import type { CheckedLink, ConfirmCheck, ConfirmLink, ConfirmResult } from "./email-confirmations.server.ts";
import { confirmSignUpDraft, storeSignUpDraft } from "./sign-up-drafts.server.ts";

type SignUpForm = {
  email: string;
  password: string;
  returnTo?: string | undefined;
  draft?: string | undefined;
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

const linkSigner = ({ secret }: AuthDeps) => createTokenSigner(secret, "confirm");
const pendingSigner = ({ secret }: AuthDeps) => createTokenSigner(secret, "pending");
const browserSigner = ({ secret }: AuthDeps) => createTokenSigner(secret, "sign-up-browser");
const openLink = (deps: AuthDeps, token: string) => signUpClaim.safeParse(linkSigner(deps).verify(token)).data;
const openPending = (deps: AuthDeps, pending: string) =>
  signUpClaim.safeParse(pendingSigner(deps).verify(pending)).data ?? openLink(deps, pending);

/**
 * Sends a link to confirm the address, or a notice if the address already has an account; the result is the same. `pending` is a token
 * for `resendConfirmation`, not a link. `returnTo` travels in the link; `draft` is stored for an account that is new. `cookies` let this
 * browser confirm the address without typing the password again.
 *
 * Before an address is confirmed, anyone may sign up with it, several times. So a link confirms exactly the attempt that it was sent for:
 * the password of that attempt becomes the account's password. Otherwise a stranger who signs up first would know the password of the
 * owner's account. For the same reason, only the browser that signed up confirms with that password; another one is asked for a password. An
 * account that is used already, for example with a provider, keeps its own password: the link confirms the address only.
 */
export async function signUp(
  deps: AuthDeps,
  { email, password, returnTo, draft }: SignUpForm,
): Promise<{ pending: string; cookies: string[] }> {
  const claim = await startSignUp(deps, { email, password, returnTo });
  const { attempt } = claim;
  if (draft !== undefined) await storeSignUpDraft(deps.db, { email, attempt, content: draft });
  const pending = pendingSigner(deps).sign(toClaimTuple(claim));
  await resendConfirmation(deps, pending);
  const cookie = { seconds: attemptHours * 3600, isSecure: deps.isSecure };
  return { pending, cookies: [httpOnlyCookie(cookieName, browserSigner(deps).sign(attempt), cookie)] };
}

/** Stores a sign-up, and creates the account if there is none. */
export async function startSignUp(deps: AuthDeps, { email, password, returnTo }: SignUpForm): Promise<SignUpClaim> {
  const hash = await deps.passwords.hash(password);
  const claim = await storeAttempt(deps, { email, returnTo, hash });
  await ensureUser(deps, email, hash);
  return claim;
}

/** The token of a link to the page that confirms a sign-up. */
export function signConfirmLink(deps: AuthDeps, { email, attempt }: { email: string; attempt: string }): string {
  return linkSigner(deps).sign(toClaimTuple({ email, attempt, until: Date.now() + linkHours * hourMs }));
}

/** Accepts a `pending` token or an expired link. "gone": the sign-up expired or was completed. */
export async function resendConfirmation(deps: AuthDeps, pending: string): Promise<"sent" | "gone"> {
  const { internalAdapter } = await deps.auth.$context;
  const claim = await findWaiting(deps, pending);
  if (!claim) return "gone";
  const { email } = claim;
  const found = await internalAdapter.findUserByEmail(email);
  if (found?.user.emailVerified) {
    await deps.enqueueMail({ kind: "known-address", to: email });
  } else {
    const token = linkSigner(deps).sign(toClaimTuple({ ...claim, until: Date.now() + linkHours * hourMs }));
    await deps.enqueueMail({ kind: "confirm", to: email, token, validHours: linkHours });
  }
  return "sent";
}

/** The address in a `pending` token or a link, to rate-limit it and to show it. */
export function readPendingAddress(deps: AuthDeps, pending: string): string | undefined {
  return openPending(deps, pending)?.email;
}

/** The address in a `pending` token; undefined when that sign-up expired or was completed. */
export async function findPendingAddress(deps: AuthDeps, pending: string): Promise<string | undefined> {
  return (await findWaiting(deps, pending))?.email;
}

/** Checks a link from a mail without using it up: mail scanners open links too. */
export async function checkConfirmation(deps: AuthDeps, request: CheckedLink): Promise<ConfirmCheck> {
  const { token, headers } = request;
  const own = await checkEmailConfirmation(deps, request);
  if (own) return own;
  const checked = await checkLink(deps, token);
  if (checked.kind !== "ready") return checked;
  const { link, userId } = checked;
  const needsPassword = !isFromSignUp(deps, headers, link.attempt) && (await isUnused(deps.db, { userId, link }));
  return { kind: checked.kind, userId, email: link.email, isSignUp: true, needsPassword };
}

async function checkLink(deps: AuthDeps, token: string) {
  const { internalAdapter } = await deps.auth.$context;
  const link = openLink(deps, token);
  const found = link && (await internalAdapter.findUserByEmail(link.email));
  if (!found) return { kind: "unknown" as const };
  if (found.user.emailVerified) return { kind: "used" as const };
  if (link.until < Date.now()) return { kind: "expired" as const };
  return { kind: "ready" as const, link, userId: found.user.id };
}

/** Whether the cookie says that this browser sent the sign-up. */
function isFromSignUp(deps: AuthDeps, headers: Headers, attempt: string): boolean {
  const value = readHostCookie(headers, cookieName, deps.isSecure);
  return value !== undefined && browserSigner(deps).verify(value) === attempt;
}

/**
 * Uses up a link from a mail. A `viewer` who is already signed in stays signed in. In a browser that didn't sign up, an unused account
 * gets `password`: a stranger may have chosen the one of the sign-up.
 */
export async function confirm(deps: AuthDeps, request: ConfirmLink): Promise<ConfirmResult> {
  const { viewer, headers, address, password } = request;
  const own = await confirmEmail(deps, request);
  if (own) return own;
  const checked = await checkLink(deps, request.token);
  if (checked.kind !== "ready") return checked;
  const { link, userId } = checked;
  const stored = await findVerificationByKey(deps.db, verificationKey(link.attempt));
  if (!stored) return { kind: "used" };
  // That of the sign-up in the same browser, otherwise of a password that is chosen now.
  const isOwn = isFromSignUp(deps, headers, link.attempt);
  const chosen = isOwn || password === undefined ? undefined : await deps.passwords.hash(password);
  const hash = isOwn ? stored.value : chosen;
  return transact(deps.db, async (trx) => {
    await lockUser(trx, userId);
    const isFirst = await isUnused(trx, { userId, link });
    if (isFirst && hash === undefined) return { kind: "password-required" };
    // Only one of two concurrent requests gets the attempt, even across processes.
    if (!(await takeVerification(trx, stored.id))) return { kind: "used" };
    await startAccount(trx, { userId, attempt: link.attempt, hash: isFirst ? hash : undefined, engine: deps.engine });
    // Someone who can read the mails of an account that is in use needs its password, too.
    if (viewer || !isFirst) return { kind: "confirmed", email: link.email };
    const proof = { userId, method: "sign-up", origin: { headers, address } } as const;
    const outcome = await completeSignIn(deps, trx, proof);
    return outcome.kind === "signed-in"
      ? { ...outcome, returnTo: link.returnTo }
      : { kind: "confirmed", email: link.email };
  });
}

type AppSignUp = { userId: string; attempt: string; origin: RequestOrigin };

/**
 * Confirms the account of a sign-up whose app has proved that it sent it: the account gets the password of that sign-up. The caller has
 * locked the account.
 */
export async function confirmAppSignUp(
  deps: AuthDeps,
  trx: Trx,
  { userId, attempt, origin }: AppSignUp,
): Promise<SignInOutcome | { kind: "refused" }> {
  const stored = await takeVerificationByKey(trx, verificationKey(attempt));
  const email = (await findAddress(trx, userId))?.email ?? "";
  const owner = await findAddressOwner(trx, email);
  // Someone who can read the mails of an account that is in use needs its password, too.
  if (!stored || stored.expiresAt < Date.now() || !owner?.isUnused) return { kind: "refused" };
  await startAccount(trx, { userId, attempt, hash: stored.value, engine: deps.engine });
  return completeSignIn(deps, trx, { userId, method: "sign-up", origin });
}

type NewAttempt = Pick<SignUpClaim, "email" | "returnTo"> & { hash: string };

/** Stores a sign-up attempt by its password hash. */
async function storeAttempt({ db, engine }: AuthDeps, { hash: value, ...form }: NewAttempt): Promise<SignUpClaim> {
  const attempt = newToken(16);
  const validMs = attemptHours * hourMs;
  await insertVerification(db, { identifier: verificationKey(attempt), value, validMs, engine });
  return { ...form, attempt, until: Date.now() + validMs };
}

/** The claim of a sign-up that neither expired nor was completed. */
async function findWaiting(deps: AuthDeps, pending: string): Promise<SignUpClaim | undefined> {
  const claim = openPending(deps, pending);
  const stored = claim && (await findVerificationByKey(deps.db, verificationKey(claim.attempt)));
  return stored && stored.expiresAt >= Date.now() ? claim : undefined;
}

const verificationKey = (attempt: string) => `sign-up:${hashToken(attempt)}`;

/** Creates the account if there is none. An unconfirmed one gets a new date: it is deleted a week after the last sign-up. */
async function ensureUser({ auth }: AuthDeps, email: string, hash: string) {
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
