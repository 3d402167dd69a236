import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { describe, expect, test } from "vitest";

import { userIdOf } from "#tests/support/app/profiles.ts";
import { decodeToast } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { jpeg } from "#tests/support/app/uploads.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { openProviders, providerEnv } from "#tests/support/providers/provider-doubles.ts";
import { openProvider, signInWith } from "#tests/support/providers/provider-visits.ts";
import { googleClaims } from "#tests/support/providers/recorded-profiles.ts";

const { email } = googleClaims;

async function openApp(options: { env?: Record<string, string>; allowedOrigins?: string[] } = {}) {
  const providers = await openProviders();
  const app = await createTestApp({ ...options, env: { ...providerEnv, ...options.env } });
  return { ...app, providers };
}

const place = (response: Response) => [response.status, response.headers.get("location")];

test("the button is on both tabs, and only where Google is configured", async () => {
  const { visitor } = await openApp();
  for (const path of ["/auth", "/auth?tab=signup"]) {
    const page = await (await visitor().get(path)).text();
    expect(page).toContain("Continue with Google");
    expect(page).toContain('action="/auth/with/google"');
    expect(page).not.toContain("GitHub");
  }
  const plain = await createTestApp();
  expect(await (await plain.visitor().get("/auth")).text()).not.toContain("Continue with");
  expect((await plain.visitor().post("/auth/with/google", {})).status).toBe(404);
});

test("the first sign-in creates a confirmed account with its name, and leads to the first steps", async () => {
  const { visitor, services, providers } = await openApp();
  const ada = visitor();
  const url = new URL(await openProvider(ada, "google"));
  expect(url.origin + url.pathname).toBe("https://accounts.google.com/o/oauth2/v2/auth");
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: "code",
    client_id: "client-of-google",
    redirect_uri: "http://localhost:3000/api/auth/callback/google",
    code_challenge_method: "S256",
    scope: "email profile openid",
  });
  const callback = await providers.approve(url.href);
  const response = await ada.get(callback.pathname + callback.search);
  expect(place(response)).toEqual([302, "/start"]);
  expect(decodeToast(ada.cookies.get("meishi.toast"))).toMatchObject({ title: "Login successful!" });
  expect(providers.state.tokenRequests[0]?.get("client_secret")).toBe("secret-of-google");
  const users = await services.db
    .selectFrom("user" as "setting")
    .selectAll()
    .execute();
  const emailVerified = services.engine === "sqlite" ? 1 : true;
  expect(users).toEqual([expect.objectContaining({ email, name: "Ada Lovelace", emailVerified })]);
  expect(await (await ada.get("/start/name")).text()).toContain('value="Ada Lovelace"');
  // The next sign-in is to the same account.
  const later = visitor();
  expect(place(await signInWith(later, "google", { providers }))).toEqual([302, "/profile"]);
});

test("leads back to the first steps while they hold a kept card", async () => {
  const { visitor, services, providers } = await openApp();
  const ada = visitor();
  await signInWith(ada, "google", { providers });
  const draft = {
    owner_id: await userIdOf(ada),
    attempt: "",
    content: "{}",
    is_confirmed: 1 as const,
    expires_at: Date.now() + 60_000,
  };
  await services.db.insertInto("sign_up_draft").values(draft).execute();
  expect(place(await signInWith(visitor(), "google", { providers }))).toEqual([302, "/start"]);
});

test("leads back to the page that asked for a sign-in, and never to another site", async () => {
  const { visitor, providers } = await openApp();
  const query = `?returnTo=${encodeURIComponent("/cards/edit?from=x")}`;
  expect(place(await signInWith(visitor(), "google", { providers, query }))).toEqual([302, "/cards/edit?from=x"]);
  for (const evil of ["https://evil.example", "//evil.example", "/\\evil.example", "/auth?returnTo=//evil.example"])
    expect(
      place(await signInWith(visitor(), "google", { providers, query: `?returnTo=${encodeURIComponent(evil)}` })),
    ).toEqual([302, "/profile"]);
});

