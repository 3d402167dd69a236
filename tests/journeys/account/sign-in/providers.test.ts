import { createPublicKey } from "node:crypto";

import { decodeJwt, jwtVerify } from "jose";
import { expect, test, vi } from "vitest";

import { createAppleSecret } from "#app/services/auth/oauth/apple-secret.server.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { isSignedIn, locationOf, readPage } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { certifiedClient, openCertifiedProvider } from "#tests/support/providers/certified-provider.ts";
import type { CertifiedProvider } from "#tests/support/providers/certified-provider.ts";
import { appleEnv } from "#tests/support/providers/provider-doubles.ts";
import {
  listUsers,
  openProvider,
  openProviderApp,
  readProviderUrl,
  signInWith,
} from "#tests/support/providers/provider-visits.ts";
import { appleClaims, appleUser } from "#tests/support/providers/recorded-profiles.ts";

test("signs in with discovery, PKCE and a nonce, and signing out here signs out there", async () => {
  const { visitor, providers } = await openProviderApp();
  expect(await readPage(visitor(), "/auth")).toContain("Continue with Example Corp");
  const ada = visitor();
  const url = new URL(await openProvider(ada, "sso"));
  expect(url.origin).toBe(providers.issuer);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    code_challenge_method: "S256",
    nonce: expect.stringMatching(/.{20}/),
    scope: "openid email profile",
  });
  const callback = await providers.approve(url.href);
  expect(locationOf(await ada.get(callback.pathname + callback.search))).toBe("/start");
  expect(locationOf(await signInWith(visitor(), "sso", { providers }))).toBe("/home");
  const end = new URL(await readProviderUrl(await ada.post("/auth/sign-out", {})));
  expect(end.origin + end.pathname).toBe(`${providers.issuer}/endsession`);
  expect(end.searchParams.get("post_logout_redirect_uri")).toBe("http://localhost:3000/auth");
  expect(end.searchParams.get("id_token_hint")).toMatch(/^eyJ/);
  expect((await ada.get("/profile")).status).toBe(302);
});

test("a provider that is down at the start is found later", async () => {
  const { visitor, providers } = await openProviderApp();
  providers.state.health = "down";
  const failed = locationOf(await visitor().post("/auth/with/sso", {})) ?? "";
  expect(failed).toBe("/auth?error=unreachable&provider=sso");
  const text = "We couldn’t reach Example Corp. Try again or sign in with your password.";
  expect(await readPage(visitor(), failed)).toContain(text);
  providers.state.health = "ok";
  expect(locationOf(await signInWith(visitor(), "sso", { providers }))).toBe("/start");
});

test("offers no start of a kiosk with the sign-out, which leads to the provider", async () => {
  const { visitor, signedIn, providers } = await openProviderApp();
  const createLink = async (owner: Visitor) => {
    const card = await makeCard(owner);
    await owner.post(`/cards/${card}/leads`, { is_on: "on", version: "0", months: "24" });
    return (await owner.post(`/cards/${card}/kiosk`, { intent: "create", name: "Tablet" })).text();
  };
  const ada = visitor();
  await signInWith(ada, "sso", { providers });
  const page = await createLink(ada);
  expect(page).toContain("Kiosk link created");
  expect(page).not.toContain("Sign out and start here");
  expect(await createLink(await signedIn("grace@example.com"))).toContain("Sign out and start here");
});

