import { expect, test } from "vitest";

import { firstLink } from "#tests/support/app/responses.ts";
import { isSignedIn, locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import { removePasswords } from "#tests/support/database/account-rows.ts";

import { advance, openWithApp, passFirstStep, sendCode, twoStep } from "./two-step-users.ts";

const verifyPath = "/account/verify?returnTo=%2Faccount%2Ftwo-step";
const email = "countess@example.com";

/** Ada with an authenticator app, whose last proof is too old for sensitive changes. `prove` posts the password and a second factor. */
async function signInLongAgo() {
  const { app, ada } = await openWithApp();
  advance(11 * 60);
  const isFresh = async () => (await ada.get(twoStep)).status === 200;
  expect(await isFresh()).toBe(false);
  const prove = (factor = "", password = ada.password) => ada.post(verifyPath, { password, factor });
  return { app, ada, isFresh, prove };
}

test("the password alone is no proof, with a code of the app or a backup code it is, and each code works once", async () => {
  const { app, ada, isFresh, prove } = await signInLongAgo();
  const refused = await prove();
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("Enter the code.")]);
  // The password alone proves nothing and turns off no factor.
  expect(await isFresh()).toBe(false);
  await ada.post(twoStep, { intent: "turn-off" });
  const id = (await app.services.auth.findUserId(ada.email)) ?? "";
  expect((await app.services.auth.findFactors(id)).isOn).toBe(true);
  expect(await readPage(ada, verifyPath)).toContain("From your authenticator app.");
  const wrong = await prove("000000");
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining("This code isn&#x27;t right")]);
  expect((await prove(ada.code(), "wrong")).status).toBe(400);
  expect(await isFresh()).toBe(false);
  const factor = ada.code();
  expect(locationOf(await prove(factor))).toBe(twoStep);
  expect(await isFresh()).toBe(true);
  expect((await prove(factor)).status).toBe(400);
  const events = await app.services.db.selectFrom("security_event").select(["event", "detail"]).execute();
  expect(events).toEqual(
    expect.arrayContaining([
      { event: "identity-confirmed", detail: "password+code" },
      { event: "factor-refused", detail: "code" },
    ]),
  );

  advance(11 * 60);
  const [backup = ""] = ada.codes;
  await prove(backup.toLowerCase());
  expect(await isFresh()).toBe(true);
  expect((await app.mails())[0]?.text).toContain("9 backup codes are left.");
  expect((await prove(backup)).status).toBe(400);
});

test.each([
  ["email", { intent: "change-email", email }],
  ["password", { intent: "change-password", password: "a fresh cup of tea", confirm: "a fresh cup of tea" }],
])("a new %s needs a complete proof first, and isn't one", async (_, fields) => {
  const { app, ada, isFresh, prove } = await signInLongAgo();
  const form = { ...fields, current: ada.password };
  const mails = (await app.mails()).length;
  const refused = await ada.post("/account", form);
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("First confirm it&#x27;s you")]);
  expect(await app.mails()).toHaveLength(mails);
  await prove(ada.code());
  advance(9 * 60);
  expect((await ada.post("/account", form)).status).toBe(302);
  expect(await isFresh()).toBe(true);
  advance(2 * 60);
  expect(await isFresh()).toBe(false);
});

test("the link that confirms a new email isn't a proof", async () => {
  const { app, ada, isFresh, prove } = await signInLongAgo();
  await prove(ada.code());
  await ada.post("/account", { intent: "change-email", email, current: ada.password });
  advance(11 * 60);
  await ada.post(firstLink((await app.mails()).find(({ to }) => to === email)?.text), {});
  expect(await readPage(ada, "/account")).toContain(email);
  expect(await isFresh()).toBe(false);
});

test("without a password, the proof is a code by email and a second factor", async () => {
  const { app, ada, isFresh } = await signInLongAgo();
  await removePasswords(app.services);
  await ada.post(verifyPath, { intent: "send-code" });
  const code = /^(\d{6}) is your Meishi code$/.exec((await app.mails())[0]?.subject ?? "")?.[1] ?? "";
  for (const factor of ["", "000000"])
    expect((await ada.post(verifyPath, { intent: "code", code, factor })).status).toBe(400);
  expect(await isFresh()).toBe(false);
  // The email's code wasn't used up by a mistyped second factor.
  expect(locationOf(await ada.post(verifyPath, { intent: "code", code, factor: ada.code() }))).toBe(twoStep);
  expect(await isFresh()).toBe(true);
});

test("signing in to a trusted browser with the password alone isn't a complete proof", async () => {
  const { app, ada } = await openWithApp();
  const phone = await passFirstStep(app, ada);
  await sendCode(phone, ada.code(), { trust: "on" });
  expect((await phone.get(twoStep)).status).toBe(200);
  await phone.post("/auth/sign-out", {});
  await logIn(phone, ada);
  expect(await isSignedIn(phone)).toBe(true);
  expect(locationOf(await phone.get(twoStep))).toBe(verifyPath);
});

test("of the codes, ten are checked an hour; another browser of the owner has its own tries", async () => {
  const { app, ada, isFresh, prove } = await signInLongAgo();
  const thief = app.visitor();
  thief.cookies.set("meishi.session_token", ada.cookies.get("meishi.session_token") ?? "");
  const statuses: number[] = [];
  for (let n = 0; n < 12; n++) {
    const guess = { password: ada.password, factor: String(100_000 + n) };
    statuses.push((await thief.post(verifyPath, guess)).status);
  }
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429]);
  await prove(ada.code());
  expect(await isFresh()).toBe(true);
});
