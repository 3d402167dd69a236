import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import { browserName } from "#app/services/auth/sessions/browser-name.ts";
import { findAddress, lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";

import type { FactorDeps } from "./factor-deps.server.ts";
import type { CheckSecondFactor, SecondFactorResponse } from "./second-factor-checks.server.ts";

type SecondStep = {
  response: SecondFactorResponse;
  /** Whether the browser needs no second factor for 30 days. */
  isTrusted: boolean;
} & RequestOrigin;

/** `browserId`: of the browser, if it signed in to the account before. For rate limits only. */
type WaitingUser = { id: string; browserId: string | undefined };

export type SecondSteps = {
  /** The account of the sign-in that waits for a second factor in this browser. */
  findWaitingUser(headers: Headers): Promise<WaitingUser | undefined>;
  /**
   * Finishes a sign-in. "refused": a wrong or used code; "expired": no sign-in waits in this browser. The caller counts attempts first.
   */
  finishSignIn(step: SecondStep): Promise<{ kind: "signed-in"; cookies: string[] } | { kind: "refused" | "expired" }>;
  /** Mails the owner that someone who knows the password reached the limit of wrong codes. */
  reportCodeLimit(userId: string, origin: RequestOrigin): Promise<void>;
};

const trustMs = 30 * 24 * 60 * 60 * 1000;

/** The second step of a sign-in, which `completeSignIn` asks for. */
export function createSecondSteps(deps: FactorDeps & { checkSecondFactor: CheckSecondFactor }): SecondSteps {
  const { db, signIns } = deps;

  async function findWaitingUser(headers: Headers): Promise<WaitingUser | undefined> {
    const challenge = await signIns.findChallenge(db, headers);
    if (!challenge) return undefined;
    const { userId } = challenge;
    return { id: userId, browserId: await signIns.findBrowserId(db, { userId, origin: { headers } }) };
  }

  async function finishSignIn({ response, isTrusted, ...origin }: SecondStep) {
    const waiting = await signIns.findChallenge(db, origin.headers);
    if (!waiting) return { kind: "expired" as const };
    return transact(db, async (trx) => {
      await lockUser(trx, waiting.userId);
      // Another request may have finished it, or the account was changed, until the lock was free.
      const challenge = await signIns.findChallenge(trx, origin.headers);
      if (!challenge) return { kind: "expired" as const };
      const { userId, method } = challenge;
      if (!(await deps.checkSecondFactor(trx, { userId, response, origin }))) return { kind: "refused" as const };
      await signIns.takeChallenge(trx, challenge);
      const factor = response.kind;
      const checked = { factor, trustMs: isTrusted ? trustMs : undefined };
      const cookies = await signIns.startSession(trx, { userId, method, origin, ...checked });
      return { kind: "signed-in" as const, cookies: [...cookies, signIns.clearChallengeCookie] };
    });
  }

  return {
    findWaitingUser,
    finishSignIn,
    reportCodeLimit: async (userId, origin) => {
      const user = await findAddress(db, userId);
      const browser = browserName(origin.headers.get("user-agent"));
      if (user) await deps.enqueueMail({ kind: "codes-refused", to: user.email, browser });
    },
  };
}
