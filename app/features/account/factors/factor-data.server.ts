import type { RateLimited } from "#app/features/account/data.server.ts";
import type { SecondFactorResponse } from "#app/services/auth/factors/second-factor-checks.server.ts";
import type { IdentityOutcome, IdentityProof } from "#app/services/auth/sessions/identity-checks.server.ts";
import type { SignInOutcome } from "#app/services/auth/sessions/sign-ins.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";
import type { Attempt } from "#app/services/http/rate-limits.server.ts";

import { factorLimits as limits } from "#app/features/account/rules.ts";

type FactorServices = Pick<Services, "auth" | "rateLimits">;

/** The headers of a request and its network address. */
type Requester = { headers: Headers; address: string };

type Limited = RateLimited & { account?: string };

type SecondStep = Requester & { response: SecondFactorResponse; isTrusted: boolean };

/**
 * Counts every attempt before the code is checked, so that parallel guesses get no further than sequential ones. Mails the owner when an
 * account's limit is reached: whoever got here passed the first step.
 */
export async function finishSignIn(
  all: FactorServices,
  step: SecondStep,
): Promise<
  (({ kind: "signed-in"; cookies: string[] } | { kind: "refused" | "expired" }) & { account?: string }) | Limited
> {
  const { auth } = all;
  const { headers, address } = step;
  const waiting = await auth.findWaitingUser(headers);
  if (!waiting) return { kind: "expired" };
  const { id: account, browserId } = waiting;
  const { response } = step;
  let result: Awaited<ReturnType<typeof auth.finishSignIn>> = { kind: "refused" };
  const limited = await limitCodes(all, { account, browserId, response, origin: { headers, address } }, async () => {
    result = await auth.finishSignIn(step);
    return result.kind === "signed-in" ? result : undefined;
  });
  return limited.kind === "rate-limited" ? { ...limited, account } : { ...result, account };
}

type Codes = { account: string; browserId?: string | undefined; response: SecondFactorResponse; origin: Requester };

/**
 * Counts an attempt at a second factor before `check`, whose result is undefined for a wrong one. Mails the owner when an account's limit
 * is reached.
 */
export async function limitCodes<Result>(
  { auth, rateLimits }: FactorServices,
  { account, browserId, response, origin }: Codes,
  check: () => Promise<Result | undefined>,
): Promise<{ kind: "right"; result: Result } | { kind: "wrong" } | RateLimited> {
  const { address } = origin;
  const network = { limit: limits.codesFromNetwork, subject: networkOf(address) };
  const own = attemptsOf(response, { account, browserId, address });
  const refused = await rateLimits.consume([network, ...own], { account: () => account });
  if (refused) {
    const isOwn = refused.limit !== limits.codesFromNetwork.name;
    const mail = { limit: limits.codeLimitMails, subject: account };
    if (isOwn && !(await rateLimits.consume([mail]))) await auth.reportCodeLimit(account, origin);
    return { kind: "rate-limited", ...refused };
  }
  const result = await check();
  if (result === undefined) return { kind: "wrong" };
  await rateLimits.refund([network]);
  if (own.length > 0) await rateLimits.reset(own);
  return { kind: "right", result };
}

type Guesser = { account: string; browserId: string | undefined; address: string };

/**
 * A browser that signed in before has its own tries, so that someone who knows the password can't use up those of the owner. From other
 * browsers, the codes of an app are limited for all networks together. Backup codes are limited for each network: they are too long to be
 * guessed from any number of networks, and must let the owner in while a stranger tries. A passkey can't be guessed.
 */
function attemptsOf({ kind }: SecondFactorResponse, { account, browserId, address }: Guesser): Attempt[] {
  if (kind === "passkey") return [];
  const own = browserId && `${account} browser ${browserId}`;
  if (kind === "code") return [{ limit: limits.codesOfAccount, subject: own ?? account }];
  return [{ limit: limits.backupCodesOfAccount, subject: own ?? `${account} network ${networkOf(address)}` }];
}

/** Signs in with a passkey alone. Refused ones count against the network. */
export async function signInWithPasskey(
  { auth, rateLimits }: FactorServices,
  { response, headers, address }: Requester & { response: string },
): Promise<SignInOutcome | { kind: "refused" } | RateLimited> {
  const network = { limit: limits.passkeysFromNetwork, subject: networkOf(address) };
  const refused = await rateLimits.consume([network]);
  if (refused) return { kind: "rate-limited", ...refused };
  const result = await auth.signInWithPasskey({ response, headers, address });
  if (result.kind === "signed-in") await rateLimits.refund([network]);
  return result;
}

type Proof = Requester & { user: { id: string; email: string }; proof: IdentityProof };

/** Confirms who a signed-in user is. Counts every attempt before a second factor is checked; a browser that signed in before has its own. */
export async function confirmIdentity(
  { auth, rateLimits }: FactorServices,
  { user: { id: userId, email }, proof, ...origin }: Proof,
): Promise<IdentityOutcome | RateLimited> {
  const hasCode = proof.method !== "passkey" && proof.second !== undefined;
  const browser = hasCode ? await auth.findKnownDevice({ email, headers: origin.headers }) : undefined;
  const attempts = hasCode
    ? [
        { limit: limits.codesFromNetwork, subject: networkOf(origin.address) },
        { limit: limits.proofCodesOfAccount, subject: browser ? `${userId} browser ${browser}` : userId },
      ]
    : [];
  const refused = await rateLimits.consume(attempts);
  if (refused) return { kind: "rate-limited", ...refused };
  const outcome = await auth.confirmIdentity({ userId, proof, origin });
  if (outcome.kind === "confirmed") await rateLimits.refund(attempts);
  return outcome;
}

/** Checks the first code of an app that is being set up. */
export async function confirmApp(
  { auth, rateLimits }: FactorServices,
  { userId, code, ...origin }: Requester & { userId: string; code: string; appSessionId?: string },
): Promise<{ kind: "on"; codes: string[] | undefined; cookies: string[] } | { kind: "refused" } | RateLimited> {
  const attempt = { limit: limits.setupCodesOfAccount, subject: userId };
  const refused = await rateLimits.consume([attempt]);
  if (refused) return { kind: "rate-limited", ...refused };
  const result = await auth.confirmApp({ userId, code, origin });
  if (!result) return { kind: "refused" };
  await rateLimits.reset([attempt]);
  return { kind: "on", ...result };
}
