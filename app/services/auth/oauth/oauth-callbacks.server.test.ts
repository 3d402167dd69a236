import { betterAuth } from "better-auth";
import pino from "pino";
import { expect, test } from "vitest";

import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

import { createAuthTables, createBetterAuth } from "#app/services/auth/better-auth.server.ts";
import type { BetterAuth } from "#app/services/auth/better-auth.server.ts";
import { createSecurityEvents } from "#app/services/auth/audit/security-events.server.ts";
import { createDevices } from "#app/services/auth/sessions/devices.server.ts";
import { createSignIns } from "#app/services/auth/sessions/sign-ins.server.ts";
import { createOAuthCallbacks, readCallbackParameters } from "./oauth-callbacks.server.ts";

type SignInOptions = { baseUrl?: string; trustedOrigins?: string[]; errorCallbackURL?: string };

describeOnEachDatabase("an OAuth callback", (makeDb, engine) => {
  /** Our configuration with a provider added, and a sign-in that was begun there. Nothing is sent to the provider. */
  async function beginSignIn({ baseUrl = "http://localhost:3000", ...given }: SignInOptions = {}) {
    const { trustedOrigins = [baseUrl], errorCallbackURL } = given;
    const db = await makeDb();
    await createAuthTables(db, engine);
    const log = pino({ level: "silent" });
    const secret = "0123456789abcdefghijklmnopqrstuv";
    const { options } = createBetterAuth({ db, engine, baseUrl, secret, log });
    const socialProviders = { google: { clientId: "id", clientSecret: "secret" } };
    const auth = betterAuth({ ...options, trustedOrigins, socialProviders }) as unknown as BetterAuth;
    const started = await auth.handler(
      new Request(`${baseUrl}/api/auth/sign-in/social`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ provider: "google", callbackURL: "/profile", errorCallbackURL, disableRedirect: true }),
      }),
    );
    const { url } = (await started.json()) as { url: string };
    const enqueueMail = async () => undefined;
    const devices = createDevices({ isSecure: false });
    const securityEvents = createSecurityEvents({ db, secret });
    const signIns = createSignIns({ auth, engine, isSecure: false, devices, securityEvents, enqueueMail });
    const state = new URL(url).searchParams.get("state") ?? "";
    const [setCookie = ""] = started.headers.getSetCookie();
    const { finishOAuth } = createOAuthCallbacks({ auth, db, baseUrl, signIns });
    const finish = (parameters: Record<string, string>, cookie: string) =>
      finishOAuth({
        provider: "google",
        parameters: new URLSearchParams(parameters),
        headers: new Headers({ cookie, "user-agent": "x", host: "evil.example" }),
      });
    return { state, setCookie, cookie: setCookie.split("; ")[0] ?? "", finish };
  }

  test("with the state of this browser passes the provider's error on, and works once", async () => {
    const { state, cookie, finish } = await beginSignIn();
    const denied = await finish({ state, error: "access_denied" }, `theme=dark; ${cookie}; other=x`);
    expect(denied.location).toBe("/auth?error=access_denied");
    expect(denied.cookies).toEqual([expect.stringMatching(/^meishi\.oauth_state=; Max-Age=0; Path=\/; HttpOnly;/)]);
    expect((await finish({ state, error: "access_denied" }, cookie)).location).toMatch(/^\/auth\?error=state_/);
  });

  test("with the state of another browser is refused, so that no one is signed in to a stranger's account", async () => {
    const { state, cookie, finish } = await beginSignIn();
    const other = await beginSignIn();
    for (const wrong of ["", `x${cookie}`, `\u00a0${cookie}`, other.cookie, cookie.replace(/.$/, "")]) {
      const refused = await finish({ state, code: "x" }, wrong);
      expect(refused, wrong).toEqual({ location: "/auth?error=state_mismatch", cookies: [] });
    }
  });

  test("never leads to another site", async () => {
    const evil = "https://evil.example";
    const { state, cookie, finish } = await beginSignIn({ errorCallbackURL: `${evil}/x`, trustedOrigins: [evil] });
    expect((await finish({ state, error: "denied" }, cookie)).location).toBe("/auth?error=sign_in_failed");
  });

  test.each(["//evil.example/x", "/.//evil.example", "/\\evil.example"])("never leads to %s", async (path) => {
    const { state, cookie, finish } = await beginSignIn({ errorCallbackURL: `http://localhost:3000${path}` });
    expect((await finish({ state, error: "denied" }, cookie)).location).toBe("/auth?error=sign_in_failed");
  });

  test("over HTTPS needs a state cookie that only this host can set", async () => {
    const { setCookie } = await beginSignIn({ baseUrl: "https://cards.example.com" });
    expect(setCookie).toMatch(/^__Host-meishi\.oauth_state=.+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  });
});

test("callback parameters are read once each, and unknown ones are left out", () => {
  const given = [
    ["state", "a"],
    ["id_token", "secret"],
    ["state", "b"],
    ["code", new Blob()],
  ] as const;
  expect([...readCallbackParameters(given)]).toEqual([["state", "a"]]);
});
