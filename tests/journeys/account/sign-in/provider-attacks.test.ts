import { generateKeyPairSync, sign } from "node:crypto";

import { describe, expect, test } from "vitest";

import { isSignedIn, locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import { selectAll } from "#tests/support/database/account-rows.ts";
import {
  connectWith,
  listAccounts,
  listUsers,
  openProvider,
  openProviderApp,
  readProviderUrl,
  signedInNow,
  signInWith,
} from "#tests/support/providers/provider-visits.ts";
import { googleClaims, ssoClaims } from "#tests/support/providers/recorded-profiles.ts";

const methods = ["google", "apple", "sso"];
const unknownState = "/auth?error=state_mismatch";

describe("a callback", () => {
  test.each([...methods, "github"])("of %s without a state that waits for it signs no one in", async (id) => {
    const { visitor, services, providers } = await openProviderApp();
    const ada = visitor();
    // A state waits, for another provider.
    const other = new URL(await openProvider(ada, id === "google" ? "apple" : "google")).searchParams.get("state");
    for (const query of ["code=x", "error=access_denied", `code=x&state=${"a".repeat(43)}`, `code=x&state=${other}`])
      expect(locationOf(await ada.get(`/api/auth/callback/${id}?${query}`)), query).toBe(unknownState);
    expect(providers.state.tokenRequests).toEqual([]);
    expect(await listUsers(services)).toEqual([]);
  });

  test("that is opened twice at once signs in once", async () => {
    const { visitor, services, providers } = await openProviderApp();
    const ada = visitor();
    const { pathname, search } = await providers.approve(await openProvider(ada, "google"));
    const answers = await Promise.all([ada.get(pathname + search), ada.get(pathname + search)]);
    expect(answers.map(locationOf).toSorted()).toEqual([unknownState, "/start"]);
    expect(providers.state.tokenRequests).toHaveLength(1);
    // The tab that was second leads on to the account, too.
    expect(locationOf(await ada.get(unknownState))).toBe("/home");
    expect(await listUsers(services)).toHaveLength(1);
  });

  test("that is one of twenty first sign-ins at once creates one account", async () => {
    const { visitor, services, providers } = await openProviderApp();
    const visitors = Array.from({ length: 20 }, () => visitor());
    const answers = await Promise.all(visitors.map((ada) => signInWith(ada, "google", { providers })));
    expect(answers.map(locationOf).toSorted()).toEqual([...Array<string>(19).fill("/home"), "/start"]);
    expect(await listUsers(services)).toHaveLength(1);
    for (const ada of visitors) expect(await isSignedIn(ada)).toBe(true);
  });
});

describe("the path to return to", () => {
  const elsewhere = ["https://evil.example", "//evil.example/x", "/%2f/evil.example"];

  test.each(methods)("leads to this site after %s, whether it succeeds or is canceled", async (id) => {
    const { visitor, providers } = await openProviderApp();
    for (const evil of elsewhere) {
      const query = `?returnTo=${encodeURIComponent(evil)}`;
      expect(locationOf(await signInWith(visitor(), id, { providers, query })), evil).toMatch(/^\/(start|home)$/);
      const ada = visitor();
      const state = new URL(await openProvider(ada, id, query)).searchParams.get("state");
      const canceled = await ada.get(`/api/auth/callback/${id}?error=access_denied&state=${state}`);
      expect(locationOf(canceled), evil).toBe(`/auth?error=canceled&provider=${id}`);
    }
  });

  test("leads to this site after a failure, and after connecting and disconnecting", async () => {
    const { providers, ...app } = await openProviderApp();
    const ada = await signedInNow(app);
    for (const returnTo of elsewhere) {
      expect(locationOf(await connectWith(ada, "github", { providers, returnTo })), returnTo).toBe("/profile");
      const form = { intent: "disconnect", returnTo };
      expect(locationOf(await ada.post("/account/connections/github", form)), returnTo).toBe("/profile");
    }
    providers.state.health = "down";
    const failed = await app.visitor().post(`/auth/with/sso?returnTo=${encodeURIComponent("//evil.example")}`, {});
    expect(locationOf(failed) ?? "").not.toContain("evil");
  });
});

describe("an email address at a provider", () => {
  test.each([
    ["apple", { email_verified: "false" }, "The claim email_verified isn't true."],
    ["apple", { email: undefined }, "The claim email is missing."],
    ["sso", { email_verified: false }, "The claim email_verified isn't true."],
    ["sso", { email_verified: "yes" }, "The claim email_verified isn't true."],
    ["sso", { email_verified: undefined }, "The claim email_verified is missing."],
    ["sso", { email: "ada@corp.example\r\nBcc: eve@evil.example" }, "The claim email isn't one email address."],
    ["sso", { email: "ada@corp.example, eve@evil.example" }, "The claim email isn't one email address."],
    ["sso", { email: `${"a".repeat(5_000)}@corp.example` }, "The claim email isn't one email address."],
    ["sso", { email: ["ada@corp.example"] }, "The claim email isn't one email address."],
    // The Kelvin sign, whose lower case is the letter k: another mailbox.
    ["sso", { email: "\u212Aim@corp.example" }, "The claim email isn't one email address."],
    ["google", { email: "ada" }, "The claim email isn't one email address."],
    ["google", { email: undefined }, "The claim email is missing."],
  ])("of %s that isn't one, or isn't verified, creates no account and opens none: %j", async (id, person, reason) => {
    const { visitor, signedIn, services, providers, logLines } = await openProviderApp();
    await signedIn(ssoClaims.email);
    await signedIn(googleClaims.email);
    providers.state.person = person;
    const failed = locationOf(await signInWith(visitor(), id, { providers })) ?? "";
    expect(failed).toMatch(new RegExp(`^/auth\\?error=(email_not_verified|sign_in_failed)&provider=${id}$`));
    expect(await listUsers(services)).toHaveLength(2);
    expect((await listAccounts(services)).map(({ providerId }) => providerId)).toEqual(["credential", "credential"]);
    const lines = logLines.filter(({ msg }) => msg === "a provider's email address was refused");
    expect(lines).toEqual([expect.objectContaining({ level: 40, provider: id, reason })]);
  });

  test("that the operator trusts creates an account without email_verified, whose id the log has, but opens no other", async () => {
    const { visitor, signedIn, services, providers, logLines } = await openProviderApp({
      env: { OIDC_TRUST_EMAIL: "on" },
    });
    providers.state.person = { email_verified: undefined, name: ["Ada"], picture: 7 };
    expect(locationOf(await signInWith(visitor(), "sso", { providers }))).toBe("/start");
    const [user] = await listUsers(services);
    const lines = logLines.filter(({ security }) => security === "signed-in");
    expect(lines).toEqual([expect.objectContaining({ account: user?.id })]);
    expect(JSON.stringify(logLines)).not.toContain(ssoClaims.email);
    const { email } = await signedIn("owner@example.com");
    providers.state.person = { sub: "2", email, email_verified: false };
    expect(locationOf(await signInWith(visitor(), "sso", { providers }))).toMatch(/error=account_exists/);
    providers.state.person = { email_verified: "false" };
    expect(locationOf(await signInWith(visitor(), "apple", { providers }))).toMatch(/error=email_not_verified/);
  });

  test("that becomes another person's leads to the account that was connected, and changes neither", async () => {
    const { visitor, signedIn, services, providers } = await openProviderApp();
    await signInWith(visitor(), "sso", { providers });
    const owner = await signedIn("owner@example.com");
    const before = await listUsers(services);
    providers.state.person = { email: owner.email };
    const ada = visitor();
    expect(locationOf(await signInWith(ada, "sso", { providers }))).toBe("/home");
    expect(await readPage(ada, "/account")).toContain(ssoClaims.email);
    expect(await listUsers(services)).toEqual(before);
  });

  test("that is another person's changes nothing when the account is connected", async () => {
    const { providers, services, ...app } = await openProviderApp();
    await app.signedIn("owner@example.com");
    const ada = await signedInNow(app);
    const before = await listUsers(services);
    providers.state.person = { email: "owner@example.com", email_verified: true };
    for (const id of ["github", "linkedin_oidc", "twitch", "spotify", "slack", "facebook"])
      expect(locationOf(await connectWith(ada, id, { providers })), id).toBe("/profile");
    expect(await listUsers(services)).toEqual(before);
    expect(await listAccounts(services)).toHaveLength(2 + 6);
  });
});

test("a stranger can't add a password to an account that its owner made with Google", async () => {
  const { visitor, services, providers, mails } = await openProviderApp();
  const ada = visitor();
  await signInWith(ada, "google", { providers });
  const form = { email: googleClaims.email, password: "a stranger's password" };
  await visitor().post("/auth?tab=signup", { intent: "sign-up", ...form });
  const sent = (await mails()).filter(({ to }) => to === googleClaims.email).map(({ text }) => text);
  // Whatever link the mail has: the owner presses it.
  for (const [link] of sent.join("\n").matchAll(/http:\/\/localhost:3000\/\S+/g)) await ada.post(link, {});
  expect((await logIn(visitor(), form)).status).toBe(400);
  expect((await listAccounts(services)).map(({ providerId }) => providerId)).toEqual(["google"]);
});

test("a page of another site begins nothing with an image or a link", async () => {
  const { providers, services, ...app } = await openProviderApp();
  const ada = await signedInNow(app);
  for (const path of ["/account/connections/github", "/auth/with/google", "/account/connections/offer"])
    expect((await ada.get(`${path}?intent=connect`)).headers.getSetCookie().join("\n")).not.toContain("oauth_state");
  expect(await selectAll(services, "verification")).toEqual([]);
  expect(providers.state.requests).toEqual([]);
});

test("no code, state, token or secret gets into the log, a cookie, a Referer or the address bar", async () => {
  const { providers, logLines, ...app } = await openProviderApp();
  const ada = await signedInNow(app);
  const texts: string[] = [];
  const secrets: string[] = [];
  const keep = async (response: Response) => {
    texts.push(locationOf(response) ?? "", response.headers.getSetCookie().join("\n"));
    expect(response.headers.get("referrer-policy")).toMatch(/^(no-referrer|same-origin|strict-origin)/);
  };
  await keep(await connectWith(ada, "github", { providers }));
  await keep(await signInWith(app.visitor(), "google", { providers }));
  const bo = app.visitor();
  const callback = await providers.approve(await openProvider(bo, "apple"));
  const { code = "", state = "" } = Object.fromEntries(callback.searchParams);
  const body = new URLSearchParams({ code, state, id_token: "an.id.token-of-apple" });
  const headers = { "content-type": "application/x-www-form-urlencoded", origin: "https://appleid.apple.com" };
  const posted = await bo.request(callback.pathname, { method: "POST", headers, body });
  expect(locationOf(posted)).not.toContain("token-of-apple");
  await keep(await bo.get(locationOf(posted) ?? ""));
  await signInWith(bo, "sso", { providers });
  const out = await bo.post("/auth/sign-out", {});
  expect(out.headers.get("referrer-policy")).toMatch(/^(no-referrer|same-origin|strict-origin)/);
  secrets.push(new URL(await readProviderUrl(out)).searchParams.get("id_token_hint") ?? "", code, state);
  for (const request of providers.state.tokenRequests)
    for (const name of ["code", "code_verifier", "client_secret"]) secrets.push(request.get(name) ?? "");
  const written = JSON.stringify(logLines) + texts.join("\n");
  expect(secrets.filter(Boolean).length).toBeGreaterThan(8);
  for (const secret of [...secrets.filter(Boolean), "token-of-apple"]) expect(written).not.toContain(secret);
});

const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

test.each(["google", "apple", "sso"])(
  "%s: an ID token for another client or sign-in, of another issuer, or that has expired is refused",
  async (id) => {
    const { visitor, providers, services } = await openProviderApp();
    const seen = new URL(await openProvider(visitor(), id)).searchParams.get("nonce");
    expect(seen).toMatch(/^[\w-]{43}$/);
    for (const person of [
      { aud: "another-client" },
      { iss: "https://evil.example" },
      { nonce: seen },
      { iat: secondsFromNow(-300), exp: secondsFromNow(-120) },
    ]) {
      providers.state.person = person;
      const refused = locationOf(await signInWith(visitor(), id, { providers }));
      expect(refused, Object.keys(person)[0]).toBe(`/auth?error=sign_in_failed&provider=${id}`);
    }
    expect(await listUsers(services)).toEqual([]);
  },
);

/** What someone who can't sign for the provider makes of its ID token. */
const forgeries: Record<string, (token: string) => string> = {
  "whose content was changed": (token) => {
    const [header, payload = "", signature] = token.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    return [header, encode({ ...claims, sub: "another-user" }), signature].join(".");
  },
  "without a signature": (token) => [encode({ alg: "none", typ: "JWT" }), token.split(".")[1], ""].join("."),
  "signed with another key": (token) => {
    const text = token.split(".").slice(0, 2).join(".");
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`;
  },
};

test.each(["google", "sso"].flatMap((id) => Object.entries(forgeries).map(([what, forge]) => ({ id, what, forge }))))(
  "$id: an ID token $what is refused",
  async ({ id, forge }) => {
    const { visitor, providers, services } = await openProviderApp();
    expect(locationOf(await signInWith(visitor(), id, { providers }))).toBe("/start");
    providers.server.service.on("beforeResponse", (response: { body: Record<string, unknown> }) => {
      response.body.id_token = forge(String(response.body.id_token));
    });
    const refused = await signInWith(visitor(), id, { providers });
    expect(locationOf(refused)).toBe(`/auth?error=sign_in_failed&provider=${id}`);
    expect(await listUsers(services)).toHaveLength(1);
  },
);

test("the same user id at another provider is another user, however much else is the same", async () => {
  const { visitor, providers, services } = await openProviderApp();
  expect(locationOf(await signInWith(visitor(), "google", { providers }))).toBe("/start");
  providers.state.person = { ...googleClaims, iss: providers.issuer };
  const other = locationOf(await signInWith(visitor(), "sso", { providers }));
  expect(other).toMatch(/^\/auth\?.*error=account_exists/);
  expect(await listUsers(services)).toHaveLength(1);
});

test("a discovery document that names another issuer is refused, and the log has both", async () => {
  const { visitor, providers, logLines } = await openProviderApp();
  providers.server.issuer.url = "https://evil.example";
  expect(locationOf(await visitor().post("/auth/with/sso", {}))).toBe("/auth?error=unreachable&provider=sso");
  const logged = JSON.stringify(logLines);
  for (const issuer of [providers.issuer, "https://evil.example"]) expect(logged).toContain(issuer);
  providers.server.issuer.url = providers.issuer;
  expect(new URL(await openProvider(visitor(), "sso")).origin).toBe(providers.issuer);
});

test("a callback that says it comes from another authorization server is refused before its code is sent anywhere", async () => {
  const { visitor, providers } = await openProviderApp();
  const ada = visitor();
  const callback = await providers.approve(await openProvider(ada, "sso"));
  callback.searchParams.set("iss", "https://evil.example");
  const refused = await ada.get(callback.pathname + callback.search);
  expect(locationOf(refused)).toBe("/auth?error=sign_in_failed&provider=sso");
  expect(providers.state.tokenRequests).toEqual([]);
});
