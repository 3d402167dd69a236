import { expect, test } from "vitest";

import { userIdOf } from "#tests/support/app/profiles.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";
import { copyBrowser, isSignedIn, locationOf, readPage } from "#tests/support/app/visitor.ts";
import { proveAgo, removePasswords } from "#tests/support/database/account-rows.ts";

const cookie = "meishi.session_token";
const verifyPath = "/account/verify?returnTo=%2Faccount%2Fdelete";

/** Ada, whose last proof was so many minutes ago. */
async function openStale(minutes = 11) {
  const { ada, ...app } = await createSignedInApp();
  await proveAgo(app.services, minutes);
  const isFresh = async () => (await ada.get("/account/delete")).status === 200;
  return { ...app, ada, isFresh };
}

test("deleting the account asks for the password ten minutes after the last proof", async () => {
  const { ada, isFresh, ...app } = await openStale(9);
  const { services } = app;
  expect(await isFresh()).toBe(true);
  await proveAgo(services, 10);
  expect(locationOf(await ada.get("/account/delete"))).toBe(verifyPath);
  expect(await readPage(ada, verifyPath)).toContain("Confirm it’s you");
  const before = ada.cookies.get(cookie);
  const copy = copyBrowser(app, ada);
  expect(locationOf(await ada.post(verifyPath, { password: ada.password }))).toBe("/account/delete");
  expect(ada.cookies.get(cookie)).not.toBe(before);
  expect(await isFresh()).toBe(true);
  const events = await services.db.selectFrom("security_event").select(["event", "detail"]).execute();
  expect(events).toContainEqual({ event: "identity-confirmed", detail: "password" });
  // A copy of the cookie gains nothing.
  expect(locationOf(await copy.get("/account/delete"))).toMatch(/^\/(auth|account\/verify)\?/);
  // A new email counts as a proof, because it asks for the password.
  await proveAgo(services, 11);
  await ada.post("/account", { intent: "change-email", email: "countess@example.com", current: ada.password });
  expect(await isFresh()).toBe(true);
});

test("switching off the emails about new sign-ins asks for a recent proof, and keeps what was chosen", async () => {
  const { ada, services } = await openStale(10);
  const path = "/account/preferences";
  const german = { locale: "de-DE", timeZone: "Europe/Berlin" };
  const refused = await ada.post(path, german);
  expect(refused.status).toBe(403);
  const html = await refused.text();
  for (const text of ["First confirm it’s you", 'value="de-DE" selected', 'value="Europe/Berlin" selected'])
    expect(html).toContain(text);
  expect(html).not.toContain('checked=""');
  expect(await services.db.selectFrom("account_preference").selectAll().execute()).toEqual([]);
  expect((await ada.post(path, { ...german, mailsSignIns: "on" })).status).toBe(302);
  await ada.post("/account/verify", { password: ada.password });
  expect((await ada.post(path, german)).status).toBe(302);
  await proveAgo(services, 10);
  expect((await ada.post(path, { locale: "", timeZone: "" })).status).toBe(302);
});

test("a deletion that comes too late keeps its text and deletes nothing", async () => {
  const { ada } = await openStale();
  const form = { intent: "delete", confirm: "DELETE", feedback: "Too quiet" };
  const late = await ada.post("/account/delete", form);
  expect(late.status).toBe(403);
  const html = await late.text();
  for (const text of ["First confirm it’s you", 'value="Too quiet"']) expect(html).toContain(text);
  expect(await isSignedIn(ada)).toBe(true);
  await ada.post("/account/verify", { password: ada.password });
  expect(locationOf(await ada.post("/account/delete", form))).toBe("/");
});

test("a wrong password proves nothing, and after ten the account has to wait", async () => {
  const { ada, isFresh } = await openStale();
  for (const password of ["", "x".repeat(5000), ...Array.from({ length: 9 }, (_, at) => `guess ${at}`)])
    expect((await ada.post(verifyPath, { password })).status).toBe(400);
  const late = await ada.post(verifyPath, { password: ada.password });
  expect([late.status, await late.text()]).toEqual([429, expect.stringContaining("Too many attempts")]);
  expect(await isFresh()).toBe(false);
});

test("without a password, a code from the owner's mail is the proof, for its account alone, and works once", async () => {
  const { ada, signedIn, services, mails, isFresh } = await openStale();
  expect((await ada.post(verifyPath, { intent: "send-code" })).status).toBe(400);
  expect(await mails()).toEqual([]);
  const bob = await signedIn("bob@example.com");
  await removePasswords(services);
  expect(await readPage(ada, verifyPath)).toContain("Email me a code");
  expect(await (await ada.post(verifyPath, { intent: "send-code" })).text()).toContain("Check your email");
  const [mail] = await mails();
  const code = /^(\d{6}) is your Meishi code$/.exec(mail?.subject ?? "")?.[1] ?? "";
  expect(mail?.to).toBe(ada.email);
  const rows = await services.db.selectFrom("identity_code").selectAll().execute();
  expect(rows).toMatchObject([{ owner_id: await userIdOf(ada) }]);
  expect(JSON.stringify(rows)).not.toContain(code);
  expect((await bob.post(verifyPath, { intent: "code", code })).status).toBe(400);
  const wrong = code === "000000" ? "111111" : "000000";
  expect(await (await ada.post(verifyPath, { intent: "code", code: wrong })).text()).toContain("This code is wrong");
  const typed = `${code.slice(0, 3)} ${code.slice(3)}`;
  expect(locationOf(await ada.post(verifyPath, { intent: "code", code: typed }))).toBe("/account/delete");
  expect(await isFresh()).toBe(true);
  expect((await ada.post(verifyPath, { intent: "code", code })).status).toBe(400);
});

test("the page leads to nowhere but this site, and visitors sign in first", async () => {
  const { ada, visitor } = await openStale();
  const evil = "/account/verify?returnTo=https%3A%2F%2Fevil.example";
  expect(locationOf(await ada.post(evil, { password: ada.password }))).toBe("/account");
  for (const response of [await visitor().get(verifyPath), await visitor().post(verifyPath, { password: "x" })])
    expect(locationOf(response)).toBe("/auth?returnTo=%2Faccount%2Fdelete");
});
