import type { Page } from "playwright-core";

import { seededPassword } from "#tests/support/database/seed.ts";

import type { ScreenAccounts } from "./accounts.ts";
import type { Screen } from "./visit.ts";

/** Two-step verification, passkeys and wallets. */
export function factorScreens({ people }: ScreenAccounts): Screen[] {
  const email = people.guarded.email;
  return [
    { name: "signing in with a passkey", as: "visitor", path: "/auth/with-passkey" },
    { name: "signing in with a wallet", as: "visitor", path: "/auth/with-wallet" },
    { name: "connecting a wallet", as: "fresh", path: "/account/wallet", prepare: proveIdentity },
    { name: "two-step verification, off", as: "fresh", path: "/account/two-step", prepare: proveIdentity },
    { name: "two-step verification, on", as: "guarded", path: "/account/two-step", prepare: proveIdentity },
    { name: "confirming it's you with two steps", as: "guarded", path: "/account/verify" },
    {
      name: "a wrong code to confirm it's you",
      as: "guarded",
      path: "/account/verify",
      prepare: async (page) => {
        await page.getByLabel("Password", { exact: true }).fill(seededPassword);
        await page.getByLabel("Code", { exact: true }).fill("000 000");
        await page.getByRole("button", { name: "Continue" }).click();
        await page.getByText("This code isn't right").waitFor();
      },
    },
    { name: "new backup codes", as: "guarded", path: "/account/two-step", prepare: makeBackupCodes },
    { name: "an authenticator app being set up", as: "fresh", path: "/account/two-step/app", prepare: startApp },
    { name: "an authenticator app refused", as: "fresh", path: "/account/two-step/app", prepare: refuseApp },
    {
      name: "the code after the password",
      as: "visitor",
      path: "/auth/verify",
      isAlone: true,
      prepare: passFirstStep(email),
    },
    {
      name: "a code refused",
      as: "visitor",
      path: "/auth/verify",
      isAlone: true,
      prepare: async (page) => {
        await passFirstStep(email)(page);
        await page.getByLabel("Code", { exact: true }).fill("000 000");
        await page.getByRole("button", { name: "Verify" }).click();
        await page.getByText("This code isn't right").waitFor();
      },
    },
    {
      name: "the second step with a backup code",
      as: "visitor",
      path: "/auth/verify",
      isAlone: true,
      prepare: async (page) => {
        await passFirstStep(email)(page);
        await page.getByRole("link", { name: "Use a backup code" }).click();
        await page.getByLabel("Backup code").waitFor();
      },
    },
  ];
}

async function proveIdentity(page: Page) {
  if (page.url().includes("/account/verify")) {
    await page.getByLabel("Password", { exact: true }).fill(seededPassword);
    await page.getByRole("button", { name: "Continue" }).click();
  }
  await page
    .getByRole("heading", { name: /Two-step verification|authenticator app|Connect a wallet/ })
    .first()
    .waitFor();
}

async function makeBackupCodes(page: Page) {
  await proveIdentity(page);
  await page.getByRole("button", { name: "Create new backup codes" }).click();
  await page.getByRole("heading", { name: "Save your backup codes" }).waitFor();
}

async function startApp(page: Page) {
  await page.goto("/account/two-step");
  await proveIdentity(page);
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  await page.getByText("1. Scan the code").waitFor();
}

async function refuseApp(page: Page) {
  await startApp(page);
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await page.getByRole("button", { name: "Turn on two-step verification" }).click();
  await page.getByText("This code isn't right").waitFor();
}

function passFirstStep(email: string) {
  return async (page: Page) => {
    await page.goto("/auth");
    await page.getByLabel("Email", { exact: true }).fill(email);
    await page.getByLabel("Password", { exact: true }).fill(seededPassword);
    await page.getByRole("button", { name: "Login", exact: true }).click();
    await page.waitForURL("**/auth/verify");
  };
}
