import type { Page } from "playwright-core";

import { sessionChannel } from "#app/ui/forms/submit-in-place.ts";
import { seededPassword } from "#tests/support/database/seed.ts";

import type { ScreenAccounts } from "./accounts.ts";
import { keepToastOpen } from "./owner-screens.ts";
import { both, fillIn, press, screensOf } from "./visit.ts";
import type { Screen } from "./visit.ts";

/** Sessions, proofs of identity, and emails that were changed. */
export function sessionScreens({ people, undoPath, changePath, confirmPath }: ScreenAccounts): Screen[] {
  const expired = `/auth?link=${new URLSearchParams(confirmPath.split("?")[1]).get("token")}`;
  const logInBlocked = fillIn({ Email: people.blocked.email, Password: seededPassword }, "Sign in", "is blocked");
  const refusePassword = fillIn({ Password: "not the password" }, "Continue", "This isn’t your current password.");
  const refuseHere = both(saveSignedOut, signInHere("not the password", "Invalid email or password."));
  const passFirstStepHere = both(saveSignedOut, signInHere(seededPassword, "One more step"));
  return [
    ...screensOf("fresh", [
      ["where one is signed in", "/account/sessions"],
      ["the security log's end", `/account/security-log?before=1_${people.fresh.id}`],
      ["confirming it’s you", "/account/verify"],
      ["a wrong password to confirm it’s you", "/account/verify", refusePassword],
      ["a confirmation of someone else's email", changePath],
      ["a link to undo a new email that is cut off", "/account/email/restore?token=x"],
    ]),
    ...screensOf("guarded", [
      ["signed in with several browsers", "/account/sessions"],
      ["the security log", "/account/security-log"],
    ]),
    ...screensOf("visitor", [
      ["a login to a blocked account", "/auth", logInBlocked],
      ["a confirmation link that expired", expired],
      ["undoing a changed email", undoPath],
    ]),
    ...screensOf("passwordless", [
      ["the account without a password", "/account"],
      ["confirming it’s you by email", "/account/verify"],
    ]),
    ...screensOf("coded", [
      ["a code to confirm it’s you", "/account/verify"],
      ["a refused code", "/account/verify", fillIn({ Code: "12345" }, "Continue", "Enter the 6-digit code")],
    ]),
    ...screensOf("changing", [
      ["a new email to confirm", "/account"],
      ["confirming a new email", changePath],
    ]),
    ...[
      ...screensOf("fresh", [
        ["a save after the session ended", "/profile", saveSignedOut],
        ["a wrong password in the sign-in dialog", "/profile", refuseHere],
        ["signed out in another tab while typing", "/profile", signOutElsewhere],
      ]),
      ...screensOf("guarded", [["the second step after the sign-in dialog", "/profile", passFirstStepHere]]),
      ...screensOf("visitor", [
        ["signed out in another tab", "/auth/sign-out", keepToastOpen],
        ["a sign-in code that expired", "/auth/code"],
      ]),
    ].map((screen) => ({ ...screen, isAlone: true as const })),
  ];
}

/** As if the session had ended on the server. */
async function saveSignedOut(page: Page) {
  await page.getByLabel("Bio").fill("Typed for an hour");
  await page.context().clearCookies();
  await press("Save & Close")(page);
  await page.getByRole("dialog", { name: "Sign in to save your changes" }).waitFor();
}

function signInHere(password: string, text: string) {
  return async (page: Page) => {
    await page.getByRole("dialog").getByLabel("Password").fill(password);
    await press("Sign in and save", text)(page);
  };
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
