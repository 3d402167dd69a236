import { expect, test } from "vitest";

import { firstLink } from "#tests/support/app/responses.ts";

import { advance, createStillApp, isSignedIn, passFirstStep, signInWithApp, twoStep } from "./two-step-users.ts";

test("guessing codes from 50 networks gets no further than from one, and the owner is told once", async () => {
  const app = await createStillApp({ TRUSTED_PROXY: "127.0.0.1" });
  const ada = await signInWithApp(app);
  app.advance(30);
  const thief = await passFirstStep(app, ada);
  const statuses: number[] = [];
  for (let n = 0; n < 50; n++) {
    const code = String(100_000 + n);
    const response = await thief.post("/auth/verify", { code }, { "x-forwarded-for": `198.51.100.${n}` });
    statuses.push(response.status);
  }
  expect(statuses).toEqual([...Array<number>(10).fill(400), ...Array<number>(40).fill(429)]);
  const mails = (await app.mails()).filter(({ subject }) => subject.includes("wrong codes"));
  expect(mails).toHaveLength(1);
  // Not even the right code works now, but the owner has another way in.
  expect((await thief.post("/auth/verify", { code: ada.code() })).status).toBe(429);
  const owner = await passFirstStep(app, ada);
  expect((await owner.post("/auth/verify", { kind: "backup-code", code: ada.codes[0] ?? "" })).status).toBe(302);
  advance(3_601);
  const later = await passFirstStep(app, ada);
  expect((await later.post("/auth/verify", { code: ada.code() })).status).toBe(302);
});

test("the second step of one account can't be finished with the factor of another", async () => {
  const app = await createStillApp();
  const eve = await signInWithApp(app, "eve@example.com");
  const ada = await signInWithApp(app);
  app.advance(30);
  const asEve = await passFirstStep(app, eve);
  const asAda = await passFirstStep(app, ada);
  // Ada's challenge in Eve's browser still asks for Ada's code.
  asEve.cookies.set("meishi.challenge", asAda.cookies.get("meishi.challenge") ?? "");
  expect((await asEve.post("/auth/verify", { code: eve.code() })).status).toBe(400);
  expect(await isSignedIn(asEve)).toBe(false);
});

test("a made-up or used challenge leads back to the sign-in page", async () => {
  const app = await createStillApp();
  const ada = await signInWithApp(app);
  app.advance(30);
  const phone = await passFirstStep(app, ada);
  const challenge = phone.cookies.get("meishi.challenge") ?? "";
  await phone.post("/auth/verify", { code: ada.code() });
  app.advance(30);
  for (const value of [challenge, "x".repeat(32), "", "%00"]) {
    const thief = app.visitor();
    thief.cookies.set("meishi.challenge", value);
    expect((await thief.post("/auth/verify", { code: ada.code() })).headers.get("location")).toBe("/auth");
  }
});

test("a new password by mail doesn't skip the second step, and ends a sign-in that waits for it", async () => {
  const app = await createStillApp();
  const ada = await signInWithApp(app);
  app.advance(30);
  const thief = await passFirstStep(app, ada);
  const phone = app.visitor();
  await phone.post("/forgot-password", { email: ada.email });
  const [mail] = (await app.mails()).filter(({ subject }) => subject.startsWith("Set a new password"));
  const link = firstLink(mail?.text);
  const password = "a fresh cup of tea";
  await phone.post(link, { password, confirm: password });
  expect(await isSignedIn(phone)).toBe(false);
  expect((await thief.post("/auth/verify", { code: ada.code() })).headers.get("location")).toBe("/auth");
  const again = await passFirstStep(app, { email: ada.email, password });
  expect(await isSignedIn(again)).toBe(false);
});

test("the link that confirms a changed email signs no one in", async () => {
  const app = await createStillApp();
  const ada = await signInWithApp(app);
  await ada.post("/account", { intent: "change-email", email: "countess@example.com", current: ada.password });
  const [mail] = (await app.mails()).filter(({ to }) => to === "countess@example.com");
  const link = firstLink(mail?.text);
  const thief = app.visitor();
  await thief.post(link, {});
  expect(await isSignedIn(thief)).toBe(false);
  await ada.post(link, {});
  app.advance(30);
  await passFirstStep(app, { email: "countess@example.com", password: ada.password });
});

test("a waiting sign-in opens no page and changes no factor", async () => {
  const app = await createStillApp();
  const ada = await signInWithApp(app);
  const thief = await passFirstStep(app, ada);
  for (const path of ["/account", "/profile", twoStep, `${twoStep}/app`])
    expect((await thief.get(path)).headers.get("location")).toMatch(/^\/auth\?returnTo=/);
  await thief.post(twoStep, { intent: "turn-off" });
  expect((await app.services.auth.findFactors(await ownerOf(app))).isOn).toBe(true);
});

test("an account that turned it off elsewhere can't be entered with the old challenge", async () => {
  const app = await createStillApp();
  const ada = await signInWithApp(app);
  const thief = await passFirstStep(app, ada);
  await ada.post(twoStep, { intent: "turn-off" });
  expect((await thief.post("/auth/verify", { code: ada.code() })).headers.get("location")).toBe("/auth");
  expect(await isSignedIn(thief)).toBe(false);
});

async function ownerOf(app: Awaited<ReturnType<typeof createStillApp>>): Promise<string> {
  return (await app.services.auth.findUserId("ada@example.com")) ?? "";
}
