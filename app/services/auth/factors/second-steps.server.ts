import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import { browserName } from "#app/services/auth/sessions/browser-name.ts";
import type { Challenge, SecondFactorKind } from "#app/services/auth/sessions/sign-ins.server.ts";
import { findAddress, lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";

import type { FactorDeps } from "./factor-deps.server.ts";
import type { PasskeySignIns } from "./passkey-sign-ins.server.ts";
import { findTotpStep } from "./totp.server.ts";

/** The response to the question for a second factor; a passkey's is JSON. */
export type SecondFactorResponse = { kind: SecondFactorKind; text: string };

type SecondStep = {
  response: SecondFactorResponse;
  /** Whether the browser needs no second factor for 30 days. */
  isTrusted: boolean;
} & RequestOrigin;

export type SecondSteps = {
  /** The account of the sign-in that waits for a second factor in this browser. */
  findWaitingUser(headers: Headers): Promise<string | undefined>;
  /**
   * Finishes a sign-in. "refused": a wrong or used code; "expired": no sign-in waits in this browser. The caller counts attempts first.
   */
  finishSignIn(step: SecondStep): Promise<{ kind: "signed-in"; cookies: string[] } | { kind: "refused" | "expired" }>;
  /** Mails the owner that someone who knows the password reached the limit of wrong codes. */
  reportCodeLimit(userId: string, origin: RequestOrigin): Promise<void>;
};

const trustMs = 30 * 24 * 60 * 60 * 1000;

/** The second step of a sign-in, which `completeSignIn` asks for. */
export function createSecondSteps(deps: FactorDeps & { passkeys: PasskeySignIns }): SecondSteps {
  const { db, signIns, securityEvents, backupCodes, secretBox } = deps;

  async function finishSignIn({ response, isTrusted, ...origin }: SecondStep) {
    const waiting = await signIns.findChallenge(db, origin.headers);
    if (!waiting) return { kind: "expired" as const };
    return transact(db, async (trx) => {
      await lockUser(trx, waiting.userId);
      // Another request may have finished it, or the account was changed, until the lock was free.
      const challenge = await signIns.findChallenge(trx, origin.headers);
      if (!challenge) return { kind: "expired" as const };
      const { userId, method } = challenge;
      if (!(await check(trx, challenge, { response, origin }))) {
        await securityEvents.record(trx, { ownerId: userId, event: "factor-refused", detail: response.kind, origin });
        return { kind: "refused" as const };
      }
      await signIns.takeChallenge(trx, challenge);
      const factor = response.kind;
      const checked = { factor, trustMs: isTrusted ? trustMs : undefined };
      const cookies = await signIns.startSession(trx, { userId, method, origin, ...checked });
      return { kind: "signed-in" as const, cookies: [...cookies, signIns.clearChallengeCookie] };
    });
  }

  async function check(trx: Trx, { userId }: Challenge, { response, origin }: Checked): Promise<boolean> {
    const factor = await trx
      .selectFrom("second_factor")
      .selectAll()
      .where("owner_id", "=", userId)
      .where("enabled_at", "is not", null)
      .executeTakeFirst();
    if (!factor) return false;
    if (response.kind === "passkey") return deps.passkeys.checkSecondFactor(trx, { userId, response: response.text });
    if (response.kind === "backup-code") return checkBackupCode(trx, { userId, code: response.text, origin });
    if (!factor.totp_secret) return false;
    const secret = secretBox.decrypt(factor.totp_secret, userId);
    const step = findTotpStep({ secret, code: response.text, after: factor.totp_step });
    if (step === undefined) return false;
    await trx.updateTable("second_factor").set({ totp_step: step }).where("owner_id", "=", userId).execute();
    return true;
  }

  async function checkBackupCode(trx: Trx, { userId, code, origin }: GivenCode): Promise<boolean> {
    const left = await backupCodes.use(trx, { ownerId: userId, code });
    if (left === undefined) return false;
    await securityEvents.record(trx, { ownerId: userId, event: "backup-code-used", detail: String(left), origin });
    const user = await findAddress(trx, userId);
    const browser = browserName(origin.headers.get("user-agent"));
    if (user) await deps.enqueueMail({ kind: "backup-code-used", to: user.email, left, browser }, trx);
    return true;
  }

  return {
    findWaitingUser: async (headers) => (await signIns.findChallenge(db, headers))?.userId,
    finishSignIn,
    reportCodeLimit: async (userId, origin) => {
      const user = await findAddress(db, userId);
      const browser = browserName(origin.headers.get("user-agent"));
      if (user) await deps.enqueueMail({ kind: "codes-refused", to: user.email, browser });
    },
  };
}

type Checked = { response: SecondFactorResponse; origin: RequestOrigin };
type GivenCode = { userId: string; code: string; origin: RequestOrigin };
