import { randomUUID } from "node:crypto";

import { describe, expect, test } from "vitest";

import { firstLink } from "#tests/support/app/responses.ts";
import { isSignedIn, locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { changeAll } from "#tests/support/database/account-rows.ts";
import { appleEnv, openProviders, providerEnv, ssoEnv } from "#tests/support/providers/provider-doubles.ts";
import { signInWith } from "#tests/support/providers/provider-visits.ts";
import { appleClaims, googleClaims, ssoClaims } from "#tests/support/providers/recorded-profiles.ts";

import { advance, openWithApp, passFirstStep, sendCode } from "./two-step-users.ts";

type Setup = Awaited<ReturnType<typeof open>>;

/** Goes one way in with everything but a second factor, in a new browser. Returns the response that would sign in. */
type WayIn = (browser: Visitor, setup: Setup) => Promise<Response>;

/** Ada with an authenticator app, and with her accounts at Google, Apple and the provider of single sign-on. */
async function open(env: Record<string, string> = {}) {
  const providers = await openProviders();
  const { app, ada } = await openWithApp({ ...providerEnv, ...appleEnv, ...ssoEnv(providers.issuer), ...env });
  const userId = (await app.services.auth.findUserId(ada.email)) ?? "";
  const time = new Date().toISOString();
  const rows = { google: googleClaims.sub, apple: appleClaims.sub, sso: ssoClaims.sub };
  for (const [providerId, accountId] of Object.entries(rows)) {
    const row = { id: randomUUID(), userId, providerId, accountId, createdAt: time, updatedAt: time };
    await app.services.db
      .insertInto("account" as "setting")
      .values(row as never)
      .execute();
  }
  return { app, ada, providers };
}

async function askForEmail(browser: Visitor, { app, ada }: Pick<Setup, "app" | "ada">) {
  await browser.post("/auth", { intent: "email-sign-in", email: ada.email });
  const text = (await app.mails())[0]?.text ?? "";
  return { link: firstLink(text), code: /\b\d{6}\b/.exec(text)?.[0] ?? "" };
}

/** The ways that prove who someone is: they wait for the second factor. */
const waysIn: [string, WayIn][] = [
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
const otherLinks: [string, WayIn][] = [
  [
    "the link of a sign-up with the account's address",
    async (browser, { app, ada }) => {
      await changeAll(app.services, "user", { emailVerified: 0 });
      await browser.post("/auth?tab=signup", { intent: "sign-up", email: ada.email, password: ada.password });
      return browser.post(firstLink((await app.mails())[0]?.text), {});
    },
  ],
  [
    "the link that confirms the own address",
    async (browser, { app, ada }) => {
      await changeAll(app.services, "user", { emailVerified: 0 });
      await ada.post("/account", { intent: "resend" });
      return browser.post(firstLink((await app.mails())[0]?.text), {});
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
  test.each(waysIn)("isn't entered with %s alone, and is with a code", async (_, enter) => {
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

  test("leads from a provider to the second step, and from there to the page that was asked for", async () => {
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
    for (const [name, enter] of waysIn) {
      const browser = setup.app.visitor();
      await enter(browser, setup);
      expect(await isSignedIn(browser), name).toBe(name === "single sign-on");
    }
  });
});
