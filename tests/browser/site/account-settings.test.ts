import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { expectFocus, openSite, phone, waitForHydration, openPage } from "#tests/support/browser/site.ts";
import { waitForMailLink, openUser } from "#tests/support/browser/users.ts";
import { seededPassword } from "#tests/support/database/seed.ts";
import { makePremium, markUnconfirmed } from "#tests/support/program/database.ts";

const site = openSite();
const plain = { ...phone, javaScriptEnabled: false };

async function openFold(page: Page, title: string) {
  await page.locator("summary", { hasText: title }).click();
}

async function markPage(page: Page) {
  await waitForHydration(page);
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  return () => page.evaluate(() => "isSamePage" in window);
}

test("the account page works without script: confirming, export, email and password", async () => {
  const { page, context, id, email } = await openUser(site, plain);
  const next = "plain-countess@example.com";
  markUnconfirmed(site.program, id);
  makePremium(site.program, id);
  await page.goto("/account");
  await page.getByText("Your email isn’t confirmed").waitFor();
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("Checked just now.").waitFor();
  await page.getByRole("button", { name: "Resend verification email" }).click();
  await page.getByText("Verification email sent!").waitFor();
  expect(new URL(page.url()).pathname).toBe("/account");
  await page.goto(await waitForMailLink(context, { url: site.url, to: email }));
  await page.getByRole("button", { name: "Confirm email" }).click();
  await page.waitForURL("**/home");

  await page.goto("/account/export");
  await page.getByRole("button", { name: "Prepare download" }).click();
  const ready = page.getByRole("link", { name: "Download ZIP" });
  await expect
    .poll(async () => {
      if (!(await ready.isVisible())) await page.getByRole("link", { name: "Refresh" }).click();
      return ready.isVisible();
    })
    .toBe(true);
  const download = page.waitForEvent("download");
  await ready.click();
  expect(await (await download).failure()).toBeNull();

  await page.goto("/account");
  expect(await page.getByText("Your email isn’t confirmed").count()).toBe(0);
  await openFold(page, "Change email");
  await page.getByLabel("New email").fill(next);
  await page.getByLabel("Current password").first().fill(seededPassword);
  await page.getByRole("button", { name: "Send confirmation link" }).click();
  await page.getByText("Check your new email for the confirmation link").waitFor();
  await page.goto(await waitForMailLink(context, { url: site.url, to: next }));
  await page.getByRole("button", { name: "Confirm new email" }).click();
  await page.getByText("Email changed").waitFor();

  await openFold(page, "Change password");
  await page.getByLabel("Current password").last().fill(seededPassword);
  for (const label of ["New password", "Confirm password"])
    await page.getByLabel(label, { exact: true }).fill("compilers for everybody");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Password changed").waitFor();
});

test("a form keeps what was typed, without a page load and without a connection", async () => {
  const { page, context, consoleErrors } = await openUser(site);
  await page.goto("/account");
  const isSamePage = await markPage(page);
  await openFold(page, "Change email");
  const email = page.getByLabel("New email");
  await email.fill("grace at example.com");
  await page.getByRole("button", { name: "Send confirmation link" }).click();
  await page.getByText("Enter a valid email address, such as name@example.com.").waitFor();
  await expectFocus(email);
  await email.fill("hopper@example.com");
  await page.getByLabel("Current password").first().fill(seededPassword);
  await context.setOffline(true);
  await page.getByRole("button", { name: "Send confirmation link" }).click();
  await page.getByText("Not saved: no connection").waitFor();
  await context.setOffline(false);
  // Chromium logs the request that failed.
  consoleErrors.length = 0;
  expect(await email.inputValue()).toBe("hopper@example.com");
  await page.getByRole("button", { name: "Send confirmation link" }).click();
  await page.getByRole("button", { name: "Cancel change" }).waitFor();
  // An accepted form closes and is empty.
  expect(await page.locator("details[open]").count()).toBe(0);
  expect(await page.getByLabel("Current password").first().inputValue()).toBe("");
  expect(await isSamePage()).toBe(true);
});

