import { expect, test } from "vitest";

import { decodeToast } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { openProviders, providerEnv } from "#tests/support/providers/provider-doubles.ts";
import {
  connectWith,
  listAccounts,
  readProviderUrl,
  signInWith,
  signedInNow,
} from "#tests/support/providers/provider-visits.ts";
import { googleClaims } from "#tests/support/providers/recorded-profiles.ts";

const social = ["github", "linkedin_oidc", "twitch", "spotify", "slack", "facebook"];

async function openApp() {
  const providers = await openProviders();
  return { ...(await createTestApp({ env: providerEnv })), providers };
}

const toastOf = (user: Pick<Visitor, "cookies">) => decodeToast(user.cookies.get("meishi.toast"));
const location = (response: Response) => response.headers.get("location");

test.each(social)("%s can be connected and disconnected, and its owner gets a mail", async (id) => {
  const app = await openApp();
  const ada = await signedInNow(app);
  const connected = await connectWith(ada, id, app);
  expect(location(connected)).toBe("/profile");
  expect(toastOf(ada)).toMatchObject({ title: expect.stringMatching(/ connected$/), tone: "success" });
  const page = await (await ada.get("/account/connections")).text();
  expect(page.match(/Connected \w+ \d/g)).toHaveLength(1);
  expect((await app.mails())[0]).toMatchObject({ to: ada.email, subject: expect.stringMatching(/connected to/) });
  const removed = await ada.post(`/account/connections/${id}`, { intent: "disconnect", returnTo: "/profile" });
  expect(location(removed)).toBe("/profile");
  expect((await app.mails())[0]).toMatchObject({ subject: expect.stringMatching(/disconnected from/) });
  expect(await listAccounts(app.services)).toEqual([expect.objectContaining({ providerId: "credential" })]);
  const events = await app.services.db.selectFrom("security_event").select("event").execute();
  expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(["account-linked", "account-unlinked"]));
});

test("the profile lists the social accounts that can be connected, and nothing without providers", async () => {
  const app = await openApp();
  const page = await (await (await app.signedIn()).get("/profile")).text();
  expect(page).toContain("Social Accounts");
  for (const id of social) expect(page).toContain(`action="/account/connections/${id}"`);
  expect(page).not.toContain("/account/connections/google");
  const plain = await createTestApp();
  expect(await (await (await plain.signedIn()).get("/profile")).text()).not.toContain("Social Accounts");
});

test("no one signs in with a provider that is only connected", async () => {
  const app = await openApp();
  await connectWith(await signedInNow(app), "github", app);
  const stranger = app.visitor();
  for (const id of social) expect((await stranger.post(`/auth/with/${id}`, {})).status, id).toBe(404);
  // The state of a sign-in with Google is no state of GitHub.
  const opened = await stranger.post("/auth/with/google", {});
  const state = new URL(await readProviderUrl(opened)).searchParams.get("state");
  const mixed = await stranger.get(`/api/auth/callback/github?code=x&state=${state}`);
  expect(location(mixed)).toBe("/auth?error=state_mismatch");
  expect((await stranger.get("/profile")).status).toBe(302);
});

test("tokens are stored encrypted", async () => {
  const app = await openApp();
  await connectWith(await signedInNow(app), "github", app);
  const row = (await listAccounts(app.services)).find(({ providerId }) => providerId === "github");
  expect(row?.["accessToken"]).toMatch(/^[^.]{40,}$/);
  expect(row?.["accessToken"]).not.toContain("eyJ");
});

test("connecting needs a recent proof of identity", async () => {
  const app = await openApp();
  const ada = await app.signedIn();
  await app.services.db
    .updateTable("session" as "setting")
    .set({ verifiedAt: 0 } as never)
    .execute();
  for (const intent of ["connect", "disconnect"]) {
    const response = await ada.post("/account/connections/github", { intent, returnTo: "/profile" });
    expect(location(response)).toBe("/account/verify?returnTo=%2Faccount%2Fconnections");
  }
});

