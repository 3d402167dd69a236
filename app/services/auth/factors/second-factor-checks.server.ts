import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import { browserName } from "#app/services/auth/sessions/browser-name.ts";
import type { SecondFactorKind } from "#app/services/auth/sessions/sign-ins.server.ts";
import { findAddress } from "#app/services/auth/user-rows.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";

import type { FactorDeps } from "./factor-deps.server.ts";
import type { PasskeySignIns } from "./passkey-sign-ins.server.ts";
import { findTotpStep } from "./totp.server.ts";

/** The response to the question for a second factor; a passkey's is JSON. */
export type SecondFactorResponse = { kind: SecondFactorKind; text: string };

type Given = { userId: string; response: SecondFactorResponse; origin: RequestOrigin };

/**
 * Checks a second factor of an account and uses it up; a refused one is recorded. The caller has locked the account, and counts attempts
 * first.
 */
export type CheckSecondFactor = (trx: Trx, given: Given) => Promise<boolean>;

export function createSecondFactorChecks(deps: FactorDeps & { passkeys: PasskeySignIns }): CheckSecondFactor {
  const { securityEvents, backupCodes, secretBox } = deps;

  async function check(trx: Trx, { userId, response, origin }: Given): Promise<boolean> {
    const factor = await trx
      .selectFrom("second_factor")
      .selectAll()
      .where("owner_id", "=", userId)
      .where("enabled_at", "is not", null)
      .executeTakeFirst();
    if (!factor) return false;
    if (response.kind === "passkey") return deps.passkeys.checkSecondFactor(trx, { userId, response: response.text });
    if (response.kind === "backup-code") return checkBackupCode(trx, { userId, response, origin });
    if (!factor.totp_secret) return false;
    const secret = secretBox.decrypt(factor.totp_secret, userId);
    const step = findTotpStep({ secret, code: response.text, after: factor.totp_step });
    if (step === undefined) return false;
    await trx.updateTable("second_factor").set({ totp_step: step }).where("owner_id", "=", userId).execute();
    return true;
  }

  async function checkBackupCode(trx: Trx, { userId, response, origin }: Given): Promise<boolean> {
    const left = await backupCodes.use(trx, { ownerId: userId, code: response.text });
    if (left === undefined) return false;
    await securityEvents.record(trx, { ownerId: userId, event: "backup-code-used", detail: String(left), origin });
    const user = await findAddress(trx, userId);
    const browser = browserName(origin.headers.get("user-agent"));
    if (user) await deps.enqueueMail({ kind: "backup-code-used", to: user.email, left, browser }, trx);
    return true;
  }

  return async (trx, given) => {
    const isRight = await check(trx, given);
    const { userId: ownerId, response, origin } = given;
    if (!isRight) await securityEvents.record(trx, { ownerId, event: "factor-refused", detail: response.kind, origin });
    return isRight;
  };
}
