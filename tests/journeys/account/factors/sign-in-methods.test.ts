import { randomUUID } from "node:crypto";

import { describe, expect, test } from "vitest";

import { firstLink } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { isSignedIn, locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { changeAll, insertRows, removePasswords } from "#tests/support/database/account-rows.ts";
import { appleEnv, openProviders, providerEnv, ssoEnv } from "#tests/support/providers/provider-doubles.ts";
import { signInWith } from "#tests/support/providers/provider-visits.ts";
import { appleClaims, googleClaims, ssoClaims } from "#tests/support/providers/recorded-profiles.ts";

import { advance, openWithApp, passFirstStep, sendCode, twoStep } from "./two-step-users.ts";

type Setup = Awaited<ReturnType<typeof open>>;

/** Signs in by one method with everything but a second factor, in a new browser. Returns the response that would sign in. */
type SignInMethod = (browser: Visitor, setup: Setup) => Promise<Response>;

/** Ada with an authenticator app, and with her accounts at Google, Apple and the provider of single sign-on. */
async function open(env: Record<string, string> = {}) {
  const providers = await openProviders();
  const { app, ada } = await openWithApp({ ...providerEnv, ...appleEnv, ...ssoEnv(providers.issuer), ...env });
  const userId = (await app.services.auth.findUserId(ada.email)) ?? "";
  const time = new Date().toISOString();
  const rows = { google: googleClaims.sub, apple: appleClaims.sub, sso: ssoClaims.sub };
  for (const [providerId, accountId] of Object.entries(rows)) {
    const account = { id: randomUUID(), userId, providerId, accountId, createdAt: time, updatedAt: time };
    await insertRows(app.services, { account });
  }
  return { app, ada, providers };
}

async function askForEmail(browser: Visitor, { app, ada }: Pick<Setup, "app" | "ada">) {
  await browser.post("/auth", { intent: "email-sign-in", email: ada.email });
  const text = (await app.mails("Sign in to Meishi"))[0]?.text ?? "";
  return { link: firstLink(text), code: /\b\d{6}\b/.exec(text)?.[0] ?? "" };
}

test("passkeys are offered, but not where the site's address is an IP address", async () => {
  const offers = async (url: string) => {
    const app = await createTestApp({ env: { BASE_URL: url } });
    const ada = await app.signedIn();
    const pages = [
      await readPage(app.visitor(), "/auth"),
      await readPage(ada, "/account"),
      await readPage(ada, twoStep),
    ];
    return pages.filter((page) => />[^<]*passkeys?</i.test(page)).length;
  };
  expect(
    await Promise.all(["http://localhost:3000", "http://192.0.2.1:3000", "http://[::1]:3000"].map(offers)),
  ).toEqual([3, 0, 0]);
});

/** The methods that prove who someone is: they wait for the second factor. */
const methods: [string, SignInMethod][] = [
  ["the password", (browser, { ada }) => logIn(browser, ada)],
  [
    "the dialog of an ended session",
    (browser, { ada: { email, password } }) => browser.post("/auth/here", { email, password }),
  ],
  ["a link by email", async (browser, setup) => browser.post((await askForEmail(browser, setup)).link, {})],
  [
    "a link by email in another browser",
    async (browser, setup) => browser.post((await askForEmail(setup.app.visitor(), setup)).link, { browser: "other" }),
  ],
  [
    "a code by email",
    async (browser, setup) => browser.post("/auth/code", { code: (await askForEmail(browser, setup)).code }),
  ],
  ["Google", (browser, setup) => signInWith(browser, "google", setup)],
  ["Apple", (browser, setup) => signInWith(browser, "apple", setup)],
  ["single sign-on", (browser, setup) => signInWith(browser, "sso", setup)],
];

/** What changes an account by email: it signs no one in. A new password by mail is in bypasses.test.ts. */
const otherLinks: [string, SignInMethod][] = [
  [
    "the link of a sign-up with the account's address",
    async (browser, { app, ada }) => {
      await changeAll(app.services, "user", { emailVerified: 0 });
      await browser.post("/auth?tab=signup", { intent: "sign-up", email: ada.email, password: ada.password });
      return browser.post(firstLink((await app.mails("Confirm your email"))[0]?.text), {});
    },
  ],
  [
    "the link that confirms the own address",
    async (browser, { app, ada }) => {
      await changeAll(app.services, "user", { emailVerified: 0 });
      await ada.post("/account", { intent: "resend" });
      return browser.post(firstLink((await app.mails("Confirm your email"))[0]?.text), {});
    },
  ],
  [
    "the link that undoes a change of the email",
    async (browser, { app, ada }) => {
      const to = "thief@example.com";
      // What was added in the day before the change is removed with it.
      advance(25 * 3600);
      await ada.post("/account/verify", { password: ada.password, factor: ada.code() });
      await ada.post("/account", { intent: "change-email", email: to, current: ada.password });
      await ada.post(firstLink((await app.mails()).find((mail) => mail.to === to)?.text), {});
      const notice = (await app.mails()).find((mail) => mail.to === ada.email && mail.text.includes("/restore"));
      const restored = await browser.post(/\S+\/account\/email\/restore\S+/.exec(notice?.text ?? "")?.[0] ?? "", {});
      return browser.post(locationOf(restored) ?? "", { password: ada.password, confirm: ada.password });
    },
  ],
];

describe("an account with two-step verification", () => {
  test.each(methods)("isn't entered with %s alone, and is with a code", async (_, enter) => {
    const setup = await open();
    const browser = setup.app.visitor();
    await enter(browser, setup);
    expect(await isSignedIn(browser)).toBe(false);
    expect([...browser.cookies.keys()]).toContain("meishi.challenge");
    expect([await sendCode(browser, "000000"), await sendCode(browser, setup.ada.code())]).toEqual([400, 302]);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test.each(otherLinks)("isn't entered by %s, and still asks for a code after it", async (_, openLink) => {
    const setup = await open();
    const browser = setup.app.visitor();
    expect((await openLink(browser, setup)).status).toBeLessThan(400);
    expect(await isSignedIn(browser)).toBe(false);
    expect([...browser.cookies.keys()]).not.toContain("meishi.challenge");
    // Without a confirmed address, not even the password is accepted.
    await changeAll(setup.app.services, "user", { emailVerified: 1 });
    await passFirstStep(setup.app, setup.ada);
  });

  test("leads from a provider to the second step, and from there to the requested page", async () => {
    const { app, ada, providers } = await open();
    const browser = app.visitor();
    const query = "?returnTo=%2Fcards%2Fedit";
    const path = locationOf(await signInWith(browser, "google", { providers, query })) ?? "";
    expect(path).toBe("/auth/verify?returnTo=%2Fcards%2Fedit");
    expect(await readPage(browser, path)).toContain("Two-step verification");
    expect(locationOf(await browser.post(path, { code: ada.code() }))).toBe("/cards/edit");
  });

  test("is entered with single sign-on alone where the operator says that it has two steps, and with nothing else", async () => {
    const setup = await open({ OIDC_SKIP_TWO_STEP: "on" });
    for (const [name, enter] of methods) {
      const browser = setup.app.visitor();
      await enter(browser, setup);
      expect(await isSignedIn(browser), name).toBe(name === "single sign-on");
    }
  });
});

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
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining("This code isn’t right")]);
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
  expect((await app.mails("A backup code was used"))[0]?.text).toContain("9 backup codes are left.");
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
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("First confirm it’s you")]);
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
  const code =
    /^(\d{6}) is your Meishi code$/.exec((await app.mails("is your Meishi code"))[0]?.subject ?? "")?.[1] ?? "";
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
