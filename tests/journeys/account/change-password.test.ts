import { expect, test } from "vitest";

import { limits } from "#app/features/account/rules.ts";
import { toastIn } from "#tests/support/app/responses.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { copyBrowser, isSignedIn, locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import { useUp } from "#tests/support/database/attempts.ts";
import { removePasswords } from "#tests/support/database/account-rows.ts";

const password = "another long word";

function changePassword(user: Awaited<ReturnType<TestApp["signedIn"]>>, fields: Record<string, string> = {}) {
  const form = { intent: "change-password", current: user.password, password, confirm: password };
  return user.post("/account", { ...form, ...fields });
}

test("a new password logs out other browsers and copies of the old cookie, not this browser, and is announced by mail", async () => {
  const { ada, ...app } = await createSignedInApp();
  const phone = app.visitor();
  await logIn(phone, ada);
  const copy = copyBrowser(app, ada);
  for (const browser of [phone, copy]) expect(await isSignedIn(browser)).toBe(true);
  const changed = await changePassword(ada);
  expect(locationOf(changed)).toBe("/account");
  expect(toastIn(changed)).toMatchObject({ title: "Password changed", tone: "success" });
  expect(await isSignedIn(ada)).toBe(true);
  for (const browser of [phone, copy])
    expect(locationOf(await browser.get("/account"))).toBe("/auth?returnTo=%2Faccount");
  expect((await logIn(app.visitor(), ada)).status).toBe(400);
  expect((await logIn(app.visitor(), { ...ada, password })).status).toBe(302);
  const mail = (await app.mails()).find(({ subject }) => subject === "Your Meishi password was changed");
  expect(mail).toMatchObject({ to: ada.email });
  expect(mail?.text).toMatch(/If it wasn’t you, set a new password now\..*\/forgot-password/s);
  const account = await userIdOf(ada);
  expect(app.logLines).toContainEqual(expect.objectContaining({ security: "password-changed", account }));
});

test("a rejected form says why beside its field, and contains no password", async () => {
  const { ada, mails } = await createSignedInApp();
  const cases: [Record<string, string>, string][] = [
    [{ current: "" }, "Enter your current password."],
    [{ current: "not my password" }, "This isn’t your current password."],
    [{ confirm: "something else" }, "Passwords do not match."],
    [{ password: "12345", confirm: "12345" }, "Password must be at least 6 characters long."],
    [{ password: "x".repeat(129), confirm: "x".repeat(129) }, "Password must be at most 128 characters long."],
    [{ password: "qwerty", confirm: "qwerty" }, "This password is too easy to guess."],
    [{ password: "ada@example.com", confirm: "ada@example.com" }, "be your email address."],
  ];
  for (const [fields, reason] of cases) {
    const response = await changePassword(ada, fields);
    expect(response.status).toBe(400);
    const html = await response.text();
    for (const text of [reason, 'aria-invalid="true"']) expect(html).toContain(text);
    for (const value of [ada.password, password, "not my password"]) expect(html).not.toContain(value);
  }
  expect(await mails()).toEqual([]);
  expect((await changePassword(ada)).status).toBe(302);
});

test("a limit that was reached spares the check how easy the new password is to guess", async () => {
  const { ada, services } = await createSignedInApp();
  await useUp(services, { limit: limits.allPasswordChecksOfAccount, subject: await userIdOf(ada) });
  const refused = await changePassword(ada, { password: "qwerty", confirm: "qwerty" });
  expect([refused.status, await refused.text()]).toEqual([429, expect.not.stringContaining("too easy to guess")]);
});

test("right passwords are limited too, because each change sends a mail", async () => {
  const { ada, mails } = await createSignedInApp();
  const statuses = [];
  for (let n = 0; n < 6; n++)
    statuses.push((await changePassword(ada, { current: n === 0 ? ada.password : password })).status);
  expect(statuses).toEqual([...Array<number>(5).fill(302), 429]);
  expect(await mails()).toHaveLength(5);
});

test("an account without a password gets a link by mail to set one, and needs it to change its email", async () => {
  const { ada, services, mails } = await createSignedInApp();
  await removePasswords(services);
  const html = await readPage(ada, "/account");
  expect(html).toContain("Set a password first");
  expect(html).not.toContain('value="change-password"');
  const form = /<form[^>]*action="\/forgot-password"[^>]*>.*?<\/form>/s.exec(html)?.[0] ?? "";
  await ada.post("/forgot-password", { email: /name="email" value="([^"]*)"/.exec(form)?.[1] ?? "" });
  expect((await mails())[0]).toMatchObject({ to: ada.email, subject: "Set a new password for Meishi" });
});
