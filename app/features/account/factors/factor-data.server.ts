import type { RateLimited } from "#app/features/account/data.server.ts";
import type { SecondFactorResponse } from "#app/services/auth/factors/second-steps.server.ts";
import type { SignInOutcome } from "#app/services/auth/sessions/sign-ins.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";
import type { Attempt } from "#app/services/http/rate-limits.server.ts";

import { factorLimits as limits } from "./factor-rules.ts";

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
  { auth, rateLimits }: FactorServices,
  step: SecondStep,
): Promise<
  (({ kind: "signed-in"; cookies: string[] } | { kind: "refused" | "expired" }) & { account?: string }) | Limited
> {
  const { headers, address } = step;
  const account = await auth.findWaitingUser(headers);
  if (account === undefined) return { kind: "expired" };
  const network = { limit: limits.codesFromNetwork, subject: networkOf(address) };
  const own = attemptsOf(step.response, account);
  const refused = await rateLimits.consume([network, ...own]);
  if (refused) {
    const isOwn = refused.limit !== limits.codesFromNetwork.name;
    const mail = { limit: limits.codeLimitMails, subject: account };
    if (isOwn && !(await rateLimits.consume([mail]))) await auth.reportCodeLimit(account, { headers, address });
    return { kind: "rate-limited", ...refused, account };
  }
  const result = await auth.finishSignIn(step);
  if (result.kind === "signed-in") {
    await rateLimits.refund([network]);
    if (own.length > 0) await rateLimits.reset(own);
  }
  return { ...result, account };
}

/** A passkey can't be guessed. */
function attemptsOf({ kind }: SecondFactorResponse, account: string): Attempt[] {
  if (kind === "passkey") return [];
  return [{ limit: kind === "code" ? limits.codesOfAccount : limits.backupCodesOfAccount, subject: account }];
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

/** Checks the first code of an app that is being set up. */
export async function confirmApp(
  { auth, rateLimits }: FactorServices,
  { userId, code, ...origin }: Requester & { userId: string; code: string },
): Promise<{ kind: "on"; codes: string[] | undefined; cookies: string[] } | { kind: "refused" } | RateLimited> {
  const attempt = { limit: limits.setupCodesOfAccount, subject: userId };
  const refused = await rateLimits.consume([attempt]);
  if (refused) return { kind: "rate-limited", ...refused };
  const result = await auth.confirmApp({ userId, code, origin });
  if (!result) return { kind: "refused" };
  await rateLimits.reset([attempt]);
  return { kind: "on", ...result };
}

/** Each change mails the owner. */
export async function limitFactorChange(
  { rateLimits }: FactorServices,
  userId: string,
): Promise<RateLimited | undefined> {
  const refused = await rateLimits.consume([{ limit: limits.factorChangesOfAccount, subject: userId }]);
  return refused && { kind: "rate-limited", ...refused };
}
