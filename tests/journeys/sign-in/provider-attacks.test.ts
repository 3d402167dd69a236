import { describe, expect, test } from "vitest";

import { createTestApp } from "#tests/support/app/test-app.ts";
import { appleEnv, openProviders, providerEnv, ssoEnv } from "#tests/support/providers/provider-doubles.ts";
import {
  connectWith,
  listAccounts,
  listUsers,
  openProvider,
  readProviderUrl,
  signedInNow,
  signInWith,
} from "#tests/support/providers/provider-visits.ts";
import { googleClaims, ssoClaims } from "#tests/support/providers/recorded-profiles.ts";

const waysIn = ["google", "apple", "sso"];
const social = ["github", "linkedin_oidc", "twitch", "spotify", "slack", "facebook"];

async function openApp() {
  const providers = await openProviders();
  const app = await createTestApp({ env: { ...providerEnv, ...appleEnv, ...ssoEnv(providers.issuer) } });
  return { ...app, providers };
}

const location = (response: Response) => response.headers.get("location");
const unknownState = "/auth?error=state_mismatch";

describe("a callback", () => {
  test.each([...waysIn, ...social])("of %s without a state that waits for it signs no one in", async (id) => {
    const { visitor, services, providers } = await openApp();
    const ada = visitor();
    // A state waits, for another provider.
    const other = new URL(await openProvider(ada, id === "google" ? "apple" : "google"));
    const state = other.searchParams.get("state");
    for (const query of ["?code=x", "?error=access_denied", "?code=x&state=", `?code=x&state=${"a".repeat(43)}`])
      expect(location(await ada.get(`/api/auth/callback/${id}${query}`)), query).toBe(unknownState);
    expect(location(await ada.get(`/api/auth/callback/${id}?code=x&state=${state}`))).toBe(unknownState);
    expect(providers.state.tokenRequests).toEqual([]);
    expect(await listUsers(services)).toEqual([]);
  });

  test("that is opened twice at once signs in once", async () => {
    const { visitor, services, providers } = await openApp();
    const ada = visitor();
    const { pathname, search } = await providers.approve(await openProvider(ada, "google"));
    const answers = await Promise.all([ada.get(pathname + search), ada.get(pathname + search)]);
    expect(answers.map((answer) => location(answer)).toSorted()).toEqual([unknownState, "/start"]);
    expect(providers.state.tokenRequests).toHaveLength(1);
    // The tab that was second leads on to the account, too.
    expect(location(await ada.get(unknownState))).toBe("/profile");
    expect(await listUsers(services)).toHaveLength(1);
  });

  test("that is one of twenty first sign-ins at once creates one account", async () => {
    const { visitor, services, providers } = await openApp();
    const visitors = Array.from({ length: 20 }, () => visitor());
    const answers = await Promise.all(visitors.map((ada) => signInWith(ada, "google", { providers })));
    const places = answers.map((answer) => location(answer));
    expect(places.toSorted()).toEqual([...Array<string>(19).fill("/profile"), "/start"]);
    expect(await listUsers(services)).toHaveLength(1);
    for (const ada of visitors) expect((await ada.get("/account")).status).toBe(200);
  });
});

test.each(waysIn)("an ID token of another sign-in with %s is refused", async (id) => {
  const { visitor, services, providers } = await openApp();
  const seen = new URL(await openProvider(visitor(), id)).searchParams.get("nonce");
  expect(seen).toMatch(/^[\w-]{43}$/);
  providers.state.person = { nonce: seen };
  expect(location(await signInWith(visitor(), id, { providers }))).toBe(`/auth?error=sign_in_failed&provider=${id}`);
  expect(await listUsers(services)).toEqual([]);
});

describe("the path to return to", () => {
  const elsewhere = [
    "https://evil.example",
    "//evil.example/x",
    "/\\evil.example",
    "/%2f/evil.example",
    "javascript:x",
  ];

  test.each(waysIn)("leads to this site after %s, whether it succeeds, is canceled or fails", async (id) => {
    const { visitor, providers } = await openApp();
    for (const evil of elsewhere) {
      const query = `?returnTo=${encodeURIComponent(evil)}`;
      const done = await signInWith(visitor(), id, { providers, query });
      expect(location(done), evil).toMatch(/^\/(start|profile)$/);
      const ada = visitor();
      const state = new URL(await openProvider(ada, id, query)).searchParams.get("state");
      const canceled = await ada.get(`/api/auth/callback/${id}?error=access_denied&state=${state}`);
      expect(location(canceled), evil).toBe(`/auth?error=canceled&provider=${id}`);
    }
    providers.state.health = "down";
    const failed = await visitor().post(`/auth/with/sso?returnTo=${encodeURIComponent("//evil.example")}`, {});
    expect(location(failed) ?? "").not.toContain("evil");
  });

  test("leads to this site after connecting and disconnecting", async () => {
    const { providers, ...app } = await openApp();
    const ada = await signedInNow(app);
    for (const returnTo of elsewhere) {
      expect(location(await connectWith(ada, "github", { providers, returnTo })), returnTo).toBe("/profile");
      const form = { intent: "disconnect", returnTo };
      expect(location(await ada.post("/account/connections/github", form)), returnTo).toBe("/profile");
    }
  });
});

