import { describe, expect, test } from "vitest";

import { firstLink } from "#tests/support/app/responses.ts";
import { isSignedIn, locationOf, logIn } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { codeOf } from "#tests/support/fixtures/authenticator-app.ts";
import { createSoftwarePasskey } from "#tests/support/fixtures/software-passkey.ts";
import type { ResponseDetails } from "#tests/support/fixtures/software-passkey.ts";
import { signedInNow } from "#tests/support/providers/provider-visits.ts";

import {
  advance,
  createStillApp,
  openWithApp,
  passFirstStep,
  sendCode,
  signInWithApp,
  startApp,
  twoStep,
} from "./two-step-users.ts";

const proxied = { TRUSTED_PROXY: "127.0.0.1" };
const guess = (n: number) => String(100_000 + n);

/** Someone who knows Ada's password uses up the tries of her account, from as many networks as tries. */
async function exhaustCodes() {
  const { app, ada } = await openWithApp(proxied);
  const thief = await passFirstStep(app, ada);
  const statuses: number[] = [];
  for (let n = 0; n < 50; n++) statuses.push(await sendCode(thief, guess(n), { network: n }));
  return { app, ada, thief, statuses };
}

test("guessing codes from 50 networks gets no further than from one, and the owner is notified once", async () => {
  const { app, ada, thief, statuses } = await exhaustCodes();
  expect(statuses).toEqual([...Array<number>(10).fill(400), ...Array<number>(40).fill(429)]);
  expect((await app.mails()).filter(({ subject }) => subject.includes("wrong codes"))).toHaveLength(1);
  // Not even the right code works now, but the owner has a backup code, even if someone tried those, too.
  expect(await sendCode(thief, ada.code(), { network: 100 })).toBe(429);
  for (let n = 0; n < 12; n++) await sendCode(thief, guess(n), { kind: "backup-code" });
  const owner = await passFirstStep(app, ada);
  expect(await sendCode(owner, ada.codes[0], { kind: "backup-code", network: 101 })).toBe(302);
  expect(await isSignedIn(owner)).toBe(true);
  advance(3_601);
  expect(await sendCode(await passFirstStep(app, ada), ada.code(), { network: 102 })).toBe(302);
});

test("a browser that signed in before has ten tries of its own, from then on", async () => {
  const { ada } = await exhaustCodes();
  const signInAgain = async () => {
    await ada.post("/auth/sign-out", {});
    await logIn(ada, ada);
  };
  await signInAgain();
  for (let n = 0; n < 9; n++) expect(await sendCode(ada, guess(n), { network: 103 })).toBe(400);
  expect(await sendCode(ada, ada.code(), { network: 103 })).toBe(302);
  await signInAgain();
  advance(30);
  for (let n = 0; n < 10; n++) expect(await sendCode(ada, guess(n), { network: 104 })).toBe(400);
  expect(await sendCode(ada, ada.code(), { network: 104 })).toBe(429);
});

test("someone who signed in before two-step verification was on has no tries of their own", async () => {
  const app = await createStillApp(proxied);
  const ada = await signedInNow(app);
  const thief = app.visitor();
  await logIn(thief, ada);
  const key = await startApp(ada);
  await ada.post(`${twoStep}/app`, { code: codeOf(key) });
  const other = await passFirstStep(app, ada);
  for (let n = 0; n < 10; n++) await sendCode(other, guess(n), { network: 1 });
  await logIn(thief, ada);
  expect(await sendCode(thief, guess(0), { network: 2 })).toBe(429);
});

test("the second step of one account can't be finished with the factor of another", async () => {
  const app = await createStillApp();
  const eve = await signInWithApp(app, "eve@example.com");
  const ada = await signInWithApp(app);
  advance(30);
  const asEve = await passFirstStep(app, eve);
  const asAda = await passFirstStep(app, ada);
  // Ada's challenge in Eve's browser still asks for Ada's code.
  asEve.cookies.set("meishi.challenge", asAda.cookies.get("meishi.challenge") ?? "");
  expect(await sendCode(asEve, eve.code())).toBe(400);
  expect(await isSignedIn(asEve)).toBe(false);
});

