import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { desktop, expectFocus, openOwnSite, phone, waitForHydration } from "#tests/support/browser/site.ts";
import { signUp, waitForMailLink } from "#tests/support/browser/users.ts";
import { seededPassword } from "#tests/support/database/seed.ts";

const site = openOwnSite();

test("email and password change without script", async () => {
  const { page, context } = await site.open({ ...phone, javaScriptEnabled: false });
  await signUp(context, site.program, "ada@example.com");
  await page.goto("/account");
  await openFold(page, "Change email");
  await page.getByLabel("New email").fill("countess@example.com");
  await page.getByLabel("Current password").first().fill("not my password");
  await page.getByRole("button", { name: "Send confirmation link" }).click();
  await page.getByText("This isn't your current password.").waitFor();
  expect(await page.getByLabel("New email").inputValue()).toBe("countess@example.com");
  await page.getByLabel("Current password").first().fill(seededPassword);
  await page.getByRole("button", { name: "Send confirmation link" }).click();
  await page.getByText("Check your new email for the confirmation link").waitFor();
  await page.goto(await waitForMailLink(context, { url: site.url, to: "countess@example.com" }));
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
  const { page, context, consoleErrors } = await site.open(desktop);
  await signUp(context, site.program, "grace@example.com");
  await page.goto("/account");
  await waitForHydration(page);
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
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
  expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
});

test("a limit that is reached closes the toast of the request before", async () => {
  const { page, context } = await site.open(desktop);
  await signUp(context, site.program, "eda@example.com");
  const form = { intent: "change-email", email: "new@example.com", current: seededPassword };
  const headers = { origin: site.url };
  for (let times = 0; times < 4; times++) await context.request.post("/account", { form, headers, maxRedirects: 0 });
  await page.goto("/account");
  await waitForHydration(page);
  const request = async () => {
    await openFold(page, "Change email");
    await page.getByLabel("New email").fill("new@example.com");
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

async function openFold(page: Page, title: string) {
  await page.locator("summary", { hasText: title }).click();
}
