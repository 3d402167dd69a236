import { sql } from "kysely";
import { expect, test } from "vitest";

import { firstLink, toastIn, withoutRandom } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

test("the login page links to the password reset, which links back", async () => {
  const { visitor } = await createTestApp();
  expect(await (await visitor().get("/auth")).text()).toMatch(
    /<a href="\/forgot-password"[^>]*>Forgot your password\?<\/a>/,
  );
  for (const path of ["/forgot-password", "/reset-password"]) {
    expect(await (await visitor().get(path)).text(), path).toMatch(/<a href="\/auth"[^>]*>Back to Login<\/a>/);
  }
});

test("the way to the password reset and back keeps the path to return to", async () => {
  const { visitor } = await createTestApp();
  const login = await (await visitor().get("/auth?redirect=/pricing")).text();
  expect(login).toMatch(/<a href="\/forgot-password\?returnTo=%2Fpricing"/);
  const forgot = await (await visitor().get("/forgot-password?returnTo=/pricing")).text();
  expect(forgot).toMatch(/<a href="\/auth\?returnTo=%2Fpricing"[^>]*>Back to Login/);
  const evil = await (await visitor().get("/forgot-password?returnTo=//evil.example")).text();
  expect(evil).not.toContain("evil.example");
});

test("a reset by mail sets a new password and ends every session", async () => {
  const { visitor, signedIn, mails } = await createTestApp();
  const ada = await signedIn();
  const response = await visitor().post("/forgot-password", { email: " Ada@Example.com " });
  expect(response.status).toBe(200);
  const page = await response.text();
  expect(page).toContain("If an account exists for this email, a reset link was sent.");
  expect(page).toContain("Please check your inbox.");

  const link = await resetLink(mails);
  const form = await (await visitor().get(link)).text();
  expect(form).toContain("<title>Set a new password | Meishi</title>");
  expect(form).toContain("You can now set a new password.");
  expect(form).toContain(`value="${ada.email}"`);
  const done = await visitor().post(link, { password: "another long word", confirm: "another long word" });
  expect(done.headers.get("location")).toBe("/auth");
  expect(toastIn(done)).toMatchObject({ title: "Password updated successfully! Please log in.", tone: "success" });

  expect((await ada.get("/profile")).headers.get("location")).toBe("/auth?returnTo=%2Fprofile");
  expect((await ada.post("/auth", { intent: "log-in", email: ada.email, password: ada.password })).status).toBe(400);
  const back = await ada.post("/auth", { intent: "log-in", email: ada.email, password: "another long word" });
  expect(back.headers.get("location")).toBe("/profile");
});

test("a rejected new password doesn't use up the link", async () => {
  const { visitor, signedIn, mails } = await createTestApp();
  await signedIn();
  await visitor().post("/forgot-password", { email: "ada@example.com" });
  const link = await resetLink(mails);
  const cases: [Record<string, string>, string][] = [
    [{ password: "one long word", confirm: "another" }, "Passwords do not match."],
    [{ password: "12345", confirm: "12345" }, "Password must be at least 6 characters long."],
    [{ password: "qwerty", confirm: "qwerty" }, "This password is too easy to guess."],
    [{ password: "ada@example.com", confirm: "ada@example.com" }, "be your email address."],
    [{}, "Enter your password."],
  ];
  for (const [fields, reason] of cases) {
    const response = await visitor().post(link, fields);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(reason);
  }
  expect((await visitor().post(link, { password: "one long word", confirm: "one long word" })).status).toBe(302);
});

test("a used or forged link offers a new one", async () => {
  const { visitor, signedIn, mails } = await createTestApp();
  await signedIn();
  await visitor().post("/forgot-password", { email: "ada@example.com" });
  const used = await resetLink(mails);
  await visitor().post(used, { password: "one long word", confirm: "one long word" });
  for (const link of [used, "/reset-password", "/reset-password?token=", "/reset-password?token=%00"]) {
    const opened = await visitor().get(link);
    expect(opened.status).toBe(200);
    const page = await opened.text();
    expect(page).toContain("This reset link is no longer valid");
    expect(page).toContain("/forgot-password");
    const sent = await visitor().post(link, { password: "two long words", confirm: "two long words" });
    expect(sent.status).toBe(410);
    expect(await sent.text()).toContain("Failed to update password.");
  }
});

test("the response doesn't reveal whether an address has an account", async () => {
  const { visitor, signedIn, mails } = await createTestApp();
  await signedIn();
  const known = await visitor().post("/forgot-password", { email: "ada@example.com" });
  const unknown = await visitor().post("/forgot-password", { email: "eda@example.com" });
  expect(known.status).toBe(unknown.status);
  const [knownPage, unknownPage] = [withoutRandom(await known.text()), withoutRandom(await unknown.text())];
  expect(knownPage === unknownPage.replaceAll("eda@", "ada@")).toBe(true);
  expect((await mails()).filter(({ to }) => to === "eda@example.com")).toEqual([]);
});

test("an invalid address is rejected beside its field", async () => {
  const { visitor, mails } = await createTestApp();
  const response = await visitor().post("/forgot-password", { email: "ada at example.com" });
  expect(response.status).toBe(400);
  const page = await response.text();
  expect(page).toContain("Enter a valid email address");
  expect(page).toContain('value="ada at example.com"');
  expect(await mails()).toEqual([]);
});

test("a server error is reported on the form and doesn't use up the link", async () => {
  const { services, visitor, signedIn, mails } = await createTestApp();
  const { db } = services;
  await signedIn();
  await visitor().post("/forgot-password", { email: "ada@example.com" });
  const link = await resetLink(mails);
  const password = { password: "another long word", confirm: "another long word" };
  await sql`create trigger stuck before delete on verification begin select raise(abort, 'stuck'); end`.execute(db);
  const broken = await visitor().post(link, password);
  expect(broken.status).toBe(500);
  const page = await broken.text();
  for (const text of ["Failed to update password.", "Your link still works", "Set New Password"])
    expect(page).toContain(text);
  expect(page).not.toContain("stuck");
  await sql`drop trigger stuck`.execute(db);
  expect((await visitor().post(link, password)).headers.get("location")).toBe("/auth");
});

async function resetLink(mails: TestApp["mails"]): Promise<string> {
  const mail = (await mails()).find(({ subject }) => subject === "Set a new password for Meishi");
  return firstLink(mail?.text);
}
