import { expect, test } from "vitest";

import { openSite } from "#tests/support/browser/site.ts";
import { signUp, waitForMailLink } from "#tests/support/browser/users.ts";

const site = openSite();
const email = "ada@example.com";

test("a user signs in with a link or a code instead of a password", async () => {
  const all = await site.openForAll();
  await signUp(all, site.program, email);
  await all.clearCookies();
  const { page } = await site.open();
  await page.goto("/auth?returnTo=/pricing");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByRole("button", { name: "Email me a sign-in link" }).click();
  await page.waitForURL("**/auth/code");
  await page.getByLabel("6-digit code").fill("12345");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("Enter the 6-digit code from the email.").waitFor();
  expect(await page.getByLabel("6-digit code").inputValue()).toBe("12345");
  const link = await waitForMailLink(all, { url: site.url, to: email });

  // Without script, in another browser, which has to agree first.
  const { page: other } = await site.open({ javaScriptEnabled: false });
  await other.goto(link);
  await other.getByRole("heading", { name: "Sign in on this browser?" }).waitFor();

  await page.goto(link);
  await page.getByRole("heading", { name: "Sign in to Meishi" }).waitFor();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/pricing");

  await other.getByRole("button", { name: "Sign in on this browser" }).click();
  await other.getByText("This sign-in link no longer works").waitFor();
});
