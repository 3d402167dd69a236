import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";

import { findUnreachable, tabThrough } from "#tests/support/browser/focus-ring.ts";
import { boxOf, expectFocus, narrow, openSite, phone } from "#tests/support/browser/site.ts";
import { signUp, waitForMailLink } from "#tests/support/browser/users.ts";
import { seededPassword } from "#tests/support/database/seed.ts";
import { keepToastOpen } from "#tests/support/screens/owner-screens.ts";

const site = openSite();
const tooShort = "Password must be at least 6 characters long.";

describe("the sign-in pages with script", () => {
  test("keep the typed email from Login to Sign Up to the forgotten password and back, without a page load", async () => {
    const { page } = await site.open(phone);
    await page.goto("/auth?returnTo=/cards/edit");
    const isSamePage = await markPage(page);
    await page.getByLabel("Email").fill("ada@example.com");
    await page.getByRole("link", { name: "Sign Up" }).click();
    await page.getByRole("heading", { name: "Create your free account" }).waitFor();
    await expectFocus(page.getByRole("link", { name: "Sign Up" }));
    expect(await page.getByLabel("Email").inputValue()).toBe("ada@example.com");
    expect(await page.title()).toBe("Sign Up | Meishi");
    expect(page.url()).toBe(`${site.url}/auth?tab=signup&returnTo=%2Fcards%2Fedit`);
    await page.getByLabel("Email").fill("ada@example.org");
    await page.getByRole("link", { name: "Login" }).click();
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await expectFocus(page.getByRole("heading", { name: "Forgot your password?" }));
    expect(await page.getByLabel("Email").inputValue()).toBe("ada@example.org");
    await page.getByRole("link", { name: "Back to Login" }).click();
    await page.getByRole("heading", { name: "Welcome back" }).waitFor();
    expect(page.url()).toBe(`${site.url}/auth?returnTo=%2Fcards%2Fedit`);
    expect(await page.getByLabel("Email").inputValue()).toBe("ada@example.org");
    await page.goBack();
    await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
    expect(await page.getByLabel("Email").inputValue()).toBe("ada@example.org");
    expect(await isSamePage()).toBe(true);
    expect(site.program.output()).not.toContain("ada@example.org");
  });

  test("show our message at the field, keep both fields, and sign in on the next try", async () => {
    const { page, context } = await site.open(phone);
    const { email } = await signUp(context, site.program, "in-place@example.com");
    await context.clearCookies();
    await page.goto("/auth");
    const isSamePage = await markPage(page);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("Enter your email address.").waitFor();
    await expectFocus(page.getByLabel("Email"));
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("wrong word");
    await page.keyboard.press("Enter");
    await page.getByText("Invalid email or password.").waitFor();
    await expectFocus(page.getByLabel("Password"));
    expect(await page.getByLabel("Password").inputValue()).toBe("wrong word");
    expect(await page.getByLabel("Email").inputValue()).toBe(email);
    expect(await page.title()).toBe("Error: Login | Meishi");
    expect(await isSamePage()).toBe(true);
    await page.getByLabel("Password").fill(seededPassword);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL("**/home");
    await page.getByText("Login successful!").waitFor();
  });

  test("send a form once, however often its button is pressed, and say that it is being sent", async () => {
    const { page, requests } = await site.open(phone);
    await page.goto("/forgot-password");
    const held = await holdPosts(page);
    await page.getByLabel("Email").fill("nobody@example.com");
    await page.getByRole("button", { name: "Send Reset Link" }).click();
    await page.getByRole("button", { name: "Sending..." }).press("Enter");
    await page.getByLabel("Email").press("Enter");
    held.release();
    await page.getByText("If an account exists for this email, a reset link was sent.").waitFor();
    await page.getByRole("button", { name: "Send Reset Link" }).waitFor();
    expect(held.count()).toBe(1);
    expect(requests.filter((url) => url.includes("nobody"))).toEqual([]);
  });

  test("keep what was typed when there is no connection", async () => {
    const { page, context } = await site.open(phone);
    await page.goto("/auth");
    await page.getByLabel("Email").fill("ada@example.com");
    await page.getByLabel("Password").fill("tea with Charles");
    await context.setOffline(true);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("alert").getByText("Couldn’t reach the server").waitFor();
    await page.getByRole("link", { name: "Sign Up" }).click();
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    expect(await page.getByLabel("Password").inputValue()).toBe("tea with Charles");
    await context.setOffline(false);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("Invalid email or password.").waitFor();
    expect(await page.getByText("Couldn’t reach the server").count()).toBe(0);
  });
});