test("a limit that is reached closes the toast of the request before", async () => {
  const { page, context } = await openUser(site);
  const form = { intent: "change-email", email: "eda-new@example.com", current: seededPassword };
  const headers = { origin: site.url };
  for (let times = 0; times < 4; times++) await context.request.post("/account", { form, headers, maxRedirects: 0 });
  await openPage(page, "/account");
  const request = async () => {
    await openFold(page, "Change email");
    await page.getByLabel("New email").fill(form.email);
    await page.getByLabel("Current password").first().fill(seededPassword);
    await page.getByRole("button", { name: "Send confirmation link" }).click();
  };
  await request();
  const toast = page.locator("dialog.ui-toast[open]");
  // A toast stays while it has the focus.
  await toast.getByRole("button", { name: "Dismiss" }).focus();
  await expect.poll(() => page.locator("details[open]").count()).toBe(0);
  await request();
  await page.getByText("Too many requests").waitFor();
  await expect.poll(() => toast.count()).toBe(0);
});

test("an export gets ready on the open page, and downloads", async () => {
  const { page } = await openUser(site);
  await page.goto("/account/export");
  const isSamePage = await markPage(page);
  await page.getByRole("button", { name: "Prepare download" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download ZIP" }).click();
  expect(await isSamePage()).toBe(true);
  expect((await download).suggestedFilename()).toMatch(/^meishi-[\d-]{10}\.zip$/);
  expect(await (await download).failure()).toBeNull();
});

test("signing out in one tab leads the others to the sign-in page, and loses nothing that is typed", async () => {
  const account = await openUser(site);
  await openPage(account.page, "/account");
  const editor = await site.openBeside(account);
  await openPage(editor.page, "/profile");
  await editor.page.getByLabel("Bio").fill("Typed for an hour");
  const sessions = await site.openBeside(account);
  await openPage(sessions.page, "/account/sessions");

  const demo = await site.openBeside(account);
  const streams = demo.page.waitForResponse("**/events");
  await demo.page.goto("/auth/demo");
  await streams;
  const proof = { intent: "password", password: seededPassword };
  await account.context.request.post("/account/verify", {
    form: proof,
    headers: { origin: site.url },
    maxRedirects: 0,
  });
  await demo.page.getByText("TOKEN_REFRESHED").waitFor();

  await sessions.page.getByRole("button", { name: "Sign out of this browser" }).click();
  await sessions.page.waitForURL("**/auth");
  await account.page.waitForURL("**/auth");
  await account.page.getByText("You signed out in another tab.").waitFor();

  const dialog = editor.page.getByRole("dialog", { name: "Sign in to keep working" });
  await dialog.getByLabel("Password").fill("not the password");
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await dialog.getByText("Invalid email or password.", { exact: false }).waitFor();
  await dialog.getByLabel("Password").fill(seededPassword);
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await editor.page.getByLabel("Bio").inputValue()).toBe("Typed for an hour");
  await editor.page.getByRole("button", { name: "Save & Close" }).click();
  await editor.page.waitForURL("**/u/*");
  await editor.page.getByText("Typed for an hour").waitFor();
  // The page for trying out sessions has followed both.
  const events = await demo.page
    .getByRole("listitem")
    .filter({ hasText: /[A-Z]_[A-Z]/ })
    .allTextContents();
  expect(events.map((text) => text.split(" ").at(-1))).toEqual([
    "INITIAL_SESSION",
    "TOKEN_REFRESHED",
    "SIGNED_OUT",
    "SIGNED_IN",
  ]);
});

test("signing in again in another tab saves what was refused", async () => {
  const editor = await openUser(site);
  const { email } = editor;
  await openPage(editor.page, "/profile");
  await editor.page.getByLabel("Bio").fill("Typed before the session ended");
  await editor.context.clearCookies();
  await editor.page.getByRole("button", { name: "Save & Close" }).click();
  await editor.page.getByRole("dialog", { name: "Sign in to save your changes" }).waitFor();
  const other = await site.openBeside(editor);
  await other.page.goto("/auth?returnTo=%2Faccount");
  await other.page.getByLabel("Email").fill(email);
  await other.page.getByLabel("Password").fill(seededPassword);
  await other.page.getByRole("button", { name: "Sign in", exact: true }).click();
  await other.page.waitForURL("**/account");
  await editor.page.waitForURL("**/u/*");
  await editor.page.getByText("Typed before the session ended").waitFor();
});
