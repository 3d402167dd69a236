import { createHash } from "node:crypto";

import { describe, expect, test } from "vitest";

import { deleteMailedLinks, setUserEmail } from "#app/services/auth/user-rows.server.ts";
import { clientKey } from "#app/services/client-api/client-route.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";

import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

import { createClientApp, openClient } from "./client-app.ts";

const password = "tea with Charles";
const redirect = "http://localhost:3000/profile";

/** Opens the link of the last mail with this in its subject, as a browser does, and returns where it leads. */
async function followMail(product: Pick<TestApp, "app" | "mails">, subject: string): Promise<URL> {
  const response = await product.app.request(await linkOf(product, subject));
  expect(response.status).toBe(303);
  return new URL(response.headers.get("location") ?? "");
}

async function linkOf({ mails }: Pick<TestApp, "mails">, subject: string): Promise<string> {
  const [mail] = await mails(subject);
  return /http\S+\/auth\/v1\/verify\S+/.exec(mail?.text ?? "")?.[0] ?? "";
}

/** The session after "#", as the client reads it from the address. */
function sessionIn({ hash }: URL) {
  const values = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  return { ...values, access_token: values.access_token ?? "", refresh_token: values.refresh_token ?? "" };
}

describe("a sign-up from an app", () => {
  test("gets the same response for a new address and a known one, without a session", async () => {
    const product = await createTestApp();
    await product.signedIn("known@example.com");
    const { client } = openClient(product);
    const shapes = [];
    for (const email of ["known@example.com", "unknown@example.com"]) {
      const { data, error } = await client.auth.signUp({ email, password });
      expect([error, data.session]).toEqual([null, null]);
      shapes.push(JSON.stringify(data).replaceAll(/"[\w-]{36}"|"\d{4}-[^"]+"|\w+@/g, "…"));
    }
    expect(shapes[0]).toBe(shapes[1]);
    expect((await product.mails("You already have")).map(({ to }) => to)).toEqual(["known@example.com"]);
    const weak = await client.auth.signUp({ email: "new@example.com", password: "12345" });
    expect([weak.error?.status, weak.error?.code]).toEqual([422, "weak_password"]);
    const elsewhere = { emailRedirectTo: "https://evil.example/" };
    const foreign = await client.auth.signUp({ email: "new@example.com", password, options: elsewhere });
    expect(foreign.error?.message).toContain("API_APP_ORIGINS");
  });

  test("with PKCE is confirmed by its link and a code that only this app can use, with its password", async () => {
    const product = await createTestApp({ env: { API_APP_ORIGINS: "https://app.example, myapp://callback" } });
    const { client } = openClient(product, { flowType: "pkce" });
    const back = { emailRedirectTo: "myapp://callback/welcome" };
    await client.auth.signUp({ email: "ada@example.com", password, options: back });
    // A scanner of mails may have opened it first.
    const scanned = await followMail(product, "Confirm");
    const to = await followMail(product, "Confirm");
    expect(to.href).toMatch(/^myapp:\/\/callback\/welcome\?code=[\w-]{32}$/);
    const code = to.searchParams.get("code") ?? "";
    const thief = openClient(product, { flowType: "pkce" }).client;
    await thief.auth.signInWithOtp({ email: "other@example.com" });
    const stolen = scanned.searchParams.get("code") ?? "";
    expect((await thief.auth.exchangeCodeForSession(stolen)).error?.code).toBe("flow_state_not_found");
    const { data, error } = await client.auth.exchangeCodeForSession(code);
    expect([error, data.session?.user.email]).toEqual([null, "ada@example.com"]);
    expect((await client.auth.signInWithPassword({ email: "ada@example.com", password })).error).toBeNull();
    const token_hash = new URL(await linkOf(product, "Confirm")).searchParams.get("token") ?? "";
    expect((await client.auth.verifyOtp({ type: "signup", token_hash })).error?.code).toBe("otp_expired");
    // Sent again, it may be for a stranger's sign-up: it proves the mailbox alone, and a password can be set.
    await client.auth.signUp({ email: "eve@example.com", password, options: back });
    expect((await client.auth.resend({ type: "signup", email: "eve@example.com" })).error).toBeNull();
    const again = await followMail(product, "Confirm");
    await client.auth.exchangeCodeForSession(again.searchParams.get("code") ?? "");
    const eve = { email: "eve@example.com", password };
    expect((await openClient(product).client.auth.signInWithPassword(eve)).error?.code).toBe("invalid_credentials");
    expect((await client.auth.updateUser({ password })).error).toBeNull();
    expect((await openClient(product).client.auth.signInWithPassword(eve)).error).toBeNull();
  });

  test("without PKCE leads to the page that asks for a password, because a stranger may have chosen the first", async () => {
    const product = await createTestApp();
    const { client } = openClient(product);
    const confirmed = async () =>
      (await client.auth.signInWithPassword({ email: "ada@example.com", password })).error === null;
    await client.auth.signUp({ email: "ada@example.com", password });
    const to = await followMail(product, "Confirm");
    expect(to.pathname).toBe("/auth/confirm");
    expect(await (await product.visitor().get(to.pathname + to.search)).text()).toContain("password");
    // The token itself signs in, but the password that came with it is gone.
    const token_hash = new URL(await linkOf(product, "Confirm")).searchParams.get("token") ?? "";
    const { data } = await client.auth.verifyOtp({ type: "signup", token_hash });
    expect(data.session?.user.email_confirmed_at).toBeTruthy();
    expect(await confirmed()).toBe(false);
  });
});

describe("a mail to sign in", () => {
  test("has six digits and a link, of which one works once", async () => {
    const product = await createClientApp();
    const { client, ada } = product;
    await client.auth.signOut();
    const email = ada.email;
    const options = { emailRedirectTo: redirect };
    await client.auth.signInWithOtp({ email, options });
    const digits = async () => /^\d{6}$/m.exec((await product.mails("Sign in"))[0]?.text ?? "")?.[0] ?? "";
    const right = await digits();
    const wrong = right === "000000" ? "111111" : "000000";
    expect((await client.auth.verifyOtp({ type: "email", email, token: wrong })).error?.code).toBe("otp_expired");
    const { data } = await client.auth.verifyOtp({ type: "email", email, token: right });
    expect(data.session?.user.email).toBe(email);
    expect((await client.auth.verifyOtp({ type: "email", email, token: right })).error?.code).toBe("otp_expired");
    const used = await followMail(product, "Sign in");
    expect(sessionIn(used)).toMatchObject({ error_code: "otp_expired" });
    await client.auth.signInWithOtp({ email, options });
    const to = await followMail(product, "Sign in");
    expect(to.href).toMatch(/^http:\/\/localhost:3000\/profile#/);
    expect((await client.auth.setSession(sessionIn(to))).data.user?.email).toBe(email);
  });

  test("has digits that replace those of an earlier mail, whose link still works", async () => {
    const product = await createClientApp();
    const { ada } = product;
    const email = ada.email;
    const { client } = openClient(product);
    await client.auth.signInWithOtp({ email });
    const [first] = await product.mails("Sign in");
    await client.auth.signInWithOtp({ email });
    const token = /^\d{6}$/m.exec(first?.text ?? "")?.[0] ?? "";
    expect((await client.auth.verifyOtp({ type: "email", email, token })).error?.code).toBe("otp_expired");
    const link = /http\S+\/auth\/v1\/verify\S+/.exec(first?.text ?? "")?.[0] ?? "";
    const to = new URL((await product.app.request(link)).headers.get("location") ?? "");
    expect((await client.auth.setSession(sessionIn(to))).data.user?.email).toBe(email);
  });

  test("isn't sent to an unknown address, and guesses are limited, with the same responses", async () => {
    const product = await createClientApp();
    const { client, ada } = product;
    for (const email of [ada.email, "nobody@example.com"]) {
      const { error } = await client.auth.signInWithOtp({ email });
      const codes = [];
      for (let guess = 0; guess < 6; guess++)
        codes.push((await client.auth.verifyOtp({ type: "email", email, token: "000000" })).error?.code);
      expect([error, codes.at(0), codes.at(-1)]).toEqual([null, "otp_expired", "over_request_rate_limit"]);
    }
    expect((await product.mails("Sign in")).map(({ to }) => to)).toEqual([ada.email]);
  });
});

test("the client reports each change of a session, in order", async () => {
  // So short that the client refreshes the token at its first look.
  const product = await createTestApp({ accessTokenSeconds: 60 });
  const ada = await product.signedIn();
  const { client } = openClient(product, { persistSession: true, storageKey: "events" });
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => void (events.includes(event) || events.push(event)));
  await expect.poll(() => events).toEqual(["INITIAL_SESSION"]);
  await client.auth.signInWithPassword({ email: ada.email, password: ada.password });
  await client.auth.startAutoRefresh();
  await expect.poll(() => events).toContain("TOKEN_REFRESHED");
  await client.auth.stopAutoRefresh();
  await client.auth.resetPasswordForEmail(ada.email, { redirectTo: redirect });
  const token_hash = new URL(await linkOf(product, "Set a new password")).searchParams.get("token") ?? "";
  await client.auth.verifyOtp({ type: "recovery", token_hash });
  await client.auth.updateUser({ password });
  await client.auth.signOut();
  const changes = ["SIGNED_IN", "TOKEN_REFRESHED", "PASSWORD_RECOVERY", "USER_UPDATED", "SIGNED_OUT"];
  expect(events).toEqual(["INITIAL_SESSION", ...changes]);
});

describe("a forgotten password", () => {
  test("is set in the session of the mailed link; all other sessions end and the owner is notified", async () => {
    const product = await createClientApp();
    const { client, ada, session, mails } = product;
    const before = await ada.get("/account");
    const other = openClient(product).client;
    await other.auth.resetPasswordForEmail(ada.email, { redirectTo: "http://localhost:3000/reset-password" });
    expect((await mails("Set a new password"))[0]?.text).toContain("Enter this code in the app");
    const to = await followMail(product, "Set a new password");
    expect([to.pathname, sessionIn(to)]).toMatchObject(["/reset-password", { type: "recovery", token_type: "bearer" }]);
    await other.auth.setSession(sessionIn(to));
    expect((await other.auth.updateUser({ password: "short" })).error?.code).toBe("weak_password");
    expect((await other.auth.updateUser({ password: ada.password })).error?.code).toBe("same_password");
    expect((await other.auth.updateUser({ password })).error).toBeNull();
    expect((await other.auth.getUser()).data.user?.email).toBe(ada.email);
    expect((await client.auth.getUser(session.access_token)).error?.name).toBe("AuthSessionMissingError");
    expect([before.status, (await ada.get("/account")).status]).toEqual([200, 302]);
    expect(await mails("password was changed")).toHaveLength(1);
    expect((await client.auth.signInWithPassword({ email: ada.email, password })).error).toBeNull();
  });

  test("in another session is changed only with a mailed nonce, like the email", async () => {
    const product = await createClientApp();
    const { client, mails } = product;
    for (const change of [{ password }, { email: "new@example.com" }])
      expect((await client.auth.updateUser(change)).error?.code).toBe("reauthentication_needed");
    await client.auth.reauthenticate();
    const [mail] = await mails("is your Meishi code");
    const nonce = /^\d{6}/.exec(mail?.subject ?? "")?.[0] ?? "";
    const wrong = nonce === "000000" ? "111111" : "000000";
    expect((await client.auth.updateUser({ password, nonce: wrong })).error?.code).toBe("reauthentication_not_valid");
    expect((await client.auth.updateUser({ password, nonce })).error).toBeNull();
    const { data } = await client.auth.updateUser({ email: "new@example.com" });
    expect(data.user).toMatchObject({ new_email: "new@example.com" });
    expect((await mails("new email")).map(({ to }) => to)).toContain("new@example.com");
    expect((await client.auth.updateUser({ data: { color: "red" } })).error?.message).toContain("table profiles");
  });
});

test("a link that was mailed for an app is void once the account has another address or password", async () => {
  const product = await createClientApp();
  const { client, services, userId, ada } = product;
  const { engine, db } = services;
  const changes: ((trx: Trx) => Promise<void>)[] = [
    (trx) => deleteMailedLinks(trx, userId),
    (trx) => setUserEmail(trx, { userId, email: "new@example.com", engine }).then(() => deleteMailedLinks(trx, userId)),
  ];
  for (const change of changes) {
    await client.auth.resetPasswordForEmail(ada.email);
    const token_hash = new URL(await linkOf(product, "Set a new password")).searchParams.get("token") ?? "";
    await transact(db, change);
    expect((await client.auth.verifyOtp({ type: "recovery", token_hash })).error?.code).toBe("otp_expired");
  }
});

test("a code that a browser got for an app is void once the account's sessions have ended", async () => {
  const { client, app, services, userId } = await createClientApp();
  const challenge = createHash("sha256").update("verifier").digest("base64url");
  const back = { redirectTo: "http://localhost:3000/", challenge };
  const auth_code = await services.auth.createBrowserCode({ userId, method: "google", ...back });
  await client.auth.signOut({ scope: "global" });
  const response = await app.request("http://localhost:3000/auth/v1/token?grant_type=pkce", {
    method: "POST",
    headers: { apikey: clientKey(services) },
    body: JSON.stringify({ auth_code, code_verifier: "verifier" }),
  });
  expect([response.status, (await response.json()).code]).toEqual([403, "flow_state_not_found"]);
});

test("a challenge that no client sends is refused, whether the address has an account or not", async () => {
  const { app, services, ada } = await createClientApp();
  const ask = async (email: string, code_challenge: string) => {
    const response = await app.request("http://localhost:3000/auth/v1/otp", {
      method: "POST",
      headers: { apikey: clientKey(services) },
      body: JSON.stringify({ email, code_challenge, code_challenge_method: "s256" }),
    });
    return response.status;
  };
  // PostgreSQL stores no NUL: only the known address would fail.
  for (const challenge of ["\0".repeat(43), "short", "x".repeat(44)])
    expect([await ask(ada.email, challenge), await ask("nobody@example.com", challenge)]).toEqual([400, 400]);
});
