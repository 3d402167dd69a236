import { describe, expect, test } from "vitest";

import { isSignedIn } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { createSoftwarePasskey } from "#tests/support/fixtures/software-passkey.ts";
import type { ResponseDetails } from "#tests/support/fixtures/software-passkey.ts";
import { signedInNow } from "#tests/support/providers/provider-visits.ts";

import { advance, createStillApp, passFirstStep, signInWithApp, twoStep } from "./two-step-users.ts";

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
    if (response.status === 400) expect(await response.text()).toContain("This passkey can&#x27;t be used here");
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
