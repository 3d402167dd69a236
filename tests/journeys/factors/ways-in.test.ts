import { generateKeyPairSync, randomUUID } from "node:crypto";

import { describe, expect, test } from "vitest";

import { firstLink } from "#tests/support/app/responses.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { openProviders, providerEnv } from "#tests/support/providers/provider-doubles.ts";
import type { ProviderDoubles } from "#tests/support/providers/provider-doubles.ts";
import { signInWith } from "#tests/support/providers/provider-visits.ts";
import { appleClaims, googleClaims, ssoClaims } from "#tests/support/providers/recorded-profiles.ts";

import { advance, createStillApp, isSignedIn, passFirstStep, signInWithApp } from "./two-step-users.ts";

type App = Awaited<ReturnType<typeof createStillApp>>;
type Ada = Awaited<ReturnType<typeof signInWithApp>>;

/** Goes one way in with everything but a second factor, in a new browser. Returns the response that would sign in. */
type WayIn = (browser: Visitor, of: { app: App; ada: Ada; providers: ProviderDoubles }) => Promise<Response>;

const logIn = ({ email, password }: { email: string; password: string }) => ({ intent: "log-in", email, password });

/** The ways that prove who someone is: they wait for the second factor. */
const waysIn: [string, WayIn][] = [
  ["the password", async (browser, { ada }) => browser.post("/auth", logIn(ada))],
  ["the dialog of an ended session", async (browser, { ada }) => browser.post("/auth/here", logIn(ada))],
  [
    "a link by email",
    async (browser, { app, ada }) => {
      await browser.post("/auth", { intent: "email-sign-in", email: ada.email });
      return browser.post(firstLink((await app.mails())[0]?.text), {});
    },
  ],
  [
    "a link by email in another browser",
    async (browser, { app, ada }) => {
      await app.visitor().post("/auth", { intent: "email-sign-in", email: ada.email });
      return browser.post(firstLink((await app.mails())[0]?.text), { browser: "other" });
    },
  ],
  [
    "a code by email",
    async (browser, { app, ada }) => {
      await browser.post("/auth", { intent: "email-sign-in", email: ada.email });
      const [mail] = await app.mails();
      return browser.post("/auth/code", { code: /\b\d{6}\b/.exec(mail?.text ?? "")?.[0] ?? "" });
    },
  ],
  ["Google", async (browser, { providers }) => signInWith(browser, "google", { providers })],
  ["Apple", async (browser, { providers }) => signInWith(browser, "apple", { providers })],
  ["single sign-on", async (browser, { providers }) => signInWith(browser, "sso", { providers })],
];

/** What changes an account by email: it signs no one in. */
const otherLinks: [string, WayIn][] = [
  [
    "the link of a sign-up with the account's address",
    async (browser, { app, ada }) => {
      await changeUser(app, { emailVerified: 0 });
      await browser.post("/auth?tab=signup", { intent: "sign-up", email: ada.email, password: ada.password });
      return browser.post(firstLink((await app.mails())[0]?.text), {});
    },
  ],
  [
    "the link that confirms the own address",
    async (browser, { app, ada }) => {
      await changeUser(app, { emailVerified: 0 });
      await ada.post("/account", { intent: "resend" });
      return browser.post(firstLink((await app.mails())[0]?.text), {});
    },
  ],
  [
    "a password reset",
    async (browser, { app, ada }) => {
      await browser.post("/forgot-password", { email: ada.email });
      const link = firstLink((await app.mails())[0]?.text);
      return browser.post(link, { password: ada.password, confirm: ada.password });
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
      const form = { password: ada.password, confirm: ada.password };
      return browser.post(restored.headers.get("location") ?? "", form);
    },
  ],
];

describe("an account with two-step verification", () => {
  test.each(waysIn)("isn't entered with %s alone, and is with a code", async (_, enter) => {
    const { app, ada, providers } = await open();
    const browser = app.visitor();
    await enter(browser, { app, ada, providers });
    expect(await isSignedIn(browser)).toBe(false);
    expect([...browser.cookies.keys()]).toContain("meishi.challenge");
    expect((await browser.post("/auth/verify", { code: "000000" })).status).toBe(400);
    expect((await browser.post("/auth/verify", { code: ada.code() })).status).toBe(302);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test.each(otherLinks)("isn't entered by %s, and still asks for a code after it", async (_, openLink) => {
    const { app, ada, providers } = await open();
    const browser = app.visitor();
    const response = await openLink(browser, { app, ada, providers });
    expect(response.status).toBeLessThan(400);
    expect(await isSignedIn(browser)).toBe(false);
    expect([...browser.cookies.keys()]).not.toContain("meishi.challenge");
    // Without a confirmed address, not even the password is accepted.
    await changeUser(app, { emailVerified: 1 });
    await passFirstStep(app, ada);
  });

  test("isn't entered with an account that is connected only", async () => {
    const { app } = await open();
    const browser = app.visitor();
    expect((await browser.post("/auth/with/github", {})).status).toBe(404);
    expect([...browser.cookies.keys()]).toEqual([]);
  });

  test("leads from a provider to the second step, and from there to the page that was asked for", async () => {
    const { app, ada, providers } = await open();
    const browser = app.visitor();
    const query = "?returnTo=%2Fcards%2Fedit";
    const callback = await signInWith(browser, "google", { providers, query });
    const path = callback.headers.get("location") ?? "";
    expect(path).toBe("/auth/verify?returnTo=%2Fcards%2Fedit");
    expect(await (await browser.get(path)).text()).toContain("Two-step verification");
    const done = await browser.post(path, { code: ada.code() });
    expect(done.headers.get("location")).toBe("/cards/edit");
  });

  test("is entered with single sign-on alone where the operator says that it has two steps, and with nothing else", async () => {
    const { app, ada, providers } = await open({ OIDC_SKIP_TWO_STEP: "on" });
    const browser = app.visitor();
    await signInWith(browser, "sso", { providers });
    expect(await isSignedIn(browser)).toBe(true);
    for (const [name, enter] of waysIn.filter(([way]) => way !== "single sign-on")) {
      const other = app.visitor();
      await enter(other, { app, ada, providers });
      expect(await isSignedIn(other), name).toBe(false);
    }
  });
});

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const apple = {
  APPLE_CLIENT_ID: "com.example.web",
  APPLE_TEAM_ID: "TEAM123456",
  APPLE_KEY_ID: "KEY1234567",
  APPLE_PRIVATE_KEY: privateKey.export({ type: "pkcs8", format: "pem" }),
};

/** Ada with an authenticator app, and with her accounts at Google, Apple and the provider of single sign-on. */
async function open(env: Record<string, string> = {}) {
  const providers = await openProviders();
  const oidc = { OIDC_ISSUER: providers.issuer, OIDC_CLIENT_ID: "meishi", OIDC_CLIENT_SECRET: "sesame" };
  const app = await createStillApp({ ...providerEnv, ...apple, ...oidc, ...env });
  const ada = await signInWithApp(app);
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
  advance(30);
  return { app, ada, providers };
}

/** better-auth's tables are not in our schema. */
async function changeUser({ services }: App, values: Record<string, unknown>) {
  await services.db
    .updateTable("user" as "setting")
    .set(values as never)
    .execute();
}
