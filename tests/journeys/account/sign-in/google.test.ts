import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { describe, expect, test } from "vitest";

import { fieldValue } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { decodeToast, firstLink } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { jpeg } from "#tests/support/app/uploads.ts";
import { isSignedIn, locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { blockUser, insertRows } from "#tests/support/database/account-rows.ts";
import {
  listAccounts,
  listUsers,
  openProvider,
  openProviderApp,
  signInWith,
} from "#tests/support/providers/provider-visits.ts";
import { googleClaims } from "#tests/support/providers/recorded-profiles.ts";

const { email } = googleClaims;
const stranger = { email, password: "a stranger's password" };

test("the button is on both tabs, and only where Google is configured", async () => {
  const { visitor } = await openProviderApp();
  for (const path of ["/auth", "/auth?tab=signup"]) {
    const page = await readPage(visitor(), path);
    for (const text of ["Continue with Google", 'action="/auth/with/google"']) expect(page).toContain(text);
    expect(page).not.toContain("GitHub");
  }
  // The script of the page opens the provider itself.
  const response = await visitor().post("/auth/with/google", {}, { "meishi-in-place": "1" });
  expect(response.status).toBe(204);
  expect(response.headers.get("meishi-location")).toMatch(/^https:\/\/accounts\.google\.com\//);
  const plain = await createTestApp();
  expect(await readPage(plain.visitor(), "/auth")).not.toContain("Continue with");
  expect((await plain.visitor().post("/auth/with/google", {})).status).toBe(404);
});

test("the first sign-in creates a confirmed account with its name, and leads to the first steps", async () => {
  const { visitor, services, providers } = await openProviderApp();
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
  expect(locationOf(await ada.get(callback.pathname + callback.search))).toBe("/start");
  expect(decodeToast(ada.cookies.get("meishi.toast"))).toMatchObject({ title: "Login successful!" });
  expect(providers.state.tokenRequests[0]?.get("client_secret")).toBe("secret-of-google");
  const emailVerified = services.engine === "sqlite" ? 1 : true;
  expect(await listUsers(services)).toEqual([expect.objectContaining({ email, name: "Ada Lovelace", emailVerified })]);
  expect(fieldValue(await readPage(ada, "/start/name"), "displayName")).toBe("Ada Lovelace");
  // The next sign-in is to the same account.
  const query = `?returnTo=${encodeURIComponent("/cards/edit?from=x")}`;
  expect(locationOf(await signInWith(visitor(), "google", { providers }))).toBe("/home");
  expect(locationOf(await signInWith(visitor(), "google", { providers, query }))).toBe("/cards/edit?from=x");
  // It leads back to the first steps while they hold a draft card.
  const draft = { attempt: "", content: "{}", is_confirmed: 1 as const, expires_at: Date.now() + 60_000 };
  await insertRows(services, { sign_up_draft: { ...draft, owner_id: await userIdOf(ada) } });
  expect(locationOf(await signInWith(visitor(), "google", { providers }))).toBe("/start");
});

test("the image is fetched once and becomes the avatar", async () => {
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
  const { visitor, services, providers } = await openProviderApp({ allowedOrigins: [origin] });
  providers.state.person = { picture: `${origin}/me.jpg` };
  for (let times = 0; times < 2; times++) {
    await signInWith(visitor(), "google", { providers });
    await services.jobs.runDue();
  }
  const profile = await services.db.selectFrom("profile").selectAll().executeTakeFirstOrThrow();
  expect(profile).toMatchObject({ display_name: "Ada Lovelace", avatar_key_prefix: expect.stringMatching(/./) });
  expect(requests).toBe(1);

  // One elsewhere in a private network isn't fetched.
  const inPrivate = `${origin.replace("127.0.0.1", "localhost")}/me.jpg`;
  providers.state.person = { sub: "2", email: "bo@gmail.example", picture: inPrivate };
  const bo = visitor();
  await signInWith(bo, "google", { providers });
  await services.jobs.runDue();
  expect((await bo.get("/profile")).status).toBe(200);
  const profiles = await services.db.selectFrom("profile").select("avatar_key_prefix").execute();
  expect(profiles).toContainEqual({ avatar_key_prefix: null });
  expect(requests).toBe(1);
});

describe("an address that has an account", () => {
  test("is not signed in: its owner signs in with the password first", async () => {
    const { visitor, signedIn, services, providers } = await openProviderApp();
    const owner = await signedIn(email);
    const guest = visitor();
    const location = locationOf(await signInWith(guest, "google", { providers })) ?? "";
    expect(location).toBe("/auth?error=account_exists&provider=google&returnTo=%2Faccount%2Fconnections");
    const page = await readPage(guest, location);
    expect(page).toContain("You already have an account with this email");
    expect(page).toContain("Sign in with your password, then connect Google in your account settings.");
    expect(await isSignedIn(guest)).toBe(false);
    expect(await listAccounts(services)).toEqual([expect.objectContaining({ providerId: "credential" })]);
    expect(await isSignedIn(owner)).toBe(true);
  });

  test("is not told to someone whose address Google hasn't confirmed", async () => {
    const { visitor, signedIn, providers } = await openProviderApp();
    await signedIn(email);
    for (const person of [{ email_verified: false }, { email_verified: false, sub: "2", email: "new@gmail.example" }]) {
      providers.state.person = person;
      const refused = await signInWith(visitor(), "google", { providers });
      expect(locationOf(refused)).toBe("/auth?error=email_not_verified&provider=google");
    }
  });

  test("that a stranger signed up with and never confirmed belongs to its owner, without the stranger's password", async () => {
    const { visitor, providers, mails } = await openProviderApp();
    await visitor().post("/auth?tab=signup", { intent: "sign-up", ...stranger });
    const ada = visitor();
    expect(locationOf(await signInWith(ada, "google", { providers }))).toBe("/start");
    expect((await logIn(visitor(), stranger)).status).toBe(400);
    // Nor does the link in the mail set it.
    const sent = await mails();
    expect(sent).toHaveLength(1);
    await visitor().post(firstLink(sent[0]?.text), {});
    expect((await logIn(visitor(), stranger)).status).toBe(400);
    expect(await isSignedIn(ada)).toBe(true);
  });

  test("that an operator blocked before it was confirmed stays blocked", async () => {
    const { visitor, providers, services } = await openProviderApp();
    await visitor().post("/auth?tab=signup", { intent: "sign-up", ...stranger });
    const ownerId = (await services.auth.findUserId(email)) ?? "";
    await blockUser(services, ownerId);
    const ada = visitor();
    expect(locationOf(await signInWith(ada, "google", { providers }))).toMatch(/^\/auth\?error=/);
    expect(await isSignedIn(ada)).toBe(false);
    expect(await services.auth.findUserId(email)).toBe(ownerId);
  });
});

test.each([
  ["is down", "down"],
  ["answers with a page", "html"],
] as const)("says so when Google %s, and keeps the page to return to", async (_, health) => {
  const { visitor, providers, logLines } = await openProviderApp();
  const ada = visitor();
  const callback = await providers.approve(await openProvider(ada, "google", "?returnTo=/cards"));
  providers.state.health = health;
  const location = locationOf(await ada.get(callback.pathname + callback.search)) ?? "";
  expect(location).toBe("/auth?error=unreachable&provider=google&returnTo=%2Fcards");
  const page = await readPage(ada, location);
  expect(page).toContain("We couldn’t reach Google. Try again or sign in with your password.");
  expect(page).toContain('action="/auth/with/google?returnTo=%2Fcards"');
  expect(logLines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

test("a code that Google refuses, and a canceled sign-in, say so", async () => {
  const { visitor, providers } = await openProviderApp();
  const ada = visitor();
  const callback = await providers.approve(await openProvider(ada, "google"));
  providers.state.health = "refuses";
  const refused = await ada.get(callback.pathname + callback.search);
  expect(locationOf(refused)).toBe("/auth?error=sign_in_failed&provider=google");
  const state = new URL(await openProvider(ada, "google")).searchParams.get("state");
  const canceled = await ada.get(`/api/auth/callback/google?error=access_denied&state=${state}`);
  expect(await readPage(ada, locationOf(canceled) ?? "")).toContain("You canceled at Google");
});

test("a callback that is opened in another browser signs no one in, and is used up", async () => {
  const { visitor, providers } = await openProviderApp();
  const [ada, eve] = [visitor(), visitor()];
  const callback = await providers.approve(await openProvider(ada, "google"));
  await openProvider(eve, "google");
  for (const browser of [eve, ada]) {
    const refused = await browser.get(callback.pathname + callback.search);
    expect(locationOf(refused)).toBe("/auth?error=state_mismatch");
    expect(await isSignedIn(browser)).toBe(false);
  }
});