test("a challenge opens nothing, and one that is made up, used or older than the last setting leads back to the sign-in page", async () => {
  const { app, ada } = await openWithApp();
  const isSentBack = async (browser: Visitor) => {
    expect(locationOf(await browser.post("/auth/verify", { code: ada.code() }))).toBe("/auth");
    expect(await isSignedIn(browser)).toBe(false);
  };
  const phone = await passFirstStep(app, ada);
  const challenge = phone.cookies.get("meishi.challenge") ?? "";
  await sendCode(phone, ada.code());
  advance(30);
  for (const value of [challenge, "x".repeat(32), "", "%00"]) {
    const thief = app.visitor();
    thief.cookies.set("meishi.challenge", value);
    await isSentBack(thief);
  }
  const waiting = await passFirstStep(app, ada);
  // It opens no page and changes no factor.
  for (const path of ["/account", "/profile", twoStep, `${twoStep}/app`])
    expect(locationOf(await waiting.get(path))).toMatch(/^\/auth\?returnTo=/);
  await waiting.post(twoStep, { intent: "turn-off" });
  const userId = (await app.services.auth.findUserId(ada.email)) ?? "";
  expect((await app.services.auth.findFactors(userId)).isOn).toBe(true);
  await ada.post(twoStep, { intent: "turn-off" });
  await isSentBack(waiting);
});

test("a new password by mail doesn't skip the second step, and ends a sign-in that waits for it", async () => {
  const { app, ada } = await openWithApp();
  const thief = await passFirstStep(app, ada);
  const phone = app.visitor();
  await phone.post("/forgot-password", { email: ada.email });
  const [mail] = (await app.mails()).filter(({ subject }) => subject.startsWith("Set a new password"));
  const password = "a fresh cup of tea";
  await phone.post(firstLink(mail?.text), { password, confirm: password });
  expect(await isSignedIn(phone)).toBe(false);
  expect(locationOf(await thief.post("/auth/verify", { code: ada.code() }))).toBe("/auth");
  expect(await isSignedIn(await passFirstStep(app, { ...ada, password }))).toBe(false);
});

test("the link that confirms a changed email signs no one in", async () => {
  const { app, ada } = await openWithApp();
  const email = "countess@example.com";
  await ada.post("/account", { intent: "change-email", email, current: ada.password });
  const link = firstLink((await app.mails()).find(({ to }) => to === email)?.text);
  const thief = app.visitor();
  await thief.post(link, {});
  expect(await isSignedIn(thief)).toBe(false);
  await ada.post(link, {});
  await passFirstStep(app, { ...ada, email });
});

type Passkey = ReturnType<typeof createSoftwarePasskey>;
type Wrong = Omit<ResponseDetails, "challenge">;

/** Wrong in one way each, with a signature that is right. */
const wrongResponses: Record<string, Wrong> = {
  "for another site's passkeys": { rpId: "evil.example" },
  "for a subdomain's passkeys": { rpId: "sub.localhost" },
  "made on another site": { origin: "https://evil.example" },
  "made on another port": { origin: "http://localhost:3001" },
  "made over HTTPS": { origin: "https://localhost:3000" },
  "of another kind": { type: "payment.get" },
};

async function findChallenge(user: Visitor, path: string, form: Record<string, string> = {}): Promise<string> {
  return (await (await user.post(path, form)).json()).challenge;
}

async function addPasskey(user: Visitor, passkey: Passkey, wrong: Wrong = {}): Promise<number> {
  const challenge = await findChallenge(user, `${twoStep}/passkey`);
  const credential = passkey.register({ challenge, ...wrong });
  return (await user.post(twoStep, { intent: "add-passkey", credential })).status;
}