test("OIDC_ONLY leaves no other sign-in method, and no failure speaks of a password that can't be used", async () => {
  const { visitor, signedIn, providers } = await openProviderApp({ env: { OIDC_ONLY: "on" } });
  const { email, password } = await signedIn();
  const guest = visitor();
  for (const path of ["/auth", "/auth?tab=signup"]) {
    const page = await readPage(guest, path);
    expect(page).toContain("Continue with Example Corp");
    for (const other of ['name="password"', "Continue with Google"]) expect(page).not.toContain(other);
  }
  for (const intent of ["log-in", "sign-up", "email-sign-in", "resend"])
    expect((await guest.post("/auth", { intent, email, password })).status, intent).toBe(403);
  const others = ["/forgot-password", "/reset-password?token=x", "/auth/confirm?token=x", "/auth/link", "/auth/code"];
  for (const path of others) {
    expect((await guest.post(path, { email, password, confirm: password })).status, path).toBe(403);
    expect(locationOf(await guest.get(path)), path).toBe("/auth");
  }
  // The router ignores case and a slash at the end.
  for (const path of ["/auth/here", "/auth/", "/AUTH", "/auth.data", "/%61uth", "/Auth/Code", "/auth/code/"])
    expect((await guest.post(path, { email, password })).status, path).toBe(403);
  expect((await guest.post("/auth/with/google", {})).status).toBe(404);
  expect((await guest.get("/profile")).status).toBe(302);
  expect(locationOf(await signInWith(guest, "sso", { providers }))).toBe("/start");

  providers.state.person = { sub: "2", email };
  const exists = await readPage(visitor(), locationOf(await signInWith(visitor(), "sso", { providers })) ?? "");
  expect(exists).toContain("You already have an account with this email");
  expect(exists).toContain("Ask the operator of this site to let you sign in with your password once.");
  const readFailure = (error: string) => readPage(visitor(), `/auth?error=${error}&provider=sso`);
  expect(await readFailure("unreachable")).toContain("We couldn’t reach Example Corp. Try again in a moment.");
  expect(await readFailure("email_not_verified")).not.toContain("Or sign up with a password.");
});

type Options = {
  provider?: Omit<Parameters<typeof openCertifiedProvider>[0], "baseUrl">;
  secret?: string;
  slash?: string;
};

async function openApp({ provider: settings, secret = certifiedClient.secret, slash = "" }: Options = {}) {
  const provider = await openCertifiedProvider({ baseUrl: "http://localhost:3000", ...settings });
  const env = { OIDC_ISSUER: provider.issuer + slash, OIDC_CLIENT_ID: certifiedClient.id, OIDC_CLIENT_SECRET: secret };
  return { ...(await createTestApp({ env })), provider };
}

/** Signs in at the provider and agrees; returns the address of the callback. */
async function approve(browser: ReturnType<CertifiedProvider["openBrowser"]>, url: string): Promise<URL> {
  let answer = await browser.open(url);
  while ("page" in answer) answer = await browser.submit(answer.page, { login: "ada", password: "any" });
  return answer.left;
}

const finish = async (visitor: Visitor, { pathname, search }: URL) => locationOf(await visitor.get(pathname + search));
const refused = "/auth?error=sign_in_failed&provider=sso";

test("a user signs in and out at a provider that insists on PKCE, a nonce and registered addresses", async () => {
  const { visitor, services, provider } = await openApp();
  const [ada, browser] = [visitor(), provider.openBrowser()];
  const url = await openProvider(ada, "sso", "?returnTo=/cards");
  const callback = await approve(browser, url);
  // RFC 9207.
  expect(callback.searchParams.get("iss")).toBe(provider.issuer);
  expect(await finish(ada, callback)).toBe("/cards");
  // The ID token has no email: it comes from the userinfo endpoint.
  expect(await listUsers(services)).toEqual([
    expect.objectContaining({ email: "ada@corp.example", name: "Ada Lovelace" }),
  ]);

  const logout = await readProviderUrl(await ada.post("/auth/sign-out", {}));
  const hint = decodeJwt(new URL(logout).searchParams.get("id_token_hint") ?? "");
  expect(hint).toMatchObject({ sub: "ada", aud: "meishi", nonce: new URL(url).searchParams.get("nonce") });
  const question = await browser.open(logout);
  const end = await browser.submit("page" in question ? question.page : "", { logout: "yes" });
  expect(end).toEqual({ left: new URL("http://localhost:3000/auth") });
  expect(await isSignedIn(ada)).toBe(false);
  // There, too: the provider asks who it is again.
  expect(await browser.open(await openProvider(ada, "sso"))).toEqual({ page: expect.stringContaining('name="login"') });
  expect(provider.errors).toEqual([]);
});

test("an issuer that is set with a slash that its discovery document doesn't have is the same", async () => {
  const { visitor, services, provider } = await openApp({ slash: "/" });
  const ada = visitor();
  expect(await finish(ada, await approve(provider.openBrowser(), await openProvider(ada, "sso")))).toBe("/start");
  expect(await listUsers(services)).toHaveLength(1);
});