describe("an email address at a provider", () => {
  test.each([
    ["apple", { email_verified: "false" }],
    ["apple", { email: undefined }],
    ["sso", { email_verified: false }],
    ["sso", { email_verified: "yes" }],
    ["google", { email: undefined }],
  ])("of %s that isn't verified creates no account and opens none: %j", async (id, person) => {
    const { visitor, signedIn, services, providers } = await openApp();
    await signedIn(ssoClaims.email);
    await signedIn(googleClaims.email);
    providers.state.person = person;
    const failed = location(await signInWith(visitor(), id, { providers })) ?? "";
    expect(failed).toMatch(new RegExp(`^/auth\\?error=(email_not_verified|sign_in_failed)&provider=${id}$`));
    expect(await listUsers(services)).toHaveLength(2);
    expect((await listAccounts(services)).map(({ providerId }) => providerId)).toEqual(["credential", "credential"]);
  });

  test.each(waysIn)("of %s that has an account opens it only after the owner's proof", async (id) => {
    const { visitor, signedIn, services, providers } = await openApp();
    const owner = await signedIn("owner@example.com");
    providers.state.person = { email: owner.email, email_verified: true };
    const stranger = visitor();
    expect(location(await signInWith(stranger, id, { providers }))).toContain("error=account_exists");
    expect((await stranger.get("/profile")).status).toBe(302);
    expect(await listAccounts(services)).toHaveLength(1);
  });

  test("that becomes another person's leads to the account that was connected, and changes neither", async () => {
    const { visitor, signedIn, services, providers } = await openApp();
    await signInWith(visitor(), "sso", { providers });
    const owner = await signedIn("owner@example.com");
    const before = await listUsers(services);
    providers.state.person = { email: owner.email };
    const ada = visitor();
    expect(location(await signInWith(ada, "sso", { providers }))).toBe("/profile");
    expect(await (await ada.get("/account")).text()).toContain(ssoClaims.email);
    expect(await listUsers(services)).toEqual(before);
  });

  test.each(social)("of %s that is another person's changes nothing when the account is connected", async (id) => {
    const { providers, services, ...app } = await openApp();
    await app.signedIn("owner@example.com");
    const ada = await signedInNow(app);
    const before = await listUsers(services);
    providers.state.person = { email: "owner@example.com", email_verified: true };
    expect(location(await connectWith(ada, id, { providers }))).toBe("/profile");
    expect(await listUsers(services)).toEqual(before);
  });
});

describe("a stranger who comes first", () => {
  test("can't add a password to an account that its owner made with Google", async () => {
    const { visitor, services, providers, mails } = await openApp();
    const ada = visitor();
    await signInWith(ada, "google", { providers });
    const stranger = visitor();
    const form = { email: googleClaims.email, password: "a stranger's password" };
    await stranger.post("/auth?tab=signup", { intent: "sign-up", ...form });
    const sent = (await mails()).filter(({ to }) => to === googleClaims.email);
    // Whatever link the mail has: the owner presses it.
    for (const [link] of sent
      .map(({ text }) => text)
      .join("\n")
      .matchAll(/http:\/\/localhost:3000\/\S+/g)) {
      const { pathname, search } = new URL(link);
      await ada.post(pathname + search, {});
    }
    expect((await stranger.post("/auth", { intent: "log-in", ...form })).status).toBe(400);
    expect((await listAccounts(services)).map(({ providerId }) => providerId)).toEqual(["google"]);
  });

  test("and wants to change their own address to the owner's doesn't get the owner's account", async () => {
    const { providers, services, visitor, ...app } = await openApp();
    const eve = await signedInNow({ ...app, visitor }, "eve@example.com");
    const change = { intent: "change-email", email: googleClaims.email, current: eve.password };
    expect((await eve.post("/account", change)).status).toBeLessThan(400);
    const ada = visitor();
    expect(location(await signInWith(ada, "google", { providers }))).toBe("/start");
    const link = /http:\/\/localhost:3000\/account\/email\S+/.exec(
      (await app.mails()).map(({ text }) => text).join("\n"),
    )?.[0];
    const { pathname, search } = new URL(link ?? "");
    await eve.post(pathname + search, {});
    expect((await listUsers(services)).map(({ email }) => email).toSorted()).toEqual([googleClaims.email, eve.email]);
    expect(await (await ada.get("/account")).text()).not.toContain(eve.email);
  });

  test("and connects the provider's account finds it taken by no address: the owner signs in to it, not to a new one", async () => {
    const { providers, services, visitor, ...app } = await openApp();
    const eve = await signedInNow({ ...app, visitor }, "eve@example.com");
    // Only someone who can sign in there can connect it: its owner is Eve.
    await connectWith(eve, "google", { providers });
    const ada = visitor();
    expect(location(await signInWith(ada, "google", { providers }))).toBe("/profile");
    expect((await listUsers(services)).map(({ email }) => email)).toEqual([eve.email]);
    const subjects = (await app.mails()).filter(({ to }) => to === eve.email).map(({ subject }) => subject);
    expect(subjects).toContain("Google was connected to your Meishi account");
  });
});

