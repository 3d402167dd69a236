import { expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { locationOf, readPage } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import {
  openProvider,
  openProviderApp,
  readProviderUrl,
  signInWith,
} from "#tests/support/providers/provider-visits.ts";

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
  expect(locationOf(await signInWith(visitor(), "sso", { providers }))).toBe("/profile");
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
  const text = "We couldn&#x27;t reach Example Corp. Try again or sign in with your password.";
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

test("OIDC_ONLY leaves no other way in, and no failure speaks of a password that can't be used", async () => {
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
  expect(await readFailure("unreachable")).toContain("We couldn&#x27;t reach Example Corp. Try again in a moment.");
  expect(await readFailure("email_not_verified")).not.toContain("Or sign up with a password.");
});
