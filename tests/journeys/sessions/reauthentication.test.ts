import { expect, test } from "vitest";

import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

const cookie = "meishi.session_token";
const verifyPath = "/account/verify?returnTo=%2Faccount%2Fdelete";

test("deleting the account asks for the password ten minutes after the last proof", async () => {
  const app = await createTestApp();
  const ada = await app.signedIn();
  expect((await ada.get("/account/delete")).status).toBe(200);
  await proveAgo(app, { minutes: 10 });
  expect((await ada.get("/account/delete")).headers.get("location")).toBe(verifyPath);
  const html = await (await ada.get(verifyPath)).text();
  expect(html).toContain("Confirm it&#x27;s you");
  const before = ada.cookies.get(cookie);
  const done = await ada.post(verifyPath, { password: ada.password });
  expect(done.headers.get("location")).toBe("/account/delete");
  expect(ada.cookies.get(cookie)).not.toBe(before);
  expect((await ada.get("/account/delete")).status).toBe(200);
  expect(await listEvents(app)).toContainEqual(
    expect.objectContaining({ event: "identity-confirmed", detail: "password" }),
  );
});

test("switching off the emails about new sign-ins asks for a recent proof, and keeps what was chosen", async () => {
  const app = await createTestApp();
  const ada = await app.signedIn();
  await proveAgo(app, { minutes: 10 });
  const path = "/account/preferences";
  const german = { locale: "de-DE", timeZone: "Europe/Berlin" };
  const refused = await ada.post(path, german);
  expect(refused.status).toBe(403);
  const html = await refused.text();
  for (const text of ["First confirm it&#x27;s you", 'value="de-DE" selected', 'value="Europe/Berlin" selected'])
    expect(html).toContain(text);
  expect(html).not.toContain('checked=""');
  expect(await app.services.db.selectFrom("account_preference").selectAll().execute()).toEqual([]);
  expect((await ada.post(path, { ...german, mailsSignIns: "on" })).status).toBe(302);
  await ada.post("/account/verify", { password: ada.password });
  expect((await ada.post(path, german)).status).toBe(302);
  await proveAgo(app, { minutes: 10 });
  expect((await ada.post(path, { locale: "", timeZone: "" })).status).toBe(302);
});

test("a copy of the cookie gains nothing from its owner's proof", async () => {
  const app = await createTestApp();
  const ada = await app.signedIn();
  await proveAgo(app, { minutes: 11 });
  const copy = app.visitor();
  for (const [name, value] of ada.cookies) copy.cookies.set(name, value);
  await ada.post(verifyPath, { password: ada.password });
  expect((await copy.get("/account/delete")).headers.get("location")).toMatch(/^\/(auth|account\/verify)\?/);
});

test("a new password ends a copy of the cookie at once, also right after a proof", async () => {
  const app = await createTestApp();
  const ada = await app.signedIn();
  const copy = app.visitor();
  for (const [name, value] of ada.cookies) copy.cookies.set(name, value);
  await ada.post(verifyPath, { password: ada.password });
  const next = { password: "another long word", confirm: "another long word" };
  await ada.post("/account", { intent: "change-password", current: ada.password, ...next });
  expect((await ada.get("/account")).status).toBe(200);
  expect((await copy.get("/account")).status).toBe(302);
});

test("a deletion that comes too late keeps its text and deletes nothing", async () => {
  const app = await createTestApp();
  const ada = await app.signedIn();
  await proveAgo(app, { minutes: 11 });
  const form = { intent: "delete", confirm: "DELETE", feedback: "Too quiet" };
  const late = await ada.post("/account/delete", form);
  expect(late.status).toBe(403);
  const html = await late.text();
  expect(html).toContain("First confirm it&#x27;s you");
  expect(html).toContain('value="Too quiet"');
  expect((await ada.get("/account")).status).toBe(200);
  await ada.post("/account/verify", { password: ada.password });
  expect((await ada.post("/account/delete", form)).headers.get("location")).toBe("/");
});

