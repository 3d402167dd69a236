import type { Page } from "playwright-core";

import { sessionChannel } from "#app/ui/forms/submit-in-place.ts";
import { seededPassword } from "#tests/support/database/seed.ts";

import type { ScreenAccounts } from "./accounts.ts";
import { keepToastOpen } from "./owner-screens.ts";
import type { Screen } from "./visit.ts";

/** Sessions, proofs of identity, and emails that were changed. */
export function sessionScreens({ people, undoPath, changePath, confirmPath }: ScreenAccounts): Screen[] {
  const dialog = { path: "/profile", isAlone: true } as const;
  return [
    { name: "where one is signed in", as: "fresh", path: "/account/sessions" },
    { name: "signed in with several browsers", as: "guarded", path: "/account/sessions" },
    { name: "the security log", as: "guarded", path: "/account/security-log" },
    { name: "the security log's end", as: "fresh", path: `/account/security-log?before=1_${people.fresh.id}` },
    { name: "a save after the session ended", as: "fresh", ...dialog, prepare: saveSignedOut },
    {
      name: "a wrong password in the sign-in dialog",
      as: "fresh",
      ...dialog,
      prepare: async (page) => {
        await saveSignedOut(page);
        await signInHere(page, "not the password");
        await page.getByText("Invalid email or password.").waitFor();
      },
    },
    {
      name: "the second step after the sign-in dialog",
      as: "guarded",
      ...dialog,
      prepare: async (page) => {
        await saveSignedOut(page);
        await signInHere(page, seededPassword);
        await page.getByText("One more step").waitFor();
      },
    },
    { name: "signed out in another tab while typing", as: "fresh", ...dialog, prepare: signOutElsewhere },
    {
      name: "signed out in another tab",
      as: "visitor",
      path: "/auth/sign-out",
      isAlone: true,
      prepare: keepToastOpen,
    },
    { name: "a login to a blocked account", as: "visitor", path: "/auth", prepare: logInBlocked(people.blocked.email) },
    {
      name: "a confirmation link that expired",
      as: "visitor",
      path: `/auth?link=${new URLSearchParams(confirmPath.split("?")[1]).get("token")}`,
    },
    { name: "a sign-in code that expired", as: "visitor", path: "/auth/code", isAlone: true },
    { name: "confirming it's you", as: "fresh", path: "/account/verify" },
    {
      name: "a wrong password to confirm it's you",
      as: "fresh",
      path: "/account/verify",
      prepare: async (page) => {
        await page.getByLabel("Password", { exact: true }).fill("not the password");
        await page.getByRole("button", { name: "Continue" }).click();
        await page.getByText("This isn't your current password.").waitFor();
      },
    },
    { name: "the account without a password", as: "passwordless", path: "/account" },
    { name: "confirming it's you by email", as: "passwordless", path: "/account/verify" },
    { name: "a code to confirm it's you", as: "coded", path: "/account/verify" },
    {
      name: "a refused code to confirm it's you",
      as: "coded",
      path: "/account/verify",
      prepare: async (page) => {
        await page.getByLabel("Code", { exact: true }).fill("12345");
        await page.getByRole("button", { name: "Continue" }).click();
        await page.getByText("Enter the 6-digit code").waitFor();
      },
    },
    { name: "a new email to confirm", as: "changing", path: "/account" },
    { name: "confirming a new email", as: "changing", path: changePath },
    { name: "a confirmation of someone else's email", as: "fresh", path: changePath },
    { name: "undoing a changed email", as: "visitor", path: undoPath },
    { name: "a link to undo a new email that is cut off", as: "fresh", path: "/account/email/restore?token=x" },
  ];
}

/** As if the session had ended on the server. */
async function saveSignedOut(page: Page) {
  await page.getByLabel("Bio").fill("Typed for an hour");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Save & Close" }).click();
  await page.getByRole("dialog", { name: "Sign in to save your changes" }).waitFor();
}

async function signInHere(page: Page, password: string) {
  await page.getByRole("dialog").getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in and save" }).click();
}

/** What another tab tells this one. */
async function signOutElsewhere(page: Page) {
  await page.getByLabel("Bio").fill("Typed for an hour");
  await page.evaluate((channel) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have one
    new BroadcastChannel(channel).postMessage("");
  }, sessionChannel);
  await page.getByRole("dialog", { name: "Sign in to keep working" }).waitFor();
}

function logInBlocked(email: string) {
  return async (page: Page) => {
    await page.getByLabel("Email", { exact: true }).fill(email);
    await page.getByLabel("Password", { exact: true }).fill(seededPassword);
    await page.getByRole("button", { name: "Login", exact: true }).click();
    await page.getByText("This account is blocked").waitFor();
  };
}
