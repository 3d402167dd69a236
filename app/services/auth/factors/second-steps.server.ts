import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { browserName } from "#app/services/auth/sessions/browser-name.ts";
import { findDevice } from "#app/services/auth/sessions/devices.server.ts";
import { endChallenge, findChallenge, startSession } from "#app/services/auth/sessions/sign-ins.server.ts";
import { findAddress, lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";

import { checkSecondFactor } from "./second-factor-checks.server.ts";
import type { SecondFactorResponse } from "./second-factor-checks.server.ts";

type SecondStep = {
  response: SecondFactorResponse;
  /** Whether the browser needs no second factor for 30 days. */
  isTrusted: boolean;
} & RequestOrigin;

/** `browserId`: of the browser, if it signed in to the account before. For rate limits only. */
type WaitingUser = { id: string; browserId: string | undefined };

const trustMs = 30 * 24 * 60 * 60 * 1000;

/** The account of the sign-in that waits for a second factor in this browser. */
export async function findWaitingUser(deps: AuthDeps, headers: Headers): Promise<WaitingUser | undefined> {
  const challenge = await findChallenge(deps, deps.db, headers);
  if (!challenge) return undefined;
  const { userId } = challenge;
  return { id: userId, browserId: (await findDevice(deps, deps.db, { userId, origin: { headers } }))?.id };
}

/**
 * Finishes a sign-in whose second step `completeSignIn` requested. "refused": a wrong or used code; "expired": no sign-in waits in this
 * browser. The caller counts attempts first.
 */
export async function finishSignIn(
  deps: AuthDeps,
  { response, isTrusted, ...origin }: SecondStep,
): Promise<{ kind: "signed-in"; cookies: string[] } | { kind: "refused" | "expired" }> {
  const waiting = await findChallenge(deps, deps.db, origin.headers);
  if (!waiting) return { kind: "expired" };
  return transact(deps.db, async (trx) => {
    await lockUser(trx, waiting.userId);
    // Another request may have finished it, or the account was changed, until the lock was free.
    const challenge = await findChallenge(deps, trx, origin.headers);
    if (!challenge) return { kind: "expired" };
    const { userId, method } = challenge;
    if (!(await checkSecondFactor(deps, trx, { userId, response, origin }))) return { kind: "refused" };
    const clearingCookie = await endChallenge(deps, trx, challenge);
    const checked = { factor: response.kind, trustMs: isTrusted ? trustMs : undefined };
    const cookies = await startSession(deps, trx, { userId, method, origin, ...checked });
    return { kind: "signed-in", cookies: [...cookies, clearingCookie] };
  });
}

/** Mails the owner that someone who knows the password reached the limit of wrong codes. */
export async function reportCodeLimit(deps: AuthDeps, userId: string, origin: RequestOrigin): Promise<void> {
  const user = await findAddress(deps.db, userId);
  const browser = browserName(origin.headers.get("user-agent"));
  if (user) await deps.enqueueMail({ kind: "codes-refused", to: user.email, browser });
}