test("a wrong password proves nothing, and after ten the account has to wait", async () => {
  const app = await createTestApp();
  const ada = await app.signedIn();
  await proveAgo(app, { minutes: 11 });
  for (const password of ["", "x".repeat(5000), ...Array.from({ length: 9 }, (_, at) => `guess ${at}`)]) {
    const refused = await ada.post(verifyPath, { password });
    expect(refused.status).toBe(400);
  }
  const late = await ada.post(verifyPath, { password: ada.password });
  expect(late.status).toBe(429);
  expect(await late.text()).toContain("Too many attempts");
  expect((await ada.get("/account/delete")).headers.get("location")).toBe(verifyPath);
});

test("a new email counts as a proof, because it asks for the password", async () => {
  const app = await createTestApp();
  const ada = await app.signedIn();
  await proveAgo(app, { minutes: 11 });
  await ada.post("/account", { intent: "change-email", email: "countess@example.com", current: ada.password });
  expect((await ada.get("/account/delete")).status).toBe(200);
});

test("without a password, a code from the owner's mail is the proof, and works once", async () => {
  const app = await createTestApp();
  const ada = await app.signedIn();
  await removePassword(app);
  await proveAgo(app, { minutes: 11 });
  expect(await (await ada.get(verifyPath)).text()).toContain("Email me a code");
  expect(await (await ada.post(verifyPath, { intent: "send-code" })).text()).toContain("Check your email");
  const [mail] = await app.mails();
  const code = /^(\d{6}) is your Meishi code$/.exec(mail?.subject ?? "")?.[1] ?? "";
  expect(mail?.to).toBe(ada.email);
  const wrong = code === "000000" ? "111111" : "000000";
  expect(await (await ada.post(verifyPath, { intent: "code", code: wrong })).text()).toContain("This code is wrong");
  const typed = `${code.slice(0, 3)} ${code.slice(3)}`;
  const done = await ada.post(verifyPath, { intent: "code", code: typed });
  expect(done.headers.get("location")).toBe("/account/delete");
  expect((await ada.get("/account/delete")).status).toBe(200);
  expect((await ada.post(verifyPath, { intent: "code", code })).status).toBe(400);
});

test("an account with a password gets no code", async () => {
  const app = await createTestApp();
  const ada = await app.signedIn();
  expect((await ada.post(verifyPath, { intent: "send-code" })).status).toBe(400);
  expect(await app.mails()).toEqual([]);
});

test("a code belongs to its account, and is stored as a hash", async () => {
  const app = await createTestApp();
  const ada = await app.signedIn();
  const bob = await app.signedIn("bob@example.com");
  await removePassword(app);
  await ada.post(verifyPath, { intent: "send-code" });
  const [mail] = await app.mails();
  const code = (mail?.subject ?? "").slice(0, 6);
  expect((await bob.post(verifyPath, { intent: "code", code })).status).toBe(400);
  const rows = await app.services.db.selectFrom("identity_code").selectAll().execute();
  expect(rows).toMatchObject([{ owner_id: await userIdOf(ada) }]);
  expect(JSON.stringify(rows)).not.toContain(code);
});

test("the page leads to nowhere but this site, and visitors sign in first", async () => {
  const app = await createTestApp();
  const ada = await app.signedIn();
  const evil = "/account/verify?returnTo=https%3A%2F%2Fevil.example";
  expect((await ada.post(evil, { password: ada.password })).headers.get("location")).toBe("/account");
  const visited = await app.visitor().get(verifyPath);
  expect(visited.headers.get("location")).toBe("/auth?returnTo=%2Faccount%2Fdelete");
  const posted = await app.visitor().post(verifyPath, { password: "x" });
  expect(posted.headers.get("location")).toBe("/auth?returnTo=%2Faccount%2Fdelete");
});

/** As if the users had signed in that long ago. better-auth's tables are not in our schema. */
async function proveAgo({ services }: TestApp, { minutes }: { minutes: number }) {
  await services.db
    .updateTable("session" as "setting")
    .set({ verifiedAt: Date.now() - minutes * 60_000 } as never)
    .execute();
}

/** As if the users had come from a provider. */
async function removePassword({ services }: TestApp) {
  await services.db.deleteFrom("account" as "setting").execute();
}

function listEvents({ services }: TestApp) {
  return services.db.selectFrom("security_event").selectAll().execute();
}
