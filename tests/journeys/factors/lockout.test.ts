import { expect, test } from "vitest";

import { codeOf } from "#tests/support/fixtures/authenticator-app.ts";

import {
  advance,
  createStillApp,
  isSignedIn,
  passFirstStep,
  signInNow,
  signInWithApp,
  startApp,
  twoStep,
} from "./two-step-users.ts";

const fromNetwork = (n: number) => ({ "x-forwarded-for": `198.51.100.${n}` });

/** Someone who knows Ada's password uses up the tries of her account. */
async function exhaustCodes() {
  const app = await createStillApp({ TRUSTED_PROXY: "127.0.0.1" });
  const ada = await signInWithApp(app);
  advance(30);
  const thief = await passFirstStep(app, ada);
  for (let n = 0; n < 12; n++) {
    for (const kind of ["code", "backup-code"])
      await thief.post("/auth/verify", { kind, code: String(100_000 + n) }, fromNetwork(1));
  }
  const refused = await thief.post("/auth/verify", { code: ada.code() }, fromNetwork(2));
  expect(refused.status).toBe(429);
  return { app, ada };
}

test("someone who uses up the tries of an account doesn't keep its owner from using a backup code in a new browser", async () => {
  const { app, ada } = await exhaustCodes();
  const owner = await passFirstStep(app, ada);
  const code = { kind: "backup-code", code: ada.codes[0] ?? "" };
  expect((await owner.post("/auth/verify", code, fromNetwork(3))).status).toBe(302);
  expect(await isSignedIn(owner)).toBe(true);
});

test("someone who signed in before two-step verification was on has no tries of their own", async () => {
  const app = await createStillApp({ TRUSTED_PROXY: "127.0.0.1" });
  const ada = await signInNow(app);
  const { email, password } = ada;
  const thief = app.visitor();
  await thief.post("/auth", { intent: "log-in", email, password });
  const key = await startApp(ada);
  await ada.post(`${twoStep}/app`, { code: codeOf(key) });
  const other = await passFirstStep(app, ada);
  for (let n = 0; n < 10; n++) await other.post("/auth/verify", { code: String(100_000 + n) }, fromNetwork(1));
  await thief.post("/auth", { intent: "log-in", email, password });
  expect((await thief.post("/auth/verify", { code: "100000" }, fromNetwork(2))).status).toBe(429);
});

test("nor from using the app in a browser that signed in before, which has ten tries of its own", async () => {
  const { ada } = await exhaustCodes();
  await ada.post("/auth/sign-out", {});
  const form = { intent: "log-in", email: ada.email, password: ada.password };
  await ada.post("/auth", form);
  for (let n = 0; n < 9; n++)
    expect((await ada.post("/auth/verify", { code: String(100_000 + n) }, fromNetwork(3))).status).toBe(400);
  expect((await ada.post("/auth/verify", { code: ada.code() }, fromNetwork(3))).status).toBe(302);
  await ada.post("/auth/sign-out", {});
  await ada.post("/auth", form);
  advance(30);
  for (let n = 0; n < 10; n++)
    expect((await ada.post("/auth/verify", { code: String(100_000 + n) }, fromNetwork(4))).status).toBe(400);
  expect((await ada.post("/auth/verify", { code: ada.code() }, fromNetwork(4))).status).toBe(429);
});
