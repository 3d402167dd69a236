import { describe, expect, test } from "vitest";

import type { Visitor } from "#tests/support/app/visitor.ts";
import { createSoftwarePasskey } from "#tests/support/fixtures/software-passkey.ts";
import type { ResponseDetails } from "#tests/support/fixtures/software-passkey.ts";

import { createStillApp, isSignedIn, passFirstStep, signInNow, signInWithApp, twoStep } from "./two-step-users.ts";

type Passkey = ReturnType<typeof createSoftwarePasskey>;
type Wrong = Omit<ResponseDetails, "challenge">;

/** Wrong in one way each, with a signature that is right. */
const wrongResponses: [string, Wrong][] = [
  ["for another site's passkeys", { rpId: "evil.example" }],
  ["for a subdomain's passkeys", { rpId: "sub.localhost" }],
  ["made on another site", { origin: "https://evil.example" }],
  ["made on another port", { origin: "http://localhost:3001" }],
  ["made over HTTPS", { origin: "https://localhost:3000" }],
  ["of another kind", { type: "payment.get" }],
];

async function addPasskey(user: Visitor, passkey: Passkey, wrong: Wrong = {}): Promise<Response> {
  const { challenge } = await (await user.post(`${twoStep}/passkey`, {})).json();
  return user.post(twoStep, { intent: "add-passkey", credential: passkey.register({ challenge, ...wrong }) });
}

async function openWithPasskey(email?: string) {
  const app = await createStillApp();
  const ada = await signInNow(app, email);
  const passkey = createSoftwarePasskey();
  expect((await addPasskey(ada, passkey)).status).toBe(302);
  return { app, ada, passkey };
}

/** Signs in with a passkey; returns the response and what was sent. */
async function signIn(browser: Visitor, passkey: Passkey, details: Wrong & { challenge?: string } = {}) {
  const { challenge } = await (await browser.post("/auth/passkey", { purpose: "sign-in" })).json();
  const credential = passkey.use({ challenge, ...details });
  return { response: await browser.post("/auth/with-passkey", { credential }), credential };
}

describe("signing in with a passkey", () => {
  test("works with the right response, once", async () => {
    const { app, passkey } = await openWithPasskey();
    const browser = app.visitor();
    const { response, credential } = await signIn(browser, passkey);
    expect(response.status).toBe(302);
    expect(await isSignedIn(browser)).toBe(true);
    const thief = app.visitor();
    expect((await thief.post("/auth/with-passkey", { credential })).status).toBe(400);
    expect(await isSignedIn(thief)).toBe(false);
  });

  test.each([...wrongResponses, ["without user verification", { isVerified: false }] as const])(
    "refuses a response %s",
    async (_, wrong) => {
      const { app, passkey } = await openWithPasskey();
      const browser = app.visitor();
      expect((await signIn(browser, passkey, wrong)).response.status).toBe(400);
      expect(await isSignedIn(browser)).toBe(false);
    },
  );

  test.each([5, 4, 0])("refuses the counter %i after 5, which a copy of the device shows", async (counter) => {
    const { app, passkey } = await openWithPasskey();
    expect((await signIn(app.visitor(), passkey, { counter: 5 })).response.status).toBe(302);
    expect((await signIn(app.visitor(), passkey, { counter })).response.status).toBe(400);
    expect((await signIn(app.visitor(), passkey, { counter: 6 })).response.status).toBe(302);
  });

  test("refuses a challenge that is made up, expired, or for another purpose", async () => {
    const { app, ada, passkey } = await openWithPasskey();
    const browser = app.visitor();
    const madeUp = Buffer.from("x".repeat(32)).toString("base64url");
    const { challenge: confirming } = await (await ada.post("/auth/passkey", { purpose: "confirm" })).json();
    const { challenge: late } = await (await browser.post("/auth/passkey", { purpose: "sign-in" })).json();
    app.advance(301);
    for (const challenge of [madeUp, "", confirming, late])
      expect((await signIn(browser, passkey, { challenge })).response.status).toBe(400);
    expect(await isSignedIn(browser)).toBe(false);
  });
});

test.each(wrongResponses)("a new passkey is refused with a response %s", async (_, wrong) => {
  const app = await createStillApp();
  const ada = await signInNow(app);
  expect((await addPasskey(ada, createSoftwarePasskey(), wrong)).status).toBe(400);
  expect(await app.services.db.selectFrom("passkey").selectAll().execute()).toEqual([]);
});

test("a passkey of another account is no second step", async () => {
  const app = await createStillApp();
  const eve = await signInNow(app, "eve@example.com");
  const passkey = createSoftwarePasskey();
  await addPasskey(eve, passkey);
  const ada = await signInWithApp(app);
  const thief = await passFirstStep(app, ada);
  const { challenge } = await (await thief.post("/auth/passkey", { purpose: "second-factor" })).json();
  expect((await thief.post("/auth/verify", { credential: passkey.use({ challenge }) })).status).toBe(400);
  expect(await isSignedIn(thief)).toBe(false);
});

test("a passkey of another account, and one for a sign-in, don't confirm who the user is", async () => {
  const { app, ada, passkey } = await openWithPasskey();
  const eve = await signInNow(app, "eve@example.com");
  app.advance(11 * 60);
  const confirm = async (user: Visitor, purpose: string) => {
    const { challenge } = await (await user.post("/auth/passkey", { purpose })).json();
    return user.post("/account/verify", { intent: "passkey", credential: passkey.use({ challenge, counter: 9 }) });
  };
  expect((await confirm(eve, "confirm")).status).toBe(400);
  expect((await confirm(ada, "sign-in")).status).toBe(400);
  expect((await ada.get(twoStep)).status).toBe(302);
  expect((await confirm(ada, "confirm")).status).toBe(302);
  expect((await ada.get(twoStep)).status).toBe(200);
});
