import { expect, test } from "vitest";

import { openOwnSite, phone } from "#tests/support/browser/site.ts";
import { waitForMailLink, signUp } from "#tests/support/browser/users.ts";
import { makePremium, markUnconfirmed } from "#tests/support/program/database.ts";

const site = openOwnSite();
const email = "ada@example.com";

test("the account page works without script", async () => {
  const { page, context } = await site.open({ ...phone, javaScriptEnabled: false });
  const { id } = await signUp(context, site.program, email);
  markUnconfirmed(site.program, id);

  await page.goto("/account");
  await page.getByText("Your email isn't confirmed").waitFor();
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("Checked just now.").waitFor();
  await page.getByRole("button", { name: "Resend verification email" }).click();
  await page.getByText("Verification email sent!").waitFor();
  expect(new URL(page.url()).pathname).toBe("/account");
  await page.goto(await waitForMailLink(context, { url: site.url, to: email }));
  await page.getByRole("button", { name: "Confirm email" }).click();
  await page.waitForURL("**/profile");
  await page.goto("/account");
  expect(await page.getByText("Your email isn't confirmed").count()).toBe(0);

  await page.goto("/success");
  await page.getByRole("heading", { name: "Your plan is still Free" }).waitFor();
  makePremium(site.program, id);
  await page.getByRole("link", { name: "Check again" }).click();
  await page.getByRole("heading", { name: "You're Pro now!" }).waitFor();
});

test("the password reset works without script, with errors beside the fields", async () => {
  const { page, context } = await site.open({ ...phone, javaScriptEnabled: false });
  await signUp(context, site.program, "grace@example.com");
  await context.clearCookies();

  await page.goto("/forgot-password");
  await page.getByLabel("Email").fill("grace@example.com");
  await page.getByRole("button", { name: "Send Reset Link" }).click();
  await page.getByText("If an account exists for this email, a reset link was sent.").waitFor();
  await page.goto(await waitForMailLink(context, { url: site.url, to: "grace@example.com" }));

  const password = page.getByLabel("New password", { exact: true });
  const again = page.getByLabel("Confirm password", { exact: true });
  await password.fill("compilers for everybody");
  await again.fill("compilers for nobody");
  await page.getByRole("button", { name: "Set New Password" }).click();
  await page.getByRole("dialog", { name: "Message" }).getByText("Passwords do not match.").waitFor();
  await page.locator("main form").getByText("Passwords do not match.").waitFor();
  await password.fill("compilers for everybody");
  await again.fill("compilers for everybody");
  await page.getByRole("button", { name: "Set New Password" }).click();
  await page.getByText("Password updated successfully! Please log in.").waitFor();

  await page.getByLabel("Email").fill("grace@example.com");
  await page.getByLabel("Password").fill("compilers for everybody");
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByText("Login successful!").waitFor();
});
