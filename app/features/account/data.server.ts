import { findSignUpDraft } from "#app/services/auth/emails/sign-up-drafts.server.ts";
import { firstPath, signedInPath } from "#app/services/auth/return-to.ts";
import type { Services } from "#app/services/http/context.ts";
import type { RateLimit, Attempt } from "#app/services/http/rate-limits.server.ts";
import { nearbyNetworkOf, networkOf } from "#app/services/http/rate-limits.server.ts";
import { checkPasswordTask } from "#app/services/auth/passwords/password-strength.server.ts";
import type { SignInResult } from "#app/services/auth/sessions/sessions.server.ts";

import { messages } from "./messages.ts";
import { findPasswordProblem, limits as limit, maxSignInDelayMs, signInDelays } from "./rules.ts";

/** Refused by the rate limit named `limit` until a time in epoch milliseconds. */
export type RateLimited = { kind: "rate-limited"; until: number; limit: string };

/** The network address of the request, used only for rate limits. */
type Requester = { address: string };

type Credentials = { email: string; password: string };

/**
 * Counts every attempt before it checks the password, so that parallel guesses get no further than sequential ones. A successful sign-in is
 * refunded.
 */
export async function signIn(
  services: Services,
  { address, headers, ...form }: Credentials & Requester & { headers: Headers; isApp?: boolean },
): Promise<SignInResult | RateLimited> {
  const { auth, rateLimits } = services;
  const device = await auth.findKnownDevice({ email: form.email, headers });
  const counted = device === undefined ? signInAttempts(form.email, address) : deviceAttempts(form.email, device);
  const attempts = [...counted.ofNetwork, ...counted.ofAccount, counted.session];
  const refused = await rateLimits.consume(attempts, { account: () => auth.findUserId(form.email) });
  if (refused) return { kind: "rate-limited", ...refused };
  const delayed = device === undefined ? await delaySignIn(services, { email: form.email, address }) : undefined;
  // It wasn't checked, so it is no guess.
  if (delayed) await rateLimits.refund(attempts);
  if (delayed) return { kind: "rate-limited", ...delayed };
  const result = await auth.signIn({ ...form, headers, address });
  if (result.kind === "signed-in" || result.kind === "second-factor") {
    await rateLimits.refund(counted.ofNetwork);
    await rateLimits.reset([...counted.ofAccount, ...(device === undefined ? delaySteps(form.email) : [])]);
  }
  return result;
}

/** What a try of a browser counts against that the account doesn't know. */
function signInAttempts(email: string, address: string) {
  const nearby = nearbyNetworkOf(address);
  return {
    ofNetwork: [attemptOf(limit.signInsFromNetwork, networkOf(address)), attemptOf(limit.signInsFromNearby, nearby)],
    ofAccount: [
      attemptOf(limit.signInsOfAccount, `${email}\n${networkOf(address)}`),
      attemptOf(limit.signInsOfAccountNearby, `${email}\n${nearby}`),
    ],
    session: attemptOf(limit.sessionsOfAccount, `${email}\n${nearby}`),
  };
}

/** A browser that signed in before has its own allowance, which no one else can use up (OWASP: device cookies). */
function deviceAttempts(email: string, device: string) {
  const of = `${email}\n${device}`;
  return {
    ofNetwork: [],
    ofAccount: [attemptOf(limit.signInsOfDevice, of)],
    session: attemptOf(limit.sessionsOfAccount, of),
  };
}

/**
 * While many sign-ins to an account fail, wherever they come from, the first try from a network only starts a delay. The next one after it is
 * checked, and starts another.
 */
async function delaySignIn(
  { auth, rateLimits, clock }: Services,
  { email, address }: { email: string } & Requester,
): Promise<{ until: number; limit: string } | undefined> {
  const delayMs = await findDelay(rateLimits, email);
  if (delayMs === 0) return undefined;
  const subject = `${email}\n${nearbyNetworkOf(address)}`;
  const isFirst = (await rateLimits.consume([attemptOf(limit.firstDelayedSignIn, subject)])) === undefined;
  const delay = { name: "delayed sign-in", max: 1, windowMs: delayMs };
  const account = () => auth.findUserId(email);
  const waiting = await rateLimits.consume([attemptOf(delay, subject)], { account });
  return waiting ?? (isFirst ? { until: clock() + delayMs, limit: delay.name } : undefined);
}

async function findDelay(rateLimits: Services["rateLimits"], email: string): Promise<number> {
  for (const { limit: step, delayMs } of signInDelays)
    if (!(await rateLimits.consume([attemptOf(step, email)]))) return delayMs;
  return maxSignInDelayMs;
}

function delaySteps(email: string): Attempt[] {
  return signInDelays.map((step) => attemptOf(step.limit, email));
}

