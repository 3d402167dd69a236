import { expect, test } from "vitest";

import { openSite, waitForHydration } from "#tests/support/browser/site.ts";
import { signUp } from "#tests/support/browser/users.ts";
import { seededPassword } from "#tests/support/database/seed.ts";

const site = openSite();

test("signing out in one tab leads the others to the sign-in page, and loses nothing that is typed", async () => {
  const account = await site.open();
  await signUp(account.context, site.program, `${crypto.randomUUID()}@example.com`);
  await account.page.goto("/account");
  await waitForHydration(account.page);
  const editor = await site.openBeside(account);
  await editor.page.goto("/profile");
  await waitForHydration(editor.page);
  await editor.page.getByLabel("Bio").fill("Typed for an hour");
  const sessions = await site.openBeside(account);
  await sessions.page.goto("/account/sessions");
  await waitForHydration(sessions.page);

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
});

test("signing in again in another tab saves what was refused", async () => {
  const editor = await site.open();
  const { email } = await signUp(editor.context, site.program, `${crypto.randomUUID()}@example.com`);
  await editor.page.goto("/profile");
  await waitForHydration(editor.page);
  await editor.page.getByLabel("Bio").fill("Typed before the session ended");
  await editor.context.clearCookies();
  await editor.page.getByRole("button", { name: "Save & Close" }).click();
  await editor.page.getByRole("dialog", { name: "Sign in to save your changes" }).waitFor();
  const other = await site.openBeside(editor);
  await other.page.goto("/auth?returnTo=%2Faccount");
  await other.page.getByLabel("Email").fill(email);
  await other.page.getByLabel("Password").fill(seededPassword);
  await other.page.getByRole("button", { name: "Login", exact: true }).click();
  await other.page.waitForURL("**/account");
  await editor.page.waitForURL("**/u/*");
  await editor.page.getByText("Typed before the session ended").waitFor();
});