test("the sign-up page shows and hides the password, says how long it must be, and asks to check the mail once it is", async () => {
  const { page } = await site.open(phone);
  await page.goto("/auth?tab=signup");
  const isSamePage = await markPage(page);
  const field = page.getByLabel("Password");
  await field.fill("abc");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.getByRole("button", { name: "Show password" }).click();
  expect(await field.getAttribute("type")).toBe("text");
  // The cursor stays where it was.
  await page.keyboard.type("X");
  expect(await field.inputValue()).toBe("aXbc");
  await page.getByRole("button", { name: "Hide password" }).click();
  expect(await field.getAttribute("type")).toBe("password");
  await page.keyboard.type("Y");
  expect(await field.inputValue()).toBe("aXYbc");
  const button = page.getByRole("button", { name: "Show password" });
  await button.focus();
  await page.keyboard.press("Space");
  await expectFocus(page.getByRole("button", { name: "Hide password" }));

  const held = await holdPosts(page);
  await page.getByRole("button", { name: "Sign Up" }).click();
  // It is hidden before it is sent.
  expect(await field.getAttribute("type")).toBe("password");
  held.release();
  await page.getByText("Enter your email address.").waitFor();
  await page.getByLabel("Email").fill("short@example.com");
  await page.getByRole("button", { name: "Sign Up" }).click();
  await page.getByText(tooShort).waitFor();
  await field.press("End");
  await field.pressSequentially(" and more");
  expect(await field.inputValue()).toBe("aXYbc and more");
  await page.getByRole("button", { name: "Sign Up" }).click();
  await expectFocus(page.getByRole("heading", { name: "Check your email for the confirmation link!" }));
  await page.getByRole("button", { name: "Resend link" }).click();
  await page.getByRole("alert").getByText("Verification email sent!").waitFor();
  expect(await isSamePage()).toBe(true);
});

test("two new passwords that differ stay in their fields, with a toast and a message, until they agree", async () => {
  const { page, context } = await site.open(narrow);
  const { email } = await signUp(context, site.program, "differ@example.com");
  await context.clearCookies();
  await page.goto("/forgot-password");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send Reset Link" }).click();
  await page.getByText("If an account exists for this email, a reset link was sent.").waitFor();
  await page.goto(await waitForMailLink(context, { url: site.url, to: email }));
  const password = page.getByLabel("New password", { exact: true });
  const again = page.getByLabel("Confirm password", { exact: true });
  const toast = page.getByRole("dialog", { name: "Message" });
  const message = page.locator("main form").getByText("Passwords do not match.");
  await toast.getByText("You can now set a new password.").waitFor();
  const stops = await tabThrough(page);
  expect(await findUnreachable(page, stops)).toEqual([]);
  expect(stops.filter(({ ring }) => !ring)).toEqual([]);
  await password.fill("one long word");
  await again.fill("one long wort");
  await page.getByRole("button", { name: "Set New Password" }).click();
  await message.waitFor();
  await expectFocus(again);
  expect(await password.inputValue()).toBe("one long word");
  // On a small phone, too, the toast covers neither the field nor its message.
  await toast.getByText("Passwords do not match.").waitFor();
  await keepToastOpen(page);
  const { y, height } = await boxOf(message);
  expect(y + height).toBeLessThanOrEqual((await boxOf(toast)).y);
  await again.press("End");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("d");
  const held = await holdPosts(page);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Resetting..." }).waitFor();
  held.release();
  await page.getByText("Password updated successfully! Please log in.").waitFor();
  expect(new URL(page.url()).pathname).toBe("/auth");
});

test("the sign-up page without script shows our messages too, and has no button beside the password", async () => {
  const { page } = await site.open({ ...phone, javaScriptEnabled: false });
  await page.goto("/auth?tab=signup");
  await page.getByLabel("Email").fill("plain@example");
  await page.getByLabel("Password").fill("12345");
  await page.getByRole("button", { name: "Sign Up" }).click();
  await page.getByText("Enter a valid email address, such as name@example.com.").waitFor();
  await page.getByLabel("Email").fill("plain@example.com");
  await page.getByLabel("Password").fill("12345");
  await page.getByRole("button", { name: "Sign Up" }).click();
  await page.getByText(tooShort).waitFor();
  expect(await page.getByRole("button", { name: /Show/ }).count()).toBe(0);
  expect(await page.getByText("Couldn’t reach the server").count()).toBe(0);
});

/** Marks the document; the returned function says whether it is still the same one. */
async function markPage(page: Page) {
  await page.evaluate(() => void (document.documentElement.dataset["marked"] = ""));
  return () => page.evaluate(() => "marked" in document.documentElement.dataset);
}

/** Holds back the forms that the page submits, and counts them. */
async function holdPosts(page: Page) {
  const held = Promise.withResolvers<void>();
  let count = 0;
  await page.route("**/*", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    count += 1;
    await held.promise;
    await route.continue();
  });
  onTestFinished(() => held.resolve());
  return { release: held.resolve, count: () => count };
}
