import { describe, expect, test } from "vitest";

import { deleteUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import { decodeToast } from "#tests/support/app/responses.ts";
import { isSignedIn, locationOf } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
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
import { googleClaims } from "#tests/support/providers/recorded-profiles.ts";

const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

test.each(["down", "html"] as const)(
  "an account of a provider that is %s isn't connected, and the profile says so",
  async (health) => {
    const { providers, services, ...app } = await openProviderApp();
    const ada = await signedInNow(app);
    providers.state.health = health;
    expect(locationOf(await connectWith(ada, "github", { providers }))).toBe("/profile");
    const text = "We couldn’t reach GitHub. Try again in a moment.";
    const toast = decodeToast(ada.cookies.get("meishi.toast"));
    expect(toast).toEqual({ title: "Failed to connect account", text, tone: "error" });
    expect(await listAccounts(services)).toHaveLength(1);
    providers.state.health = "ok";
    await connectWith(ada, "github", { providers });
    expect(await listAccounts(services)).toHaveLength(2);
  },
);

test.each(["google", "apple", "github", "linkedin_oidc", "twitch", "spotify", "slack", "facebook"])(
  "a code that %s refuses, as it documents, connects nothing, and the log says why",
  async (id) => {
    const { providers, services, logLines, ...app } = await openProviderApp();
    const ada = await signedInNow(app);
    providers.state.health = "refuses";
    await connectWith(ada, id, { providers });
    const text = expect.stringMatching(/Try again in a moment\.$/);
    const toast = decodeToast(ada.cookies.get("meishi.toast"));
    expect(toast).toMatchObject({ title: "Failed to connect account", text });
    expect(await listAccounts(services)).toHaveLength(1);
    expect(logLines.filter(({ provider, reason }) => provider === id && reason)).toHaveLength(1);
  },
);

test.each(["google", "apple"])("%s whose keys can't be fetched can't be reached", async (id) => {
  const { visitor, providers, services } = await openProviderApp();
  const ada = visitor();
  const { pathname, search } = await providers.approve(await openProvider(ada, id));
  providers.state.hasKeys = false;
  expect(locationOf(await ada.get(pathname + search))).toBe(`/auth?error=unreachable&provider=${id}`);
  expect(await listUsers(services)).toEqual([]);
});

test.each(["google", "apple", "sso"])("the clock of %s may be 30 seconds away from ours", async (id) => {
  const { visitor, providers } = await openProviderApp();
  // The shortest validity that its clock allows.
  for (const [from, until, landed] of [
    [28, 90, "/start"],
    [-90, -28, "/home"],
  ] as const) {
    const iat = secondsFromNow(from);
    providers.state.person = { iat, nbf: iat, exp: secondsFromNow(until) };
    expect(locationOf(await signInWith(visitor(), id, { providers }))).toBe(landed);
  }
});

describe("while a provider answers slowly", () => {
  /** Returns from the provider, which doesn't answer until `answer` is called. */
  async function openSlowly(
    { providers }: Awaited<ReturnType<typeof openProviderApp>>,
    { get }: Pick<Visitor, "get">,
    url: string,
  ) {
    const callback = await providers.approve(url);
    const gate = Promise.withResolvers<void>();
    providers.state.gate = gate.promise;
    const before = providers.state.requests.length;
    const response = get(callback.pathname + callback.search);
    await expect.poll(() => providers.state.requests.length).toBeGreaterThan(before);
    return async () => {
      gate.resolve();
      return locationOf(await response);
    };
  }

  test("others sign in, write and read", async () => {
    const app = await openProviderApp();
    const bo = app.visitor();
    const answer = await openSlowly(app, bo, await openProvider(bo, "google"));
    const ada = await signedInNow(app);
    expect((await ada.post("/account/preferences", { locale: "de-DE", timeZone: "Europe/Berlin" })).status).toBe(302);
    expect(await answer()).toBe("/start");
  });

  test("an owner who disconnects it isn't signed in with it", async () => {
    const app = await openProviderApp();
    const ada = await signedInNow(app, googleClaims.email);
    await connectWith(ada, "google", app);
    const stranger = app.visitor();
    const answer = await openSlowly(app, stranger, await openProvider(stranger, "google"));
    await ada.post("/account/connections/google", { intent: "disconnect" });
    expect(await answer()).toContain("/auth?error=account_exists&provider=google");
    expect(await isSignedIn(stranger)).toBe(false);
    expect((await listAccounts(app.services)).map(({ providerId }) => providerId)).toEqual(["credential"]);
  });

  test.each([
    ["/auth/sign-out", {}],
    ["/account/sessions", { intent: "end-all" }],
  ])("a user who signs out at %s connects nothing any more", async (path, form) => {
    const app = await openProviderApp();
    const ada = await signedInNow(app);
    const opened = await ada.post("/account/connections/github", { intent: "connect", returnTo: "/profile" });
    const answer = await openSlowly(app, ada, await readProviderUrl(opened));
    await ada.post(path, form);
    await answer();
    expect(decodeToast(ada.cookies.get("meishi.toast"))).toMatchObject({ title: "Failed to connect account" });
    expect((await listAccounts(app.services)).map(({ providerId }) => providerId)).toEqual(["credential"]);
  });

  test("an account that is deleted is neither connected nor signed in to", async () => {
    const app = await openProviderApp();
    await signInWith(app.visitor(), "google", app);
    const [user] = await listUsers(app.services);
    const later = app.visitor();
    const answer = await openSlowly(app, later, await openProvider(later, "google"));
    await transact(app.services.db, (trx) => deleteUser(trx, user?.id ?? ""));
    // Its owner signs up again.
    expect(await answer()).toBe("/start");
    const users = await listUsers(app.services);
    expect(users).toHaveLength(1);
    expect(users[0]?.id).not.toBe(user?.id);
  });
});
