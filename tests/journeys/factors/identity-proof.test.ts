import { expect, test } from "vitest";

import { advance, createStillApp, passFirstStep, signInWithApp, twoStep } from "./two-step-users.ts";

const verifyPath = "/account/verify?returnTo=%2Faccount%2Ftwo-step";
type App = Awaited<ReturnType<typeof createStillApp>>;

/** Ada with an authenticator app, whose last proof is too old for sensitive changes. */
async function signInLongAgo() {
  const app = await createStillApp();
  const ada = await signInWithApp(app);
  advance(11 * 60);
  const isFresh = async () => (await ada.get(twoStep)).status === 200;
  expect(await isFresh()).toBe(false);
  return { app, ada, isFresh };
}

test("with two-step verification, a password alone proves nothing and turns off no factor", async () => {
  const { app, ada, isFresh } = await signInLongAgo();
  const refused = await ada.post(verifyPath, { password: ada.password });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain("Enter the code.");
  expect(await isFresh()).toBe(false);
  await ada.post(twoStep, { intent: "turn-off" });
  expect(await isOn(app)).toBe(true);
});

test("the password and a code of the app are a proof, and the code works once", async () => {
  const { app, ada, isFresh } = await signInLongAgo();
  expect(await (await ada.get(verifyPath)).text()).toContain("From your authenticator app.");
  const wrong = await ada.post(verifyPath, { password: ada.password, factor: "000000" });
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining("This code isn&#x27;t right")]);
  const noPassword = await ada.post(verifyPath, { password: "wrong", factor: ada.code() });
  expect(noPassword.status).toBe(400);
  expect(await isFresh()).toBe(false);
  const factor = ada.code();
  const done = await ada.post(verifyPath, { password: ada.password, factor });
  expect(done.headers.get("location")).toBe(twoStep);
  expect(await isFresh()).toBe(true);
  expect((await ada.post(verifyPath, { password: ada.password, factor })).status).toBe(400);
  expect(await listEvents(app)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ event: "identity-confirmed", detail: "password+code" }),
      expect.objectContaining({ event: "factor-refused", detail: "code" }),
    ]),
  );
});

test("a backup code takes the place of the app, once", async () => {
  const { app, ada, isFresh } = await signInLongAgo();
  const [factor = ""] = ada.codes;
  await ada.post(verifyPath, { password: ada.password, factor: factor.toLowerCase() });
  expect(await isFresh()).toBe(true);
  expect((await app.mails())[0]?.text).toContain("9 backup codes are left.");
  expect((await ada.post(verifyPath, { password: ada.password, factor })).status).toBe(400);
});

test.each([
  ["email", { intent: "change-email", email: "countess@example.com" }],
  ["password", { intent: "change-password", password: "a fresh cup of tea", confirm: "a fresh cup of tea" }],
])("a new %s needs a complete proof first, and isn't one", async (_, fields) => {
  const { app, ada, isFresh } = await signInLongAgo();
  const form = { ...fields, current: ada.password };
  const mails = (await app.mails()).length;
  const refused = await ada.post("/account", form);
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain("First confirm it&#x27;s you");
  expect(await app.mails()).toHaveLength(mails);
  await ada.post(verifyPath, { password: ada.password, factor: ada.code() });
  advance(9 * 60);
  expect((await ada.post("/account", form)).status).toBe(302);
  expect(await isFresh()).toBe(true);
  advance(2 * 60);
  expect(await isFresh()).toBe(false);
});

test("the link that confirms a new email isn't a proof", async () => {
  const { app, ada, isFresh } = await signInLongAgo();
  await ada.post(verifyPath, { password: ada.password, factor: ada.code() });
  await ada.post("/account", { intent: "change-email", email: "countess@example.com", current: ada.password });
  advance(11 * 60);
  const [mail] = (await app.mails()).filter(({ to }) => to === "countess@example.com");
  await ada.post(/https?:\/\/\S+/.exec(mail?.text ?? "")?.[0] ?? "", {});
  expect(await (await ada.get("/account")).text()).toContain("countess@example.com");
  expect(await isFresh()).toBe(false);
});

test("without a password, the proof is a code by email and a second factor", async () => {
  const { app, ada, isFresh } = await signInLongAgo();
  await app.services.db.deleteFrom("account" as "setting").execute();
  await ada.post(verifyPath, { intent: "send-code" });
  const subject = (await app.mails())[0]?.subject ?? "";
  const code = /^(\d{6}) is your Meishi code$/.exec(subject)?.[1] ?? "";
  for (const factor of ["", "000000"])
    expect((await ada.post(verifyPath, { intent: "code", code, factor })).status).toBe(400);
  expect(await isFresh()).toBe(false);
  // The email's code wasn't used up by a mistyped second factor.
  const done = await ada.post(verifyPath, { intent: "code", code, factor: ada.code() });
  expect(done.headers.get("location")).toBe(twoStep);
  expect(await isFresh()).toBe(true);
});

test("signing in to a trusted browser with the password alone isn't a complete proof", async () => {
  const app = await createStillApp();
  const ada = await signInWithApp(app);
  advance(30);
  const phone = await passFirstStep(app, ada);
  await phone.post("/auth/verify", { code: ada.code(), trust: "on" });
  expect((await phone.get(twoStep)).status).toBe(200);
  await phone.post("/auth/sign-out", {});
  await phone.post("/auth", { intent: "log-in", email: ada.email, password: ada.password });
  expect((await phone.get("/account")).status).toBe(200);
  expect((await phone.get(twoStep)).headers.get("location")).toBe(verifyPath);
});

test("of the codes, ten are checked an hour; another browser of the owner has its own tries", async () => {
  const { app, ada, isFresh } = await signInLongAgo();
  const thief = app.visitor();
  thief.cookies.set("meishi.session_token", ada.cookies.get("meishi.session_token") ?? "");
  const statuses: number[] = [];
  for (let n = 0; n < 12; n++) {
    const guess = { password: ada.password, factor: String(100_000 + n) };
    statuses.push((await thief.post(verifyPath, guess)).status);
  }
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429]);
  await ada.post(verifyPath, { password: ada.password, factor: ada.code() });
  expect(await isFresh()).toBe(true);
});

async function isOn(app: App): Promise<boolean> {
  const id = await app.services.auth.findUserId("ada@example.com");
  return (await app.services.auth.findFactors(id ?? "")).isOn;
}

function listEvents({ services }: App) {
  return services.db.selectFrom("security_event").selectAll().execute();
}
