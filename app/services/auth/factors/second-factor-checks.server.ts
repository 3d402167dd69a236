import { recordSecurityEvent } from "#app/services/auth/audit/security-events.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { browserName } from "#app/services/auth/sessions/browser-name.ts";
import type { SecondFactorKind } from "#app/services/auth/sessions/sign-ins.server.ts";
import { findAddress } from "#app/services/auth/user-rows.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";

import { takeBackupCode } from "./backup-codes.server.ts";
import { checkPasskey } from "./passkey-challenges.server.ts";
import { findSecondFactor } from "./second-factor-state.server.ts";
import { findTotpStep } from "./totp.server.ts";

/** The response to the question for a second factor; a passkey's is JSON. */
export type SecondFactorResponse = { kind: SecondFactorKind; text: string };

type Given = { userId: string; response: SecondFactorResponse; origin: RequestOrigin };

/**
 * Checks a second factor of an account and uses it up; a refused one is recorded. The caller has locked the account, and counts attempts
 * first.
 */
export async function checkSecondFactor(deps: AuthDeps, trx: Trx, given: Given): Promise<boolean> {
  const isRight = await check(deps, trx, given);
  const { userId: ownerId, response, origin } = given;
  if (!isRight)
    await recordSecurityEvent(deps, trx, { ownerId, event: "factor-refused", detail: response.kind, origin });
  return isRight;
}

async function check(deps: AuthDeps, trx: Trx, given: Given): Promise<boolean> {
  const { userId, response } = given;
  const factor = await findSecondFactor(trx, userId);
  if (!factor || factor.enabled_at === null) return false;
  if (response.kind === "passkey") {
    const used = { response: response.text, purpose: "second-factor", userId } as const;
    return (await checkPasskey(deps, trx, used)) !== undefined;
  }
  if (response.kind === "backup-code") return checkBackupCode(deps, trx, given);
  if (!factor.totp_secret) return false;
  const secret = deps.secretBox.decrypt(factor.totp_secret, userId);
  const step = findTotpStep({ secret, code: response.text, after: factor.totp_step });
  if (step === undefined) return false;
  await trx.updateTable("second_factor").set({ totp_step: step }).where("owner_id", "=", userId).execute();
  return true;
}

async function checkBackupCode(deps: AuthDeps, trx: Trx, { userId, response, origin }: Given): Promise<boolean> {
  const left = await takeBackupCode(deps, trx, { ownerId: userId, code: response.text });
  if (left === undefined) return false;
  await recordSecurityEvent(deps, trx, { ownerId: userId, event: "backup-code-used", detail: String(left), origin });
  const user = await findAddress(trx, userId);
  const browser = browserName(origin.headers.get("user-agent"));
  if (user) await deps.enqueueMail({ kind: "backup-code-used", to: user.email, left, browser }, trx);
  return true;
}