describe("a page of another site", () => {
  test("connects nothing and signs no one in, with a form or an image", async () => {
    const { providers, services, ...app } = await openApp();
    const ada = await signedInNow(app);
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    for (const intent of ["connect", "disconnect"])
      expect((await ada.post("/account/connections/github", { intent }, headers)).status).toBe(403);
    expect((await ada.post("/auth/with/google", {}, headers)).status).toBe(403);
    expect((await ada.post("/account/connections/offer", { intent: "name" }, headers)).status).toBe(403);
    for (const path of ["/account/connections/github", "/auth/with/google", "/account/connections/offer"])
      expect((await ada.get(`${path}?intent=connect`)).headers.getSetCookie().join("\n")).not.toContain("oauth_state");
    const rows = await services.db
      .selectFrom("verification" as "setting")
      .selectAll()
      .execute();
    expect(rows).toEqual([]);
    expect(providers.state.requests).toEqual([]);
  });

  test("can't connect its own account to the visitor's, with a state and a code of its own", async () => {
    const { providers, services, ...app } = await openApp();
    const [ada, eve] = [await signedInNow(app), await signedInNow(app, "eve@example.com")];
    const opened = await eve.post("/account/connections/google", { intent: "connect", returnTo: "/profile" });
    const { pathname, search } = await providers.approve(await readProviderUrl(opened));
    expect(location(await ada.get(pathname + search))).toBe(unknownState);
    expect((await listAccounts(services)).map(({ providerId }) => providerId)).toEqual(["credential", "credential"]);
  });
});

test("no code, state or token gets into the log, a cookie, a Referer or the address bar", async () => {
  const { providers, logLines, ...app } = await openApp();
  const ada = await signedInNow(app);
  const texts: string[] = [];
  const secrets: string[] = [];
  const keep = async (response: Response) => {
    texts.push(location(response) ?? "", response.headers.getSetCookie().join("\n"));
    expect(response.headers.get("referrer-policy")).toMatch(/^(no-referrer|same-origin|strict-origin)/);
  };
  await keep(await connectWith(ada, "github", { providers }));
  const bo = app.visitor();
  const callback = await providers.approve(await openProvider(bo, "apple"));
  const { code = "", state = "" } = Object.fromEntries(callback.searchParams);
  const body = new URLSearchParams({ code, state, id_token: "an.id.token-of-apple" });
  const headers = { "content-type": "application/x-www-form-urlencoded", origin: "https://appleid.apple.com" };
  const posted = await bo.request(callback.pathname, { method: "POST", headers, body });
  expect(location(posted)).not.toContain("token-of-apple");
  await keep(await bo.get(location(posted) ?? ""));
  await signInWith(bo, "sso", { providers });
  const out = await bo.post("/auth/sign-out", {});
  expect(out.headers.get("referrer-policy")).toMatch(/^(no-referrer|same-origin|strict-origin)/);
  secrets.push(new URL(await readProviderUrl(out)).searchParams.get("id_token_hint") ?? "", code, state);
  for (const request of providers.state.tokenRequests)
    for (const name of ["code", "code_verifier", "client_secret"]) secrets.push(request.get(name) ?? "");
  const written = JSON.stringify(logLines) + texts.join("\n");
  expect(secrets.filter(Boolean).length).toBeGreaterThan(8);
  for (const secret of secrets.filter(Boolean)) expect(written).not.toContain(secret);
  expect(written).not.toContain("token-of-apple");
});
