import { expect, test } from "vitest";

import { openSite, waitForHydration } from "#tests/support/browser/site.ts";
import type { Tab } from "#tests/support/browser/site.ts";
import { signUp } from "#tests/support/browser/users.ts";
import { seededPassword } from "#tests/support/database/seed.ts";
import { codeOf } from "#tests/support/fixtures/authenticator-app.ts";
import { scanWithTwoReaders } from "#tests/support/fixtures/qr-readers.ts";

const site = openSite();

/** A new user who sets up an authenticator app by scanning the code on the screen. */
async function setUpApp(email: string) {
  const tab = await site.open();
  const { page } = tab;
  page.setDefaultTimeout(10_000);
  await signUp(tab.context, site.program, email);
  await page.goto("/account/two-step");
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  const picture = await page.getByRole("img", { name: /^QR code/ }).screenshot();
  const { jsqr = "", zxing } = await scanWithTwoReaders(picture);
  expect(zxing).toBe(jsqr);
  const key = new URL(jsqr).searchParams.get("secret") ?? "";
  expect(decodeURIComponent(jsqr)).toContain(email);
  await page.getByLabel("Code", { exact: true }).fill(codeOf(key));
  await page.getByRole("button", { name: "Turn on two-step verification" }).click();
  await page.getByRole("heading", { name: "Save your backup codes" }).waitFor();
  const codes = await page
    .getByRole("listitem")
    .filter({ hasText: /^\w{4}-\w{4}-\w{4}$/ })
    .allTextContents();
  expect(codes).toHaveLength(10);
  return { ...tab, email, key, codes };
}

async function signOut({ page }: Tab) {
  await page.request.post("/auth/sign-out", { headers: { origin: site.url } });
}

/** The first step of a sign-in, on the login page. */
async function enterPassword({ page, email }: Tab & { email: string }) {
  await page.goto("/auth?returnTo=%2Faccount");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(seededPassword);
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await page.getByRole("heading", { name: "Two-step verification" }).waitFor();
}

test("an app that scanned the code on the screen signs in with its next code", async () => {
  const user = await setUpApp("scanned@example.com");
  const { page, key } = user;
  await signOut(user);
  await enterPassword(user);
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await page.getByRole("button", { name: "Verify" }).click();
  await page.getByText("This code isn't right").waitFor();
  // The current code was used to set up the app.
  await page.getByLabel("Code", { exact: true }).fill(codeOf(key, 30));
  await page.getByRole("button", { name: "Verify" }).click();
  await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
});

test("a backup code signs in, however it is typed", async () => {
  const user = await setUpApp("lost-phone@example.com");
  const { page, codes } = user;
  await signOut(user);
  await enterPassword(user);
  await page.getByRole("link", { name: "Use a backup code" }).click();
  await page.getByLabel("Backup code").fill((codes[0] ?? "").toLowerCase().replaceAll("-", " "));
  await page.getByRole("button", { name: "Verify" }).click();
  await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
});

test("the dialog of an ended session leads to the second step, and then saves what was typed", async () => {
  const user = await setUpApp("editing@example.com");
  const { page, context, codes } = user;
  await page.goto("/profile");
  await waitForHydration(page);
  await page.getByLabel("Bio").fill("Typed before the session ended");
  await context.clearCookies();
  await page.getByRole("button", { name: "Save & Close" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in to save your changes" });
  await dialog.getByLabel("Password").fill(seededPassword);
  await dialog.getByRole("button", { name: "Sign in and save" }).click();
  const opened = context.waitForEvent("page");
  await dialog.getByRole("link", { name: "Continue in a new tab" }).click();
  const second = await opened;
  // The password alone has not signed in.
  expect((await page.request.get("/account", { maxRedirects: 0 })).status()).toBe(302);
  await second.getByRole("link", { name: "Use a backup code" }).click();
  await second.getByLabel("Backup code").fill(codes[0] ?? "");
  await second.getByRole("button", { name: "Verify" }).click();
  await page.waitForURL("**/u/*");
  await page.getByText("Typed before the session ended").waitFor();
});