async function openWithPasskey() {
  const app = await createStillApp();
  const ada = await signedInNow(app);
  const passkey = createSoftwarePasskey();
  expect(await addPasskey(ada, passkey)).toBe(302);
  /** Signs in with the passkey; returns the status. */
  const signIn = async (details: Wrong & { challenge?: string } = {}, browser = app.visitor()) => {
    const challenge = await findChallenge(browser, "/auth/passkey", { purpose: "sign-in" });
    return send(browser, passkey.use({ challenge, ...details }));
  };
  const send = async (browser: Visitor, credential: string) => {
    const response = await browser.post("/auth/with-passkey", { credential });
    expect(await isSignedIn(browser)).toBe(response.status === 302);
    if (response.status === 400) expect(await response.text()).toContain("This passkey can’t be used here");
    return response.status;
  };
  return { app, ada, passkey, signIn, send };
}

describe("signing in with a passkey", () => {
  test("works with the right response, once", async () => {
    const { app, passkey, send } = await openWithPasskey();
    const browser = app.visitor();
    const challenge = await findChallenge(browser, "/auth/passkey", { purpose: "sign-in" });
    const credential = passkey.use({ challenge });
    expect(await send(browser, credential)).toBe(302);
    expect(await send(app.visitor(), credential)).toBe(400);
  });

  test("refuses wrong responses, and a challenge that is made up, expired, or for another purpose", async () => {
    const { app, ada, signIn } = await openWithPasskey();
    const wrong = { ...wrongResponses, "without user verification": { isVerified: false } };
    for (const [name, details] of Object.entries(wrong)) expect(await signIn(details), name).toBe(400);
    const madeUp = Buffer.from("x".repeat(32)).toString("base64url");
    const confirming = await findChallenge(ada, "/auth/passkey", { purpose: "confirm" });
    for (const challenge of [madeUp, "", confirming]) expect(await signIn({ challenge })).toBe(400);
    const late = await findChallenge(app.visitor(), "/auth/passkey", { purpose: "sign-in" });
    advance(301);
    expect(await signIn({ challenge: late })).toBe(400);
  });

  test("refuses a counter that isn't above the last one, which a copy of the device shows", async () => {
    const { signIn } = await openWithPasskey();
    expect(await signIn({ counter: 5 })).toBe(302);
    for (const counter of [5, 4, 0]) expect(await signIn({ counter })).toBe(400);
    expect(await signIn({ counter: 6 })).toBe(302);
  });
});

test("a new passkey is refused with wrong responses", async () => {
  const app = await createStillApp();
  const ada = await signedInNow(app);
  for (const [name, wrong] of Object.entries(wrongResponses))
    expect(await addPasskey(ada, createSoftwarePasskey(), wrong), name).toBe(400);
  expect(await app.services.db.selectFrom("passkey").selectAll().execute()).toEqual([]);
});

test("a passkey of another account is no second step", async () => {
  const { app, passkey } = await openWithPasskey();
  const eve = await signInWithApp(app, "eve@example.com");
  const thief = await passFirstStep(app, eve);
  const challenge = await findChallenge(thief, "/auth/passkey", { purpose: "second-factor" });
  expect((await thief.post("/auth/verify", { credential: passkey.use({ challenge }) })).status).toBe(400);
  expect(await isSignedIn(thief)).toBe(false);
});

test("a passkey of another account, and one for a sign-in, don't confirm who the user is", async () => {
  const { app, ada, passkey } = await openWithPasskey();
  const eve = await signedInNow(app, "eve@example.com");
  advance(11 * 60);
  const confirm = async (user: Visitor, purpose: string) => {
    const challenge = await findChallenge(user, "/auth/passkey", { purpose });
    const credential = passkey.use({ challenge, counter: 9 });
    return (await user.post("/account/verify", { intent: "passkey", credential })).status;
  };
  expect([await confirm(eve, "confirm"), await confirm(ada, "sign-in")]).toEqual([400, 400]);
  expect((await ada.get(twoStep)).status).toBe(302);
  expect(await confirm(ada, "confirm")).toBe(302);
  expect((await ada.get(twoStep)).status).toBe(200);
});