/** Sends a signed-in user a link to confirm their own address. "confirmed": it already is. */
export async function requestOwnConfirmation(
  { auth, rateLimits }: Services,
  { user, address }: { user: { id: string; email: string } } & Requester,
): Promise<{ kind: "sent" | "confirmed" } | RateLimited> {
  const refused = await rateLimits.consume(mailAttempts({ email: user.email, address }));
  if (refused) return { kind: "rate-limited", ...refused };
  return { kind: await auth.sendEmailConfirmation(user.id) };
}

/** Counts a sign-up form before its password is checked. */
export async function limitSignUpForm({ rateLimits }: Services, { address }: Requester) {
  const refused = await rateLimits.consume([attemptOf(limit.signUpFormsFromNetwork, networkOf(address))]);
  return refused && { kind: "rate-limited" as const, ...refused };
}

/** Counts and responds the same whether the address has an account or not. */
export async function signUp(
  { auth, rateLimits }: Services,
  { address, returnTo, ...form }: Credentials & Requester & { returnTo: string | undefined; draft: string | undefined },
): Promise<{ kind: "sent"; pending: string; cookies: string[] } | RateLimited> {
  const refused = await rateLimits.consume(
    [attemptOf(limit.signUpsFromNetwork, networkOf(address)), ...mailAttempts({ email: form.email, address })],
    { account: () => auth.findUserId(form.email) },
  );
  if (refused) return { kind: "rate-limited", ...refused };
  // A longer link breaks in mail programs.
  const sent = await auth.signUp({ ...form, ...((returnTo?.length ?? 0) <= maxMailedPath && { returnTo }) });
  return { kind: "sent", ...sent };
}

export async function resendConfirmation(
  { auth, rateLimits }: Services,
  { pending, address }: { pending: string } & Requester,
): Promise<{ kind: "sent" | "gone"; email: string } | (RateLimited & { email: string })> {
  const email = auth.readPendingAddress(pending);
  if (!email) return { kind: "gone", email: "" };
  const account = () => auth.findUserId(email);
  const refused = await rateLimits.consume(mailAttempts({ email, address }), { account });
  if (refused) return { kind: "rate-limited", email, ...refused };
  return { kind: await auth.resendConfirmation(pending), email };
}

export async function requestReset(
  { auth, rateLimits }: Services,
  { email, address }: { email: string } & Requester,
): Promise<{ kind: "sent" } | RateLimited> {
  const ofNetwork = attemptOf(limit.mailsFromNetwork, networkOf(address));
  const account = () => auth.findUserId(email);
  const refused = await rateLimits.consume([ofNetwork, attemptOf(limit.resetsToAddress, email)], { account });
  if (refused) return { kind: "rate-limited", ...refused };
  await auth.requestReset(email);
  return { kind: "sent" };
}

/** Resets the sign-in limits of this network too: the owner of the mailbox can sign in at once. */
export async function resetPassword(
  { auth, rateLimits }: Services,
  { email, ...form }: { token: string; password: string; email: string; headers: Headers } & Requester,
): Promise<boolean> {
  if (!(await auth.resetPassword(form))) return false;
  const { ofAccount, session } = signInAttempts(email, form.address);
  await rateLimits.reset([...ofAccount, session, ...delaySteps(email)]);
  return true;
}

/**
 * The message for an unacceptable new password, or undefined. `ownerId`: the account, if this is its owner. Its name and handle are easy to
 * guess then, and no one else learns about them.
 */
export async function findPasswordError(
  { db, workers }: Pick<Services, "db" | "workers">,
  { password, email, ownerId }: { password: string; email: string; ownerId?: string | undefined },
): Promise<string | undefined> {
  const problem = findPasswordProblem(password, { email });
  if (problem === "too-short") return messages.passwordTooShort;
  if (problem === "too-long") return messages.passwordTooLong;
  if (problem === "is-email") return messages.passwordIsEmail;
  const names = ownerId === undefined ? [] : await listNames(db, ownerId);
  const isEasy = await workers.run(checkPasswordTask, { password, ownWords: [email, ...names] });
  return isEasy ? messages.passwordTooEasy : undefined;
}

async function listNames(db: Services["db"], ownerId: string): Promise<string[]> {
  const profiles = await db.selectFrom("profile").select("display_name").where("owner_id", "=", ownerId).execute();
  const handles = await db.selectFrom("handle").select("handle").where("owner_id", "=", ownerId).execute();
  return [...profiles.map((profile) => profile.display_name), ...handles.map(({ handle }) => handle)];
}

const maxMailedPath = 300;

function mailAttempts({ email, address }: { email: string } & Requester): Attempt[] {
  return [attemptOf(limit.mailsFromNetwork, networkOf(address)), attemptOf(limit.mailsToAddress, email)];
}

function attemptOf(limit: RateLimit, of: string): Attempt {
  return { limit, subject: of };
}

/** Where a sign-in without a path to return to leads: to the first steps while they hold a card that was kept before the sign-up. */
export async function findSignedInPath({ db }: Pick<Services, "db">, userId: string | undefined): Promise<string> {
  const hasDraft = userId !== undefined && (await findSignUpDraft(db, userId)) !== undefined;
  return hasDraft ? firstPath : signedInPath;
}