test("the client's secret goes where the provider accepts it", async () => {
  const { visitor, provider } = await openApp({ provider: { authMethod: "client_secret_basic" } });
  const ada = visitor();
  const callback = await approve(provider.openBrowser(), await openProvider(ada, "sso"));
  expect(await finish(ada, callback)).toBe("/start");
  expect(provider.errors).toEqual([]);
});

test("another client's secret signs no one in, and the log says what the operator has to know", async () => {
  const secret = "another-secret".repeat(3);
  const { visitor, provider, logLines } = await openApp({ secret });
  const ada = visitor();
  const callback = await approve(provider.openBrowser(), await openProvider(ada, "sso"));
  expect(await finish(ada, callback)).toBe(refused);
  expect(provider.errors).toEqual(["grant: invalid_client"]);
  const lines = logLines.filter(({ msg }) => msg === "a provider refused a sign-in");
  expect(lines).toEqual([
    expect.objectContaining({ level: 40, provider: "sso", reason: expect.stringMatching(/401 invalid_client/) }),
  ]);
  expect(JSON.stringify(logLines)).not.toContain(secret);
});

test("a stolen code is worth nothing in another sign-in: the provider checks PKCE", async () => {
  const { visitor, services, provider } = await openApp();
  const [ada, eve] = [visitor(), visitor()];
  const stolen = await approve(provider.openBrowser(), await openProvider(ada, "sso"));
  const callback = await approve(provider.openBrowser(), await openProvider(eve, "sso"));
  callback.searchParams.set("code", stolen.searchParams.get("code") ?? "");
  expect(await finish(eve, callback)).toBe(refused);
  expect(provider.errors).toEqual([expect.stringMatching(/^grant: .*(verif|PKCE|grant)/i)]);
  expect(await listUsers(services)).toEqual([]);
});

const privateKey = appleEnv.APPLE_PRIVATE_KEY;

test("the name that comes once, and the address of the relay, reach the new account", async () => {
  const { visitor, services, providers } = await openProviderApp();
  const ada = visitor();
  const url = await openProvider(ada, "apple");
  expect(new URL(url).searchParams.get("response_mode")).toBe("form_post");
  const callback = await providers.approve(url);
  const body = new URLSearchParams({ ...Object.fromEntries(callback.searchParams), user: JSON.stringify(appleUser) });
  // A browser sends no cookies with the form of another site.
  const posted = await visitor().request(callback.pathname, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://appleid.apple.com" },
    body,
  });
  expect(posted.status).toBe(303);
  expect(locationOf(await ada.get(locationOf(posted) ?? ""))).toBe("/start");
  expect(await listUsers(services)).toMatchObject([{ name: "Ada Lovelace", email: appleClaims.email }]);
  const secret = providers.state.tokenRequests[0]?.get("client_secret") ?? "";
  const audience = "https://appleid.apple.com";
  const { payload, protectedHeader } = await jwtVerify(secret, createPublicKey(privateKey), { audience });
  expect(protectedHeader).toMatchObject({ alg: "ES256", kid: "KEY1234567" });
  expect(payload).toMatchObject({ iss: "TEAM123456", sub: "com.example.web" });
  // Later sign-ins come without the name, and keep it.
  expect(locationOf(await signInWith(visitor(), "apple", { providers }))).toBe("/home");
});

test("a user field that isn't Apple's is left out", async () => {
  const { visitor, services, providers } = await openProviderApp();
  const ada = visitor();
  const callback = await providers.approve(await openProvider(ada, "apple"));
  callback.searchParams.set("user", '{"name":{"firstName":["x"]},');
  expect(locationOf(await ada.get(callback.pathname + callback.search))).toBe("/start");
  expect(await listUsers(services)).toMatchObject([{ name: "" }]);
});

test("the client secret is used again, and made anew before it expires", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  cleanUpAfterTest(() => vi.useRealTimers());
  const makeSecret = createAppleSecret({ clientId: "a", teamId: "b", keyId: "c", privateKey });
  const first = await makeSecret();
  const { iat = 0, exp = 0 } = decodeJwt(first);
  // Apple accepts at most six months.
  expect(exp - iat).toBeLessThan(15_777_000);
  vi.setSystemTime((exp - 2 * 86_400) * 1000);
  expect(await makeSecret()).toBe(first);
  vi.setSystemTime((exp - 3_600) * 1000);
  const second = await makeSecret();
  expect(decodeJwt(second).exp).toBeGreaterThan(exp);
});