test("what one user began connects nothing to another", async () => {
  const app = await openApp();
  const eve = await signedInNow(app, "eve@example.com");
  const opened = await eve.post("/account/connections/github", { intent: "connect", returnTo: "/profile" });
  const callback = await app.providers.approve(await readProviderUrl(opened));
  // Ada opens Eve's callback, in her own browser and then in Eve's, where Ada has signed in.
  const ada = await signedInNow(app);
  expect(location(await ada.get(callback.pathname + callback.search))).toBe("/auth?error=state_mismatch");
  await eve.post("/auth/sign-out", {});
  await eve.post("/auth", { intent: "log-in", email: ada.email, password: ada.password });
  expect(location(await eve.get(callback.pathname + callback.search))).toBe("/profile");
  expect(toastOf(eve)).toMatchObject({ title: "Failed to connect account", tone: "error" });
  expect((await listAccounts(app.services)).filter(({ providerId }) => providerId === "github")).toEqual([]);
});

test("an account that is connected to another user can't be connected again", async () => {
  const app = await openApp();
  await connectWith(await signedInNow(app), "github", app);
  const eve = await signedInNow(app, "eve@example.com");
  await connectWith(eve, "github", app);
  expect(toastOf(eve)).toEqual({
    title: "Failed to connect account",
    text: "This GitHub account is connected to another account here.",
    tone: "error",
  });
});

test("two callbacks with the same account at once connect it to one user", async () => {
  const app = await openApp();
  const users = [await signedInNow(app), await signedInNow(app, "eve@example.com")];
  await Promise.all(users.map((user) => connectWith(user, "github", app)));
  expect((await listAccounts(app.services)).filter(({ providerId }) => providerId === "github")).toHaveLength(1);
});

test("an owner with a password connects Google, and then signs in with it", async () => {
  const app = await openApp();
  const ada = await signedInNow(app, googleClaims.email);
  await connectWith(ada, "google", app);
  const later = app.visitor();
  expect(location(await signInWith(later, "google", app))).toBe("/profile");
});

test("the last way in can't be removed", async () => {
  const app = await openApp();
  const ada = app.visitor();
  await signInWith(ada, "google", app);
  await connectWith(ada, "github", app);
  const disconnect = (id: string) => ada.post(`/account/connections/${id}`, { intent: "disconnect" });
  await disconnect("google");
  expect(toastOf(ada)).toMatchObject({ title: "You need another way to sign in first", tone: "error" });
  await disconnect("github");
  expect((await listAccounts(app.services)).map(({ providerId }) => providerId)).toEqual(["google"]);
});

test("a blocked user isn't signed in, and says so", async () => {
  const app = await openApp();
  const ada = app.visitor();
  await signInWith(ada, "google", app);
  const { userId = "" } = (await listAccounts(app.services))[0] ?? {};
  await app.services.db
    .insertInto("account_block")
    .values({ owner_id: userId ?? "", reason: "spam", created_at: 1 })
    .execute();
  const later = app.visitor();
  expect(location(await signInWith(later, "google", app))).toBe("/auth?error=account_blocked&provider=google");
  expect((await later.get("/profile")).status).toBe(302);
});

test("a connected account offers its name and its page, each taken over by a press", async () => {
  const app = await openApp();
  const ada = await signedInNow(app);
  await connectWith(ada, "github", app);
  const page = await (await ada.get("/profile")).text();
  for (const label of ["Add this profile as a link", "Use this photo", "Use this name"]) expect(page).toContain(label);
  const readProfile = () => app.services.db.selectFrom("profile").selectAll().executeTakeFirstOrThrow();
  expect(await readProfile()).toMatchObject({ display_name: "ada", links: "[]" });
  const take = (intent: string) => ada.post("/account/connections/offer", { intent });
  await take("name");
  await take("link");
  // The recorded address of the picture leads nowhere.
  await take("photo");
  expect(toastOf(ada)).toMatchObject({ title: "The photo couldn't be used. Upload one instead.", tone: "error" });
  const profile = await readProfile();
  expect(profile.display_name).toBe("Ada at GitHub");
  expect(profile.links).toContain("https://github.com/octo-ada");
  const later = await (await ada.get("/profile")).text();
  expect(later).not.toContain("Use this name");
  await take("dismiss");
  expect(await (await ada.get("/profile")).text()).not.toContain("Use this photo");
});

test("an offer is for the user who connected the account", async () => {
  const app = await openApp();
  const ada = await signedInNow(app);
  await connectWith(ada, "github", app);
  const eve = await signedInNow(app, "eve@example.com");
  eve.cookies.set("meishi.connected", ada.cookies.get("meishi.connected") ?? "");
  expect(await (await eve.get("/profile")).text()).not.toContain("Use this name");
  await eve.post("/account/connections/offer", { intent: "name" });
  expect(await (await eve.get("/profile")).text()).not.toContain("Ada at GitHub");
});
