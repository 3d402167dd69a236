import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";

import { createTestApp } from "#tests/support/app/test-app.ts";

import { createClientApp, openClient } from "./client-app.ts";

describe("an app that signs in with a password", () => {
  test("gets a session with the user, which the client verifies by itself, and which is in the owner's list", async () => {
    const { client, ada, userId, session } = await createClientApp();
    expect(session).toMatchObject({
      token_type: "bearer",
      expires_in: 900,
      user: { id: userId, role: "authenticated" },
    });
    const claims = decodeJwt(session.access_token);
    expect(claims).toMatchObject({ sub: userId, role: "authenticated", aal: "aal1", email: ada.email });
    expect(claims.amr).toEqual([{ method: "password", timestamp: expect.any(Number) }]);
    const { data: user } = await client.auth.getUser();
    expect(user.user).toMatchObject({ email: ada.email, identities: [{ provider: "email" }], factors: [] });
    expect(user.user?.email_confirmed_at).toBeTruthy();
    // Checked with the key of /.well-known/jwks.json.
    const { data, error } = await client.auth.getClaims();
    expect([error, data?.claims.session_id]).toEqual([null, claims.session_id]);
    expect(await (await ada.get("/account/sessions")).text()).toContain("App (");
  });

  test("learns the same of a wrong password and of an unknown address, and meets the limits of the login page", async () => {
    const product = await createClientApp();
    const { client, ada } = product;
    const tryOut = (email: string) => client.auth.signInWithPassword({ email, password: "wrong-password" });
    for (const email of [ada.email, "nobody@example.com"]) {
      const { error } = await tryOut(email);
      expect([error?.status, error?.code, error?.message]).toEqual([
        400,
        "invalid_credentials",
        "Invalid login credentials",
      ]);
    }
    const codes = [];
    for (let guess = 0; guess < 12; guess++) codes.push((await tryOut(ada.email)).error?.code);
    expect(codes.at(-1)).toBe("over_request_rate_limit");
    const page = await product
      .visitor()
      .post("/auth", { intent: "log-in", email: ada.email, password: "wrong-password" });
    expect(page.status).toBe(429);
  });

  test("is refused without the key, with another, when it is blocked, and when the API is turned off", async () => {
    const product = await createClientApp();
    const { app, session } = product;
    const get = (headers: { authorization: string; apikey?: string }) =>
      app.request("http://localhost:3000/auth/v1/user", { headers });
    const authorization = `Bearer ${session.access_token}`;
    for (const headers of [{ authorization }, { authorization, apikey: "sb_publishable_other" }]) {
      const response = await get(headers);
      expect([response.status, (await response.json()).code]).toEqual([401, "no_authorization"]);
    }
    const off = await createTestApp({ env: { DATA_API: "off" } });
    const { error } = await openClient(off).client.auth.signInWithPassword({
      email: "a@example.com",
      password: "secret",
    });
    expect(error).toBeTruthy();
    expect((await off.app.request("http://localhost:3000/auth/v1/settings")).status).toBe(404);
    const onlySso = {
      OIDC_ISSUER: "https://id.example",
      OIDC_CLIENT_ID: "1",
      OIDC_CLIENT_SECRET: "2",
      OIDC_ONLY: "on",
    };
    const sso = openClient(await createTestApp({ env: onlySso })).client;
    const refused = await sso.auth.signInWithPassword({ email: "a@example.com", password: "secret" });
    expect(refused.error?.code).toBe("email_provider_disabled");
  });
});

describe("a session of an app", () => {
  test("is refreshed, also by two tabs at once; a token that is used again later ends it", async () => {
    const product = await createClientApp();
    const { client, session, services } = product;
    const first = await client.auth.refreshSession();
    expect(first.data.session?.refresh_token).not.toBe(session.refresh_token);
    const other = openClient(product).client;
    expect((await other.auth.refreshSession({ refresh_token: session.refresh_token })).error).toBeNull();
    await services.db.updateTable("refresh_token").set({ used_at: 1 }).where("used_at", "is not", null).execute();
    const reused = await other.auth.refreshSession({ refresh_token: session.refresh_token });
    expect(reused.error?.code).toBe("refresh_token_already_used");
    expect((await client.auth.getUser(first.data.session?.access_token)).error?.name).toBe("AuthSessionMissingError");
    expect((await client.auth.refreshSession()).error?.name).toBe("AuthSessionMissingError");
    expect((await client.auth.refreshSession({ refresh_token: "x".repeat(32) })).error?.code).toBe(
      "refresh_token_not_found",
    );
  });

  test("goes on with one token: those that two tabs got at once end together, and refreshes are limited", async () => {
    const product = await createClientApp();
    const { session, services } = product;
    const refresh = async (refresh_token = "") => {
      const { data, error } = await openClient(product).client.auth.refreshSession({ refresh_token });
      return data.session?.refresh_token ?? error?.code;
    };
    const ageUsed = () =>
      services.db.updateTable("refresh_token").set({ used_at: 1 }).where("used_at", "is not", null).execute();
    const [own, copy] = [await refresh(session.refresh_token), await refresh(session.refresh_token)];
    const next = await refresh(own);
    await ageUsed();
    expect(await refresh(copy)).toBe("refresh_token_already_used");
    expect(await refresh(next)).toBeUndefined();
    const other = await createClientApp();
    const again = () => openClient(other).client.auth.refreshSession({ refresh_token: other.session.refresh_token });
    const codes = new Set();
    for (let n = 0; n < 121; n++) codes.add((await again()).error?.code);
    expect([...codes]).toEqual([undefined, "over_request_rate_limit"]);
  });

  test.each([
    ["local", { own: true, other: false, browser: false }],
    ["others", { own: false, other: true, browser: true }],
    ["global", { own: true, other: true, browser: true }],
  ] as const)("signing out with the scope %s ends access at once, not when the token expires", async (scope, ended) => {
    const product = await createClientApp();
    const { client, ada, session } = product;
    const other = openClient(product).client;
    await other.auth.signInWithPassword({ email: ada.email, password: ada.password });
    expect((await client.auth.signOut({ scope })).error).toBeNull();
    const hasEnded = async (token: string | undefined) => (await client.auth.getUser(token)).error !== null;
    expect(await hasEnded(session.access_token)).toBe(ended.own);
    expect(await hasEnded((await other.auth.getSession()).data.session?.access_token)).toBe(ended.other);
    expect((await ada.get("/account")).status === 302).toBe(ended.browser);
  });

  test("ends when its owner ends it in the list of sessions, or resets the password", async () => {
    const { client, ada, session, services, userId } = await createClientApp();
    const [own] = (await services.auth.listSessions({ userId, headers: new Headers() })).filter(({ browser }) =>
      browser.startsWith("App"),
    );
    await ada.post("/account/sessions", { intent: "end", id: own?.id ?? "" });
    const { error } = await client.auth.getUser(session.access_token);
    expect(error?.name).toBe("AuthSessionMissingError");
  });
});
