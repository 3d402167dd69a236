import { expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { openProviders, providerEnv, ssoEnv } from "#tests/support/providers/provider-doubles.ts";
import { openProvider, readProviderUrl, signInWith } from "#tests/support/providers/provider-visits.ts";
import { ssoClaims } from "#tests/support/providers/recorded-profiles.ts";

async function openApp(env: Record<string, string> = {}) {
  const providers = await openProviders();
  const app = await createTestApp({ env: { ...ssoEnv(providers.issuer), ...env } });
  return { ...app, providers };
}

const location = (response: Response) => response.headers.get("location");

test("signs in with discovery, PKCE and a nonce", async () => {
  const { visitor, providers } = await openApp();
  expect(await (await visitor().get("/auth")).text()).toContain("Continue with Example Corp");
  const ada = visitor();
  const url = new URL(await openProvider(ada, "sso"));
  expect(url.origin).toBe(providers.issuer);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    code_challenge_method: "S256",
    nonce: expect.stringMatching(/.{20}/),
    scope: "openid email profile",
  });
  const callback = await providers.approve(url.href);
  expect(location(await ada.get(callback.pathname + callback.search))).toBe("/start");
  expect(location(await signInWith(visitor(), "sso", { providers }))).toBe("/profile");
});

test.each([
  ["with another nonce", { nonce: "another" }],
  ["for another client", { aud: "another" }],
  ["of another issuer", { iss: "https://evil.example" }],
])("refuses an ID token %s", async (_, person) => {
  const { visitor, providers } = await openApp();
  Object.assign(providers.state.person, person);
  expect(location(await signInWith(visitor(), "sso", { providers }))).toBe("/auth?error=sign_in_failed&provider=sso");
});

test("a provider that is down at the start is found later", async () => {
  const { visitor, providers } = await openApp();
  providers.state.health = "down";
  const failed = await visitor().post("/auth/with/sso", {});
  expect(location(failed)).toBe("/auth?error=unreachable&provider=sso");
  const page = await (await visitor().get(location(failed) ?? "")).text();
  expect(page).toContain("We couldn&#x27;t reach Example Corp. Try again or sign in with your password.");
  providers.state.health = "ok";
  expect(location(await signInWith(visitor(), "sso", { providers }))).toBe("/start");
});

test("signing out here signs out there", async () => {
  const { visitor, providers } = await openApp();
  const ada = visitor();
  await signInWith(ada, "sso", { providers });
  const url = new URL(await readProviderUrl(await ada.post("/auth/sign-out", {})));
  expect(url.origin + url.pathname).toBe(`${providers.issuer}/endsession`);
  expect(url.searchParams.get("post_logout_redirect_uri")).toBe("http://localhost:3000/auth");
  expect(url.searchParams.get("id_token_hint")).toMatch(/^eyJ/);
  expect((await ada.get("/profile")).status).toBe(302);
});

test("offers no start of a kiosk with the sign-out, which leads to the provider", async () => {
  const { visitor, signedIn, providers } = await openApp();
  const createLink = async (owner: Awaited<ReturnType<typeof signedIn>> | ReturnType<typeof visitor>) => {
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

test("with OIDC_ONLY no failure speaks of a password that can't be used", async () => {
  const { visitor, signedIn, providers } = await openApp({ OIDC_ONLY: "on" });
  const readFailure = async (response: Response) => (await visitor().get(location(response) ?? "")).text();
  await signedIn(ssoClaims.email);
  const exists = await readFailure(await signInWith(visitor(), "sso", { providers }));
  expect(exists).toContain("You already have an account with this email");
  expect(exists).toContain("Ask the operator of this site to let you sign in with your password once.");
  const unreachable = await visitor().get("/auth?error=unreachable&provider=sso");
  expect(await unreachable.text()).toContain("We couldn&#x27;t reach Example Corp. Try again in a moment.");
  const unconfirmed = await visitor().get("/auth?error=email_not_verified&provider=sso");
  expect(await unconfirmed.text()).not.toContain("Or sign up with a password.");
});

test("OIDC_ONLY leaves no other way in", async () => {
  const { visitor, signedIn, providers } = await openApp({ ...providerEnv, OIDC_ONLY: "on" });
  const { email, password } = await signedIn();
  const guest = visitor();
  for (const path of ["/auth", "/auth?tab=signup"]) {
    const page = await (await guest.get(path)).text();
    expect(page).toContain("Continue with Example Corp");
    expect(page).not.toContain('name="password"');
    expect(page).not.toContain("Continue with Google");
  }
  for (const intent of ["log-in", "sign-up", "email-sign-in", "resend"])
    expect((await guest.post("/auth", { intent, email, password })).status, intent).toBe(403);
  for (const path of [
    "/forgot-password",
    "/reset-password?token=x",
    "/auth/confirm?token=x",
    "/auth/link",
    "/auth/code",
  ]) {
    expect((await guest.post(path, { email, password, confirm: password })).status, path).toBe(403);
    expect(location(await guest.get(path)), path).toBe("/auth");
  }
  // The router ignores case and a slash at the end.
  for (const path of ["/auth/here", "/auth/", "/AUTH", "/auth.data", "/%61uth", "/Auth/Code", "/auth/code/"])
    expect((await guest.post(path, { email, password })).status, path).toBe(403);
  expect((await guest.post("/auth/with/google", {})).status).toBe(404);
  expect((await guest.get("/profile")).status).toBe(302);
  expect(location(await signInWith(guest, "sso", { providers }))).toBe("/start");
});
