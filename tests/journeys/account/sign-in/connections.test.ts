import { expect, test } from "vitest";

import { decodeToast } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { isSignedIn, locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { blockUser, proveAgo } from "#tests/support/database/account-rows.ts";
import {
  connectWith,
  listAccounts,
  openProviderApp,
  readProviderUrl,
  signedInNow,
  signInWith,
} from "#tests/support/providers/provider-visits.ts";
import { googleClaims } from "#tests/support/providers/recorded-profiles.ts";
import { recordedTokens } from "#tests/support/providers/recorded-tokens.ts";

const social = ["github", "linkedin_oidc", "twitch", "spotify", "slack", "facebook"];

const toastOf = (user: Pick<Visitor, "cookies">) => decodeToast(user.cookies.get("meishi.toast"));

test.each(social)("%s can be connected and disconnected, and its owner gets a mail", async (id) => {
  const app = await openProviderApp();
  const ada = await signedInNow(app);
  expect(locationOf(await connectWith(ada, id, app))).toBe("/profile");
  expect(toastOf(ada)).toMatchObject({ title: expect.stringMatching(/ connected$/), tone: "success" });
  const page = await readPage(ada, "/account/connections");
  expect(page.match(/Connected \w+ \d/g)).toHaveLength(1);
  expect(await app.mails("was connected to")).toMatchObject([{ to: ada.email }]);
  const row = (await listAccounts(app.services)).find(({ providerId }) => providerId === id);
  // It is stored encrypted.
  expect(row?.["accessToken"]).toMatch(/^[^.]{40,}$/);
  const receivedTokens = Object.values(recordedTokens).map(({ tokens }) => tokens["access_token"]);
  expect(receivedTokens).not.toContain(row?.["accessToken"]);
  const removed = await ada.post(`/account/connections/${id}`, { intent: "disconnect", returnTo: "/profile" });
  expect(locationOf(removed)).toBe("/profile");
  expect(await app.mails("was disconnected from")).toMatchObject([{ to: ada.email }]);
  expect(await listAccounts(app.services)).toEqual([expect.objectContaining({ providerId: "credential" })]);
  const events = await app.services.db.selectFrom("security_event").select("event").execute();
  expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(["account-linked", "account-unlinked"]));
});

test("the profile lists the social accounts that can be connected, and nothing without providers", async () => {
  const app = await openProviderApp();
  const page = await readPage(await app.signedIn(), "/profile");
  for (const text of ["Social Accounts", ...social.map((id) => `action="/account/connections/${id}"`)])
    expect(page).toContain(text);
  expect(page).not.toContain("/account/connections/google");
  const plain = await createTestApp();
  expect(await readPage(await plain.signedIn(), "/profile")).not.toContain("Social Accounts");
});

test("no one signs in with a provider that is only connected", async () => {
  const app = await openProviderApp();
  await connectWith(await signedInNow(app), "github", app);
  for (const id of social) expect((await app.visitor().post(`/auth/with/${id}`, {})).status, id).toBe(404);
});

test("connecting needs a recent proof of identity", async () => {
  const app = await openProviderApp();
  const ada = await app.signedIn();
  await proveAgo(app.services, 11);
  for (const intent of ["connect", "disconnect"]) {
    const response = await ada.post("/account/connections/github", { intent, returnTo: "/profile" });
    expect(locationOf(response)).toBe("/account/verify?returnTo=%2Faccount%2Fconnections");
  }
});

