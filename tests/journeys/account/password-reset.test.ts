import { sql } from "kysely";
import { expect, test } from "vitest";

import { fieldValue } from "#tests/support/app/cards.ts";
import { firstLink, toastIn } from "#tests/support/app/responses.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import { locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";

const password = "another long word";
const newPassword = { password, confirm: password };

/** Ada, and the link to set a new password. */
async function openReset() {
  const { ada, ...app } = await createSignedInApp();
  const response = await app.visitor().post("/forgot-password", { email: " Ada@Example.com " });
  const mail = (await app.mails()).find(({ subject }) => subject === "Set a new password for Meishi");
  return { ...app, ada, response, link: firstLink(mail?.text) };
}

test("the way from the login page to the password reset and back keeps the path to return to", async () => {
  const { visitor } = await createTestApp();
  const login = await readPage(visitor(), "/auth?redirect=/pricing");
  expect(login).toMatch(/<a href="\/forgot-password\?returnTo=%2Fpricing"[^>]*>Forgot your password\?<\/a>/);
  for (const [path, back] of [
    ["/forgot-password?returnTo=/pricing", "/auth?returnTo=%2Fpricing"],
    ["/forgot-password?returnTo=//evil.example", "/auth"],
    ["/reset-password", "/auth"],
  ] as const)
    expect(/<a href="([^"]*)"[^>]*>Back to Login<\/a>/.exec(await readPage(visitor(), path))?.[1], path).toBe(back);
});

test("a reset by mail sets a new password and ends every session", async () => {
  const { visitor, ada, response, link } = await openReset();
  expect(response.status).toBe(200);
  const page = await response.text();
  for (const text of ["If an account exists for this email, a reset link was sent.", "Please check your inbox."])
    expect(page).toContain(text);
  const form = await readPage(visitor(), link);
  const title = "<title>Set a new password | Meishi</title>";
  for (const text of [title, "You can now set a new password.", 'value="ada@example.com"'])
    expect(form).toContain(text);
  const done = await visitor().post(link, newPassword);
  expect(locationOf(done)).toBe("/auth");
  expect(toastIn(done)).toMatchObject({ title: "Password updated successfully! Please log in.", tone: "success" });
  expect(locationOf(await ada.get("/profile"))).toBe("/auth?returnTo=%2Fprofile");
  expect((await logIn(ada, ada)).status).toBe(400);
  expect(locationOf(await logIn(ada, { ...ada, password }))).toBe("/home");
});

test("a rejected new password, or an error of the server, doesn't use up the link; a new password does", async () => {
  const { visitor, services, link } = await openReset();
  const cases: [Record<string, string>, string][] = [
    [{ password: "one long word", confirm: "another" }, "Passwords do not match."],
    [{ password: "12345", confirm: "12345" }, "Password must be at least 6 characters long."],
    [{ password: "qwerty", confirm: "qwerty" }, "This password is too easy to guess."],
    [{ password: "ada@example.com", confirm: "ada@example.com" }, "be your email address."],
    [{}, "Enter your password."],
  ];
  for (const [fields, reason] of cases) {
    const response = await visitor().post(link, fields);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(reason)]);
  }
  const { db } = services;
  await sql`create trigger stuck before delete on verification begin select raise(abort, 'stuck'); end`.execute(db);
  const broken = await visitor().post(link, newPassword);
  expect(broken.status).toBe(500);
  const page = await broken.text();
  for (const text of ["Failed to update password.", "Your link still works", "Set New Password"])
    expect(page).toContain(text);
  expect(page).not.toContain("stuck");
  await sql`drop trigger stuck`.execute(db);
  expect(locationOf(await visitor().post(link, newPassword))).toBe("/auth");

  for (const used of [link, "/reset-password", "/reset-password?token=", "/reset-password?token=%00"]) {
    const opened = await visitor().get(used);
    expect(opened.status).toBe(200);
    const invalid = await opened.text();
    for (const text of ["This reset link is no longer valid", "/forgot-password"]) expect(invalid).toContain(text);
    const sent = await visitor().post(used, { password: "two long words", confirm: "two long words" });
    expect([sent.status, await sent.text()]).toEqual([410, expect.stringContaining("Failed to update password.")]);
  }
});

test("an invalid address is rejected beside its field", async () => {
  const { visitor, mails } = await createTestApp();
  const response = await visitor().post("/forgot-password", { email: "ada at example.com" });
  expect(response.status).toBe(400);
  const page = await response.text();
  expect(page).toContain("Enter a valid email address");
  expect(fieldValue(page, "email")).toBe("ada at example.com");
  expect(await mails()).toEqual([]);
});
