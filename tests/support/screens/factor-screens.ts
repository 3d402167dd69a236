import type { Page } from "playwright-core";

import { seededPassword } from "#tests/support/database/seed.ts";

import type { ScreenAccounts } from "./accounts.ts";
import { both, fillIn, press, screensOf } from "./visit.ts";
import type { Screen } from "./visit.ts";

const wrongCode = "This code isn’t right";

/** Two-step verification, passkeys and wallets. */
export function factorScreens({ people }: ScreenAccounts): Screen[] {
  const passFirstStep = async (page: Page) => {
    await page.goto("/auth");
    await fillIn({ Email: people.guarded.email, Password: seededPassword }, "Sign in")(page);
    await page.waitForURL("**/auth/verify");
  };
  const useBackupCode = async (page: Page) => {
    await passFirstStep(page);
    await page.getByRole("link", { name: "Use a backup code" }).click();
    await page.getByLabel("Backup code").waitFor();
  };
  const refuseIdentity = fillIn({ Password: seededPassword, Code: "000 000" }, "Continue", wrongCode);
  const makeBackupCodes = both(proveIdentity, press("Create new backup codes", "Save your backup codes"));
  const refuseApp = both(startApp, fillIn({ Code: "000000" }, "Turn on two-step verification", wrongCode));
  return [
    ...screensOf("visitor", [
      ["signing in with a passkey", "/auth/with-passkey"],
      ["signing in with a wallet", "/auth/with-wallet"],
    ]),
    ...screensOf("fresh", [
      ["connecting a wallet", "/account/wallet", proveIdentity],
      ["two-step verification, off", "/account/two-step", proveIdentity],
      ["an authenticator app being set up", "/account/two-step/app", startApp],
      ["an authenticator app refused", "/account/two-step/app", refuseApp],
    ]),
    ...screensOf("guarded", [
      ["two-step verification, on", "/account/two-step", proveIdentity],
      ["confirming it's you with two steps", "/account/verify"],
      ["a wrong code to confirm it's you", "/account/verify", refuseIdentity],
      ["new backup codes", "/account/two-step", makeBackupCodes],
    ]),
    ...screensOf(
      "visitor",
      [
        ["the code after the password", "/auth/verify", passFirstStep],
        ["a code refused", "/auth/verify", both(passFirstStep, fillIn({ Code: "000 000" }, "Verify", wrongCode))],
        ["the second step with a backup code", "/auth/verify", useBackupCode],
      ],
      { isAlone: true },
    ),
  ];
}

async function proveIdentity(page: Page) {
  if (page.url().includes("/account/verify")) await fillIn({ Password: seededPassword }, "Continue")(page);
  const heading = page.getByRole("heading", { name: /Two-step verification|authenticator app|Connect a wallet/ });
  await heading.first().waitFor();
}

async function startApp(page: Page) {
  await page.goto("/account/two-step");
  await proveIdentity(page);
  await press("Set up authenticator app", "1. Scan the code")(page);
}