test("the script of the page gets the address of the provider in a header", async () => {
  const { visitor } = await openApp();
  const response = await visitor().post("/auth/with/google", {}, { "meishi-in-place": "1" });
  expect(response.status).toBe(204);
  expect(response.headers.get("meishi-location")).toMatch(/^https:\/\/accounts\.google\.com\//);
});

test("the picture is fetched once and becomes the avatar", async () => {
  let requests = 0;
  const picture = await jpeg();
  const server = createServer((_, response) => {
    requests++;
    response.end(picture);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanUpAfterTest(() => server.close());
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { visitor, services, providers } = await openApp({ allowedOrigins: [origin] });
  providers.state.person = { picture: `${origin}/me.jpg` };
  await signInWith(visitor(), "google", { providers });
  await services.jobs.runDue();
  await signInWith(visitor(), "google", { providers });
  await services.jobs.runDue();
  const profile = await services.db.selectFrom("profile").selectAll().executeTakeFirstOrThrow();
  expect(profile).toMatchObject({ display_name: "Ada Lovelace", avatar_stem: expect.stringMatching(/./) });
  expect(requests).toBe(1);
});

test("a picture in a private network is not fetched, and the account has none", async () => {
  const { visitor, services, providers } = await openApp();
  providers.state.person = { picture: "https://127.0.0.1/me.jpg" };
  const ada = visitor();
  await signInWith(ada, "google", { providers });
  await services.jobs.runDue();
  expect((await ada.get("/profile")).status).toBe(200);
  const profile = await services.db.selectFrom("profile").selectAll().executeTakeFirstOrThrow();
  expect(profile.avatar_stem).toBeNull();
});

describe("an address that has an account", () => {
  test("is not signed in: its owner signs in with the password first", async () => {
    const { visitor, signedIn, services, providers } = await openApp();
    const owner = await signedIn(email);
    const stranger = visitor();
    const response = await signInWith(stranger, "google", { providers });
    expect(place(response)).toEqual([
      302,
      "/auth?error=account_exists&provider=google&returnTo=%2Faccount%2Fconnections",
    ]);
    const page = await (await stranger.get(response.headers.get("location") ?? "")).text();
    expect(page).toContain("You already have an account with this email");
    expect(page).toContain("Sign in with your password, then connect Google in your account settings.");
    expect((await stranger.get("/profile")).status).toBe(302);
    const rows = await services.db
      .selectFrom("account" as "setting")
      .selectAll()
      .execute();
    expect(rows).toEqual([expect.objectContaining({ providerId: "credential" })]);
    expect((await owner.get("/profile")).status).toBe(200);
  });

  test("is not told to someone whose address Google hasn't confirmed", async () => {
    const { visitor, signedIn, providers } = await openApp();
    await signedIn(email);
    const answers = [];
    for (const person of [{ email_verified: false }, { email_verified: false, sub: "2", email: "new@gmail.example" }]) {
      providers.state.person = person;
      answers.push(place(await signInWith(visitor(), "google", { providers })));
    }
    expect(answers[0]).toEqual([302, "/auth?error=email_not_verified&provider=google"]);
    expect(answers[1]).toEqual(answers[0]);
  });

  test("that a stranger signed up with and never confirmed belongs to its owner, without the stranger's password", async () => {
    const { visitor, providers, mails } = await openApp();
    const stranger = visitor();
    const password = "a stranger's password";
    await stranger.post("/auth?tab=signup", { intent: "sign-up", email, password });
    const ada = visitor();
    expect(place(await signInWith(ada, "google", { providers }))).toEqual([302, "/start"]);
    expect((await stranger.post("/auth", { intent: "log-in", email, password })).status).toBe(400);
    // Nor does the link in the mail set it.
    const sent = await mails();
    const link = /https?:\/\/\S+\/auth\/confirm\S*/.exec(sent.map(({ text }) => text).join("\n"))?.[0] ?? "";
    expect(sent).toHaveLength(1);
    const { pathname, search } = new URL(link);
    await visitor().post(pathname + search, {});
    expect((await stranger.post("/auth", { intent: "log-in", email, password })).status).toBe(400);
    expect((await ada.get("/profile")).status).toBe(200);
  });

  test("that an operator blocked before it was confirmed stays blocked", async () => {
    const { visitor, providers, services } = await openApp();
    await visitor().post("/auth?tab=signup", { intent: "sign-up", email, password: "a stranger's password" });
    const owner_id = (await services.auth.findUserId(email)) ?? "";
    await services.db.insertInto("account_block").values({ owner_id, reason: "spam", created_at: 1 }).execute();
    const ada = visitor();
    expect(place(await signInWith(ada, "google", { providers }))[1]).toMatch(/^\/auth\?error=/);
    expect((await ada.get("/profile")).status).toBe(302);
    expect(await services.auth.findUserId(email)).toBe(owner_id);
  });
});

test.each([
  ["is down", "down"],
  ["answers with a page", "html"],
] as const)("says so when Google %s, and keeps the page to return to", async (_, health) => {
  const { visitor, providers, logLines } = await openApp();
  const ada = visitor();
  const callback = await providers.approve(await openProvider(ada, "google", "?returnTo=/cards"));
  providers.state.health = health;
  const response = await ada.get(callback.pathname + callback.search);
  expect(place(response)).toEqual([302, "/auth?error=unreachable&provider=google&returnTo=%2Fcards"]);
  const page = await (await ada.get(response.headers.get("location") ?? "")).text();
  expect(page).toContain("We couldn&#x27;t reach Google. Try again or sign in with your password.");
  expect(page).toContain('action="/auth/with/google?returnTo=%2Fcards"');
  expect(logLines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

test("a code that Google refuses, and a canceled sign-in, say so", async () => {
  const { visitor, providers } = await openApp();
  const ada = visitor();
  const callback = await providers.approve(await openProvider(ada, "google"));
  providers.state.health = "refuses";
  const refused = await ada.get(callback.pathname + callback.search);
  expect(place(refused)).toEqual([302, "/auth?error=sign_in_failed&provider=google"]);
  const state = new URL(await openProvider(ada, "google")).searchParams.get("state");
  const canceled = await ada.get(`/api/auth/callback/google?error=access_denied&state=${state}`);
  const page = await (await ada.get(canceled.headers.get("location") ?? "")).text();
  expect(page).toContain("You canceled at Google");
});

test.each([
  ["for another client", { aud: "another-client" }],
  ["of another issuer", { iss: "https://evil.example" }],
  ["with another nonce", { nonce: "another" }],
  ["that has expired", { exp: 1_000_000_000, iat: 999_999_000 }],
])("an ID token %s is refused", async (_, person) => {
  const { visitor, providers, services } = await openApp();
  providers.state.person = person;
  const response = await signInWith(visitor(), "google", { providers });
  expect(place(response)).toEqual([302, "/auth?error=sign_in_failed&provider=google"]);
  const users = await services.db
    .selectFrom("user" as "setting")
    .selectAll()
    .execute();
  expect(users).toEqual([]);
});

test("no code, state, token or secret gets into the log or a Referer", async () => {
  const { visitor, providers, logLines } = await openApp();
  const ada = visitor();
  const callback = await providers.approve(await openProvider(ada, "google"));
  const response = await ada.get(callback.pathname + callback.search);
  expect(response.headers.get("referrer-policy")).toMatch(/^(no-referrer|same-origin|strict-origin)/);
  const log = JSON.stringify(logLines);
  const { code = "", state = "" } = Object.fromEntries(callback.searchParams);
  const [request] = providers.state.tokenRequests;
  for (const secret of [code, state, "secret-of-google", request?.get("code_verifier") ?? ""]) {
    expect(secret.length).toBeGreaterThan(8);
    expect(log).not.toContain(secret);
  }
});

test("a second factor is asked for after Google too", async () => {
  const { visitor, providers, services } = await openApp();
  await signInWith(visitor(), "google", { providers });
  const [user] = (await services.db
    .selectFrom("user" as "setting")
    .selectAll()
    .execute()) as unknown as { id: string }[];
  await services.db
    .insertInto("second_factor")
    .values({ owner_id: user?.id ?? "", totp_secret: null, enabled_at: 1 })
    .execute();
  const ada = visitor();
  const response = await signInWith(ada, "google", { providers, query: "?returnTo=/cards" });
  expect(place(response)).toEqual([302, "/auth/verify?returnTo=%2Fcards"]);
  expect((await ada.get("/profile")).status).toBe(302);
});

test("a callback works once, in the browser and for the provider that it was begun for", async () => {
  const { visitor, providers } = await openApp();
  const ada = visitor();
  const callback = await providers.approve(await openProvider(ada, "google"));
  const refused = [302, "/auth?error=state_mismatch"];
  expect(place(await visitor().get(callback.pathname + callback.search))).toEqual(refused);
  const eve = visitor();
  await openProvider(eve, "google");
  // A stranger's callback signs no one in, and uses the state up.
  expect(place(await eve.get(callback.pathname + callback.search))).toEqual(refused);
  expect(place(await ada.get(callback.pathname + callback.search))).toEqual(refused);
  expect((await ada.get("/profile")).status).toBe(302);
});

test("two tabs can finish their sign-ins, and a callback that is repeated leads on", async () => {
  const { visitor, providers } = await openApp();
  const ada = visitor();
  const first = await providers.approve(await openProvider(ada, "google"));
  const second = await providers.approve(await openProvider(ada, "google"));
  const open = ({ pathname, search }: URL) => ada.get(pathname + search);
  const places = (await Promise.all([open(first), open(second)])).map((response) => place(response)[1]);
  expect(places.toSorted()).toEqual(["/profile", "/start"]);
  const repeated = await open(first);
  expect(place(await ada.get(repeated.headers.get("location") ?? ""))).toEqual([302, "/profile"]);
});
