import { expect, test } from "vitest";

import { openSite, phone } from "#tests/support/browser.ts";
import { mailedLink, makePremium, signUp, unconfirm } from "#tests/support/members.ts";

const site = openSite();
const email = "ada@example.com";

test("without script, an account is looked at, its address confirmed and its plan asked for", async () => {
  const { page, context } = await site.open({ ...phone, javaScriptEnabled: false });
  const { id } = await signUp(context, site.program, email);
  unconfirm(site.program, id);

  await page.goto("/account");
  await page.getByText("Your email is not confirmed").waitFor();
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("Checked just now.").waitFor();
  await page.getByRole("button", { name: "Resend verification email" }).click();
  await page.getByText("Verification email sent!").waitFor();
  expect(new URL(page.url()).pathname).toBe("/account");
  await page.goto(await mailedLink(context, { url: site.url, to: email }));
  await page.goto("/account");
  expect(await page.getByText("Your email is not confirmed").count()).toBe(0);

  await page.goto("/success");
  await page.getByRole("heading", { name: "Your plan is still Free" }).waitFor();
  makePremium(site.program, id);
  await page.getByRole("link", { name: "Check again" }).click();
  await page.getByRole("heading", { name: "You're Pro now!" }).waitFor();
});

test("without script, a forgotten password is set anew, and what does not fit is said beside its field", async () => {
  const { page, context } = await site.open({ ...phone, javaScriptEnabled: false });
  await signUp(context, site.program, "grace@example.com");
  await context.clearCookies();

  await page.goto("/forgot-password");
  await page.getByLabel("Email").fill("grace@example.com");
  await page.getByRole("button", { name: "Send Reset Link" }).click();
  await page.getByText("If an account exists for this email, a reset link was sent.").waitFor();
  await page.goto(await mailedLink(context, { url: site.url, to: "grace@example.com" }));

  const password = page.getByLabel("New password", { exact: true });
  const again = page.getByLabel("Confirm password", { exact: true });
  await password.fill("compilers for everybody");
  await again.fill("compilers for nobody");
  await page.getByRole("button", { name: "Set New Password" }).click();
  await page.getByText("Passwords do not match.").waitFor();
  await password.fill("compilers for everybody");
  await again.fill("compilers for everybody");
  await page.getByRole("button", { name: "Set New Password" }).click();
  await page.getByText("Password updated successfully! Please log in.").waitFor();

  await page.getByLabel("Email").fill("grace@example.com");
  await page.getByLabel("Password").fill("compilers for everybody");
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByText("Login successful!").waitFor();
});
