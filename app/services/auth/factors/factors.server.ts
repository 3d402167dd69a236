import { createAuthenticatorApps } from "./authenticator-apps.server.ts";
import type { AuthenticatorApps } from "./authenticator-apps.server.ts";
import { createBackupCodes } from "./backup-codes.server.ts";
import type { FactorDeps } from "./factor-deps.server.ts";
import { createPasskeySignIns } from "./passkey-sign-ins.server.ts";
import type { PasskeySignIns } from "./passkey-sign-ins.server.ts";
import { createPasskeys } from "./passkeys.server.ts";
import type { Passkeys } from "./passkeys.server.ts";
import { createSecondFactorChecks } from "./second-factor-checks.server.ts";
import type { CheckSecondFactor } from "./second-factor-checks.server.ts";
import { createSecondFactors } from "./second-factors.server.ts";
import type { SecondFactors } from "./second-factors.server.ts";
import { createSecondSteps } from "./second-steps.server.ts";
import type { SecondSteps } from "./second-steps.server.ts";
import { createSecretBox } from "#app/services/base/secret-box.server.ts";
import { createTrustedBrowsers } from "./trusted-browsers.server.ts";
import type { TrustedBrowsers } from "./trusted-browsers.server.ts";

/** Two-step verification and passkeys. */
export type FactorServices = AuthenticatorApps &
  SecondFactors &
  SecondSteps &
  TrustedBrowsers &
  Passkeys &
  Pick<PasskeySignIns, "askPasskey" | "signInWithPasskey">;

/** `services` are for pages, the checks for what else asks for a factor. */
type Factors = {
  services: FactorServices;
  checkSecondFactor: CheckSecondFactor;
  checkConfirmation: PasskeySignIns["checkConfirmation"];
};

export function createFactors({
  secret,
  ...rest
}: Omit<FactorDeps, "backupCodes" | "secretBox"> & { secret: string }): Factors {
  const deps = { ...rest, backupCodes: createBackupCodes({ secret }), secretBox: createSecretBox(secret, "totp") };
  const passkeys = createPasskeySignIns(deps);
  const { askPasskey, signInWithPasskey, checkConfirmation } = passkeys;
  const checkSecondFactor = createSecondFactorChecks({ ...deps, passkeys });
  return {
    services: {
      ...createAuthenticatorApps(deps),
      ...createSecondFactors(deps),
      ...createSecondSteps({ ...deps, checkSecondFactor }),
      ...createTrustedBrowsers(deps),
      ...createPasskeys(deps),
      askPasskey,
      signInWithPasskey,
    },
    checkSecondFactor,
    checkConfirmation,
  };
}
