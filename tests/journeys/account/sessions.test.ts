import { createHmac } from "node:crypto";

import { expect, test } from "vitest";

import { userIdOf } from "#tests/support/app/profiles.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import { copyBrowser, locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import { selectAll } from "#tests/support/database/account-rows.ts";
import { listUsers } from "#tests/support/providers/provider-visits.ts";

const cookie = "meishi.session_token";
const toLogin = "/auth?returnTo=%2Fprofile";

test("signing in replaces a planted session, with an HttpOnly, SameSite=Lax cookie", async () => {
  const app = await createTestApp();
  const eve = await app.signedIn("eve@example.com");
  const ada = await app.signedIn();
  const victim = copyBrowser(app, eve);
  const response = await logIn(victim, ada);
  const line = response.headers.getSetCookie().find((set) => set.startsWith(cookie)) ?? "";
  for (const attribute of [/; Path=\/(;|$)/, /; HttpOnly(;|$)/, /; SameSite=Lax(;|$)/]) expect(line).toMatch(attribute);
  const token = victim.cookies.get(cookie);
  expect([eve.cookies.get(cookie), ada.cookies.get(cookie)]).not.toContain(token);
  expect(await userIdOf(victim)).toBe(await userIdOf(ada));
  // The planted session has ended, and each sign-in has a new one.
  expect(locationOf(await eve.get("/profile"))).toBe(toLogin);
  await logIn(victim, ada);
  expect(victim.cookies.get(cookie)).not.toBe(token);
});

test.each([
  ["/kiosk/abc", "/kiosk/abc"],
  ["https://evil.example/", "/auth"],
  ["//evil.example/", "/auth"],
])("signing out ends the session on the server, and with a path to return to, %s, leads to %s", async (typed, path) => {
  const { ada, ...app } = await createSignedInApp();
  const holder = copyBrowser(app, ada);
  expect(locationOf(await ada.get("/auth/sign-out"))).toBe("/");
  expect((await holder.get("/profile")).status).toBe(200);
  const done = await ada.post(`/auth/sign-out?${new URLSearchParams({ returnTo: typed })}`, {});
  expect(locationOf(done)).toBe(path);
  for (const user of [ada, holder]) expect(locationOf(await user.get("/profile"))).toBe(toLogin);
});

test("a forged session cookie is treated like no cookie, and no one can sign in as the sample user", async () => {
  const { signedIn, visitor, services } = await createTestApp({ env: { DEMO: "on" } });
  expect(await listUsers(services)).toEqual([]);
  for (const email of ["demo@example.com", "demo-user", "demo-user@localhost"])
    expect((await logIn(visitor(), { email, password: "demo-user" })).status).toBe(400);
  const ada = await signedIn();
  const real = decodeURIComponent(ada.cookies.get(cookie) ?? "");
  const [token = ""] = real.split(".");
  const signedWith = (secret: string) => `${token}.${createHmac("sha256", secret).update(token).digest("base64")}`;
  const forged = [
    token,
    `${token}.${"A".repeat(43)}=`,
    signedWith(""),
    signedWith("better-auth-secret-12345678901234567890"),
    real.slice(0, -2),
    `${real}x`,
    `' or 1=1 --.${"A".repeat(43)}=`,
    "%00",
    "\u00ff",
    "a".repeat(10_000),
    JSON.stringify({ userId: "demo-user" }),
  ];
  for (const sent of forged.flatMap((value) => [value, encodeURIComponent(value)])) {
    const stranger = visitor();
    stranger.cookies.set(cookie, sent);
    expect(locationOf(await stranger.get("/profile")), sent.slice(0, 60)).toBe(toLogin);
    expect(stranger.cookies.has(cookie)).toBe(false);
    stranger.cookies.set(cookie, sent);
    const page = await stranger.get("/card/demo-card");
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Maya Lindqvist")]);
  }
  expect(await selectAll(services, "session")).toHaveLength(1);
  // Nor does it prevent signing in.
  const holder = visitor();
  holder.cookies.set(cookie, forged[1] ?? "");
  expect((await logIn(holder, ada)).status).toBe(302);
  expect((await ada.get("/profile")).status).toBe(200);
});

test("the auth demo shows who is signed in, without a token, and signs out", async () => {
  const { signedIn, visitor } = await createTestApp();
  const readMain = async (user: Pick<ReturnType<typeof visitor>, "get">) =>
    /<main.*<\/main>/s.exec(await readPage(user, "/auth/demo"))?.[0] ?? "";
  expect((await visitor().get("/auth/demo")).headers.get("cache-control")).toBe("no-store");
  const ofVisitor = await readMain(visitor());
  for (const text of ["No user is signed in.", 'href="/auth"', 'href="/account"']) expect(ofVisitor).toContain(text);
  expect(ofVisitor).toMatch(/<button[^>]* disabled=""[^>]*>Sign Out/);
  const ada = await signedIn();
  const ofAda = await readMain(ada);
  expect(ofAda).toContain("ada@example.com");
  expect(ofAda).not.toContain("No user is signed in.");
  expect(ofAda).toMatch(/<form action="\/auth\/sign-out" method="post"><button(?![^>]*disabled="")[^>]*>Sign Out/);
  expect(await readPage(ada, "/auth/demo")).not.toContain(ada.cookies.get(cookie));
  await ada.post("/auth/sign-out", {});
  expect(await readMain(ada)).toBe(ofVisitor);
});

test("keeps the later of two toasts when a page redirects", async () => {
  const { signedUp } = await createTestApp();
  const ada = await signedUp();
  // The toast of the confirmation is still pending when this page redirects with its own.
  expect(ada.cookies.has("meishi.toast")).toBe(true);
  expect(locationOf(await ada.get("/cards/edit/unknown"))).toBe("/profile");
  expect(await readPage(ada, "/profile")).toContain("Failed to load business card.");
});
