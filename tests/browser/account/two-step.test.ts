import { expect, test } from "vitest";

import { expectFocus, openSite, waitForHydration } from "#tests/support/browser/site.ts";
import { signUp, turnOnTwoStep } from "#tests/support/browser/users.ts";
import { seededPassword } from "#tests/support/database/seed.ts";
import { codeOf } from "#tests/support/fixtures/authenticator-app.ts";
import { scanWithTwoReaders } from "#tests/support/fixtures/qr-readers.ts";

const site = openSite();

test("an app that scanned the code on the screen signs in with its next code, and a backup code does, too", async () => {
  const { page, context } = await site.open();
  const { email } = await signUp(context, site.program, "scanned@example.com");
  await page.goto("/account/two-step");
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  const picture = await page.getByRole("img", { name: /^QR code/ }).screenshot();
  const { jsqr = "", zxing } = await scanWithTwoReaders(picture);
  expect(zxing).toBe(jsqr);
  const uri = new URL(jsqr);
  const key = uri.searchParams.get("secret") ?? "";
  expect(uri.href).toMatch(/^otpauth:\/\/totp\//);
  expect(decodeURIComponent(uri.pathname)).toContain(email);
  expect(uri.searchParams.get("issuer")).toBe(`Meishi (${new URL(site.url).host})`);
  // The same key as text.
  expect(key).toHaveLength(32);
  expect((await page.locator("code").innerText()).replaceAll(" ", "")).toBe(key);
  await page.getByLabel("Code", { exact: true }).fill(codeOf(key));
  await page.getByRole("button", { name: "Turn on two-step verification" }).click();
  await page.getByRole("heading", { name: "Save your backup codes" }).waitFor();
  const codes = await page
    .getByRole("listitem")
    .filter({ hasText: /^\w{4}-\w{4}-\w{4}$/ })
    .allTextContents();
  expect(codes).toHaveLength(10);

  const enterPassword = async () => {
    await context.clearCookies();
    await page.goto("/auth?returnTo=%2Faccount");
    await page.getByLabel("Email", { exact: true }).fill(email);
    await page.getByLabel("Password", { exact: true }).fill(seededPassword);
    await page.getByRole("button", { name: "Login", exact: true }).click();
    await page.getByRole("heading", { name: "Two-step verification" }).waitFor();
  };
  const verify = () => page.getByRole("button", { name: "Verify" }).click();
  await enterPassword();
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await verify();
  await page.getByText("This code isn't right").waitFor();
  // The current code was used to set up the app.
  await page.getByLabel("Code", { exact: true }).fill(codeOf(key, 30));
  await verify();
  await page.getByRole("heading", { name: "Account", exact: true }).waitFor();

  await enterPassword();
  await page.getByRole("link", { name: "Use a backup code" }).click();
  await page.getByLabel("Backup code").fill((codes[0] ?? "").toLowerCase().replaceAll("-", " "));
  await verify();
  await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
});

test("the dialog of an ended session leads to the second step in a new tab, and then saves what was typed", async () => {
  const { page, context } = await site.open();
  const { email } = await signUp(context, site.program, "editing@example.com");
  const key = await turnOnTwoStep(context, { url: site.url, email });
  await page.goto("/profile");
  await waitForHydration(page);
  await page.getByLabel("Bio").fill("Typed before the session ended");
  await context.clearCookies();
  await page.getByRole("button", { name: "Save & Close" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in to save your changes" });
  await dialog.getByLabel("Password").fill(seededPassword);
  await dialog.getByRole("button", { name: "Sign in and save" }).click();
  const link = dialog.getByRole("link", { name: "Continue in a new tab" });
  await link.waitFor();
  await expectFocus(link);
  const opened = context.waitForEvent("page");
  await link.click();
  const second = await opened;
  await second.getByText("Enter the 6-digit code from your authenticator app.").waitFor();
  // The password alone has not signed in.
  expect((await page.request.get("/account", { maxRedirects: 0 })).status()).toBe(302);
  expect(await page.getByLabel("Bio").inputValue()).toBe("Typed before the session ended");
  // The current code was used to set up the app.
  await second.getByLabel("Code", { exact: true }).fill(codeOf(key, 30));
  await second.getByRole("button", { name: "Verify" }).click();
  await page.waitForURL("**/u/*");
  await page.getByText("Typed before the session ended").waitFor();
});
