import { createAuthenticatorApps } from "./authenticator-apps.server.ts";
import type { AuthenticatorApps } from "./authenticator-apps.server.ts";
import { createBackupCodes } from "./backup-codes.server.ts";
import type { FactorDeps } from "./factor-deps.server.ts";
import { createPasskeySignIns } from "./passkey-sign-ins.server.ts";
import type { PasskeySignIns } from "./passkey-sign-ins.server.ts";
import { createPasskeys } from "./passkeys.server.ts";
import type { Passkeys } from "./passkeys.server.ts";
import { createSecondFactors } from "./second-factors.server.ts";
import type { SecondFactors } from "./second-factors.server.ts";
import { createSecondSteps } from "./second-steps.server.ts";
import type { SecondSteps } from "./second-steps.server.ts";
import { createSecretBox } from "./secret-box.server.ts";
import { createTrustedBrowsers } from "./trusted-browsers.server.ts";
import type { TrustedBrowsers } from "./trusted-browsers.server.ts";

/** Two-step verification and passkeys. */
export type FactorServices = AuthenticatorApps &
  SecondFactors &
  SecondSteps &
  TrustedBrowsers &
  Passkeys &
  Omit<PasskeySignIns, "checkSecondFactor">;

export function createFactors({
  secret,
  ...rest
}: Omit<FactorDeps, "backupCodes" | "secretBox"> & { secret: string }): FactorServices {
  const deps = { ...rest, backupCodes: createBackupCodes({ secret }), secretBox: createSecretBox(secret, "totp") };
  const passkeys = createPasskeySignIns(deps);
  return {
    ...createAuthenticatorApps(deps),
    ...createSecondFactors(deps),
    ...createSecondSteps({ ...deps, passkeys }),
    ...createTrustedBrowsers(deps),
    ...createPasskeys(deps),
    ...passkeys,
  };
}