test("what one user began connects nothing to another", async () => {
  const app = await openProviderApp();
  const eve = await signedInNow(app, "eve@example.com");
  const opened = await eve.post("/account/connections/github", { intent: "connect", returnTo: "/profile" });
  const callback = await app.providers.approve(await readProviderUrl(opened));
  // Ada opens Eve's callback, in her own browser and then in Eve's, where Ada has signed in.
  const ada = await signedInNow(app);
  expect(locationOf(await ada.get(callback.pathname + callback.search))).toBe("/auth?error=state_mismatch");
  await eve.post("/auth/sign-out", {});
  await logIn(eve, ada);
  expect(locationOf(await eve.get(callback.pathname + callback.search))).toBe("/profile");
  expect(toastOf(eve)).toMatchObject({ title: "Failed to connect account", tone: "error" });
  expect((await listAccounts(app.services)).map(({ providerId }) => providerId)).toEqual(["credential", "credential"]);
});

test("an account is connected to one user, also when two connect it at once", async () => {
  const app = await openProviderApp();
  const users = [await signedInNow(app), await signedInNow(app, "eve@example.com")];
  await Promise.all(users.map((user) => connectWith(user, "github", app)));
  expect((await listAccounts(app.services)).filter(({ providerId }) => providerId === "github")).toHaveLength(1);
  const bob = await signedInNow(app, "bob@example.com");
  await connectWith(bob, "github", app);
  expect(toastOf(bob)).toEqual({
    title: "Failed to connect account",
    text: "This GitHub account is connected to another account here.",
    tone: "error",
  });
});

test("an owner with a password connects Google, and then signs in with it", async () => {
  const app = await openProviderApp();
  await connectWith(await signedInNow(app, googleClaims.email), "google", app);
  expect(locationOf(await signInWith(app.visitor(), "google", app))).toBe("/home");
});

test("the last sign-in method can't be removed, and a blocked user can't use it", async () => {
  const app = await openProviderApp();
  const ada = app.visitor();
  await signInWith(ada, "google", app);
  await connectWith(ada, "github", app);
  const disconnect = (id: string) => ada.post(`/account/connections/${id}`, { intent: "disconnect" });
  await disconnect("google");
  expect(toastOf(ada)).toMatchObject({ title: "You need another way to sign in first", tone: "error" });
  await disconnect("github");
  const accounts = await listAccounts(app.services);
  expect(accounts.map(({ providerId }) => providerId)).toEqual(["google"]);
  await blockUser(app.services, accounts[0]?.["userId"] ?? "");
  const later = app.visitor();
  expect(locationOf(await signInWith(later, "google", app))).toBe("/auth?error=account_blocked&provider=google");
  expect(await isSignedIn(later)).toBe(false);
});

test("a connected account offers its name and its page to its user, each taken over by a press", async () => {
  const app = await openProviderApp();
  const ada = await signedInNow(app);
  await connectWith(ada, "github", app);
  const eve = await signedInNow(app, "eve@example.com");
  eve.cookies.set("meishi.connected", ada.cookies.get("meishi.connected") ?? "");
  expect(await readPage(eve, "/profile")).not.toContain("Use this name");
  await eve.post("/account/connections/offer", { intent: "name" });
  expect(await readPage(eve, "/profile")).not.toContain("Ada at GitHub");

  const page = await readPage(ada, "/profile");
  for (const label of ["Add this profile as a link", "Use this photo", "Use this name"]) expect(page).toContain(label);
  const profile = app.services.db.selectFrom("profile").where("display_name", "!=", "eve").selectAll();
  expect(await profile.execute()).toMatchObject([{ display_name: "ada", links: "[]" }]);
  const take = (intent: string) => ada.post("/account/connections/offer", { intent });
  await take("name");
  await take("link");
  // The recorded address of the image leads nowhere.
  await take("photo");
  expect(toastOf(ada)).toMatchObject({ title: "The photo couldn’t be used. Upload one instead.", tone: "error" });
  const links = expect.stringContaining("https://github.com/octo-ada");
  expect(await profile.execute()).toMatchObject([{ display_name: "Ada at GitHub", links }]);
  expect(await readPage(ada, "/profile")).not.toContain("Use this name");
  await take("dismiss");
  expect(await readPage(ada, "/profile")).not.toContain("Use this photo");
});
