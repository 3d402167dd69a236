import { expect, test } from "vitest";

import { expectFocus, openSite } from "#tests/support/browser/site.ts";
import { signUp } from "#tests/support/browser/users.ts";
import { expireProofs } from "#tests/support/program/database.ts";
import { seededPassword } from "#tests/support/database/seed.ts";

const site = openSite();

/** A user with one passkey of Chromium's own authenticator, which signs without asking, on the page about two-step verification. */
async function openWithPasskey(email: string) {
  const { page, context } = await site.open();
  await signUp(context, site.program, email);
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto("/account/two-step");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("Chrome on Linux").waitFor();
  return {
    page,
    setVerified: (isUserVerified: boolean) =>
      devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    signOut: () => page.request.post("/auth/sign-out", { headers: { origin: site.url } }),
    usePasskey: () => page.getByRole("button", { name: "Use a passkey" }).click(),
    waitForAccount: () => page.getByRole("heading", { name: "Account", exact: true }).waitFor(),
  };
}

test("a passkey is added, named after the browser, renamed, and signs in alone, with a press or without", async () => {
  const { page, signOut, setVerified, usePasskey, waitForAccount } = await openWithPasskey("passkey@example.com");
  await page.getByText("Rename").click();
  await page.getByRole("textbox", { name: "Name" }).fill("My laptop");
  await page.getByRole("button", { name: "Save name" }).click();
  await page.getByText("My laptop", { exact: true }).waitFor();
  await signOut();
  // The email field offers the passkey, and the authenticator picks its only one at once.
  await page.goto("/auth/with-passkey?returnTo=%2Faccount");
  await waitForAccount();
  await signOut();
  // In a browser without conditional mediation the button is the way.
  await page.addInitScript(() => {
    Reflect.deleteProperty(PublicKeyCredential, "isConditionalMediationAvailable");
  });
  await setVerified(false);
  await page.goto("/auth/with-passkey?returnTo=%2Faccount");
  const field = page.getByLabel("Email", { exact: true });
  await field.fill("passkey@example.com");
  await usePasskey();
  await page.getByText("No passkey was used").waitFor();
  expect(await field.inputValue()).toBe("passkey@example.com");
  await setVerified(true);
  await usePasskey();
  await waitForAccount();
});

test("the only second step is a passkey: it can't be removed, signs in after the password, and confirms who the user is", async () => {
  const email = "second@example.com";
  const { page, signOut, usePasskey, waitForAccount } = await openWithPasskey(email);
  await page.getByRole("button", { name: "Turn on with passkeys only" }).click();
  const codes = page.getByRole("heading", { name: "Save your backup codes" });
  await codes.waitFor();
  await expectFocus(codes);
  await page.getByRole("link", { name: "I saved my codes" }).click();
  await page.getByRole("button", { name: "Remove Chrome on Linux" }).click();
  await page.getByText("This passkey is your only second step").waitFor();
  await signOut();
  await page.request.post("/auth", {
    form: { intent: "log-in", email, password: seededPassword },
    headers: { origin: site.url },
    maxRedirects: 0,
  });
  await page.goto("/auth/verify?returnTo=%2Faccount");
  await usePasskey();
  await waitForAccount();
  expireProofs(site.program);
  await page.goto("/account/two-step");
  await page.getByRole("heading", { name: "Confirm it's you" }).waitFor();
  await usePasskey();
  await page.getByRole("heading", { name: "Two-step verification", exact: true }).waitFor();
  await page.getByRole("button", { name: "Turn off two-step verification" }).click();
  await page.getByText("Two-step verification is off").waitFor();
});
