import { describe, expect, test } from "vitest";

import { deleteUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import { decodeToast } from "#tests/support/app/responses.ts";
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
import { googleClaims } from "#tests/support/providers/recorded-profiles.ts";

async function openApp() {
  const providers = await openProviders();
  const app = await createTestApp({ env: { ...providerEnv, ...appleEnv, ...ssoEnv(providers.issuer) } });
  return { ...app, providers };
}

const location = (response: Response) => response.headers.get("location");
const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

test.each([
  ["down", "We couldn't reach GitHub. Try again in a moment."],
  ["html", "We couldn't reach GitHub. Try again in a moment."],
  ["refuses", "Try again in a moment."],
] as const)("an account of a provider that is %s isn't connected, and the profile says so", async (health, text) => {
  const { providers, services, ...app } = await openApp();
  const ada = await signedInNow(app);
  providers.state.health = health;
  expect(location(await connectWith(ada, "github", { providers }))).toBe("/profile");
  const toast = decodeToast(ada.cookies.get("meishi.toast"));
  expect(toast).toEqual({ title: "Failed to connect account", text, tone: "error" });
  expect(await listAccounts(services)).toHaveLength(1);
  providers.state.health = "ok";
  await connectWith(ada, "github", { providers });
  expect(await listAccounts(services)).toHaveLength(2);
});

test.each(["google", "apple", "github", "linkedin_oidc", "twitch", "spotify", "slack", "facebook"])(
  "a code that %s refuses, as it documents, connects nothing, and the log says why",
  async (id) => {
    const { providers, services, logLines, ...app } = await openApp();
    const ada = await signedInNow(app);
    providers.state.health = "refuses";
    await connectWith(ada, id, { providers });
    const toast = decodeToast(ada.cookies.get("meishi.toast"));
    expect(toast).toMatchObject({
      title: "Failed to connect account",
      text: expect.stringMatching(/Try again in a moment\.$/),
    });
    expect(await listAccounts(services)).toHaveLength(1);
    expect(logLines.filter(({ provider, reason }) => provider === id && reason)).toHaveLength(1);
  },
);

test.each(["google", "apple"])("%s whose keys can't be fetched can't be reached", async (id) => {
  const { visitor, providers, services } = await openApp();
  const ada = visitor();
  const { pathname, search } = await providers.approve(await openProvider(ada, id));
  providers.state.hasKeys = false;
  expect(location(await ada.get(pathname + search))).toBe(`/auth?error=unreachable&provider=${id}`);
  expect(await listUsers(services)).toEqual([]);
});

describe("a provider's clock", () => {
  test.each([
    ["google", 30],
    ["google", -30],
    ["apple", 30],
    ["apple", -30],
    ["sso", 30],
    ["sso", -30],
  ])("of %s may be %i seconds away from ours", async (id, skew) => {
    const { visitor, providers } = await openApp();
    // The shortest validity that its clock allows.
    const [iat, exp] = skew > 0 ? [secondsFromNow(28), secondsFromNow(90)] : [secondsFromNow(-90), secondsFromNow(-28)];
    providers.state.person = { iat, nbf: iat, exp };
    expect(location(await signInWith(visitor(), id, { providers }))).toBe("/start");
  });

  test.each(["google", "apple", "sso"])("of %s can't make an old ID token valid", async (id) => {
    const { visitor, providers } = await openApp();
    providers.state.person = { iat: secondsFromNow(-300), exp: secondsFromNow(-120) };
    expect(location(await signInWith(visitor(), id, { providers }))).toBe(`/auth?error=sign_in_failed&provider=${id}`);
  });
});

describe("while a provider answers slowly", () => {
  /** Opens a callback that waits for the provider until `answer` is called. */
  async function openSlowly(
    app: Awaited<ReturnType<typeof openApp>>,
    { get }: { get: (path: string) => Promise<Response> },
    callback: URL,
  ) {
    const gate = Promise.withResolvers<void>();
    app.providers.state.gate = gate.promise;
    const before = app.providers.state.requests.length;
    const response = get(callback.pathname + callback.search);
    await expect.poll(() => app.providers.state.requests.length).toBeGreaterThan(before);
    return {
      answer: () => {
        gate.resolve();
        return response;
      },
    };
  }

  test("others sign in, write and read", async () => {
    const app = await openApp();
    const bo = app.visitor();
    const slow = await openSlowly(app, bo, await app.providers.approve(await openProvider(bo, "google")));
    const ada = await signedInNow(app);
    expect((await ada.post("/account/preferences", { locale: "de-DE", timeZone: "Europe/Berlin" })).status).toBe(302);
    expect(location(await slow.answer())).toBe("/start");
  });

  test("an owner who disconnects it isn't signed in with it", async () => {
    const app = await openApp();
    const ada = await signedInNow(app, googleClaims.email);
    await connectWith(ada, "google", app);
    const stranger = app.visitor();
    const slow = await openSlowly(app, stranger, await app.providers.approve(await openProvider(stranger, "google")));
    await ada.post("/account/connections/google", { intent: "disconnect" });
    expect(location(await slow.answer())).toContain("/auth?error=account_exists&provider=google");
    expect((await stranger.get("/profile")).status).toBe(302);
    expect((await listAccounts(app.services)).map(({ providerId }) => providerId)).toEqual(["credential"]);
  });

  test.each([
    ["/auth/sign-out", {}],
    ["/account/sessions", { intent: "end-all" }],
  ])("a user who signs out at %s connects nothing any more", async (path, form) => {
    const app = await openApp();
    const ada = await signedInNow(app);
    const opened = await ada.post("/account/connections/github", { intent: "connect", returnTo: "/profile" });
    const slow = await openSlowly(app, ada, await app.providers.approve(await readProviderUrl(opened)));
    await ada.post(path, form);
    await slow.answer();
    expect(decodeToast(ada.cookies.get("meishi.toast"))).toMatchObject({ title: "Failed to connect account" });
    expect((await listAccounts(app.services)).map(({ providerId }) => providerId)).toEqual(["credential"]);
  });

  test("an account that is deleted is neither connected nor signed in to", async () => {
    const app = await openApp();
    const ada = app.visitor();
    await signInWith(ada, "google", app);
    const [user] = await listUsers(app.services);
    const later = app.visitor();
    const slow = await openSlowly(app, later, await app.providers.approve(await openProvider(later, "google")));
    await transact(app.services.db, (trx) => deleteUser(trx, user?.id ?? ""));
    // Its owner signs up again.
    expect(location(await slow.answer())).toBe("/start");
    const users = await listUsers(app.services);
    expect(users).toHaveLength(1);
    expect(users[0]?.id).not.toBe(user?.id);
  });
});
