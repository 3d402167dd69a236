import { createHmac } from "node:crypto";

import { describe, expect, test } from "vitest";

import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const cookie = "meishi.session_token";
const toLogin = "/auth?returnTo=%2Fprofile";

/** better-auth's tables are not in our schema. */
const session = "session" as "setting";

test("signing in replaces a planted session", async () => {
  const { signedIn, visitor } = await createTestApp();
  const eve = await signedIn("eve@example.com");
  const ada = await signedIn();
  const planted = eve.cookies.get(cookie) ?? "";
  const victim = visitor();
  victim.cookies.set(cookie, planted);
  const form = { intent: "log-in", email: ada.email, password: ada.password };
  expect((await victim.post("/auth", form)).status).toBe(302);
  expect(victim.cookies.get(cookie)).not.toBe(planted);
  expect(await userIdOf(victim)).toBe(await userIdOf(ada));
  // The planted session has ended.
  const holder = visitor();
  holder.cookies.set(cookie, planted);
  expect((await holder.get("/profile")).headers.get("location")).toBe(toLogin);
});

test("each sign-in creates a new session with an HttpOnly, SameSite=Lax cookie", async () => {
  const { signedIn, visitor } = await createTestApp();
  const { email, password } = await signedIn();
  const tokens = new Set<string>();
  for (let n = 0; n < 3; n++) {
    const user = visitor();
    const response = await user.post("/auth", { intent: "log-in", email, password });
    const line = response.headers.getSetCookie().find((set) => set.startsWith(cookie)) ?? "";
    expect(line).toMatch(/; Path=\/(;|$)/);
    expect(line).toMatch(/; HttpOnly(;|$)/);
    expect(line).toMatch(/; SameSite=Lax(;|$)/);
    tokens.add(user.cookies.get(cookie) ?? "");
  }
  expect(tokens.size).toBe(3);
});

test("signing out ends the session on the server", async () => {
  const { signedIn, visitor } = await createTestApp();
  const ada = await signedIn();
  const stored = ada.cookies.get(cookie) ?? "";
  await ada.post("/auth/sign-out", {});
  const holder = visitor();
  holder.cookies.set(cookie, stored);
  expect((await holder.get("/profile")).headers.get("location")).toBe(toLogin);
});

test.each([
  ["/kiosk/abc", "/kiosk/abc"],
  ["https://evil.example/", "/auth"],
  ["//evil.example/", "/auth"],
])("signing out with a path to return to, %s, leads to %s", async (typed, path) => {
  const { signedIn } = await createTestApp();
  const ada = await signedIn();
  const done = await ada.post(`/auth/sign-out?${new URLSearchParams({ returnTo: typed })}`, {});
  expect(done.headers.get("location")).toBe(path);
  expect((await ada.get("/profile")).headers.get("location")).toBe(toLogin);
});

test("an expired session is refused and its cookie removed", async () => {
  const { signedIn, services } = await createTestApp();
  const ada = await signedIn();
  const past = new Date(Date.now() - 1_000).toISOString();
  await services.db
    .updateTable(session)
    .set({ expiresAt: past } as never)
    .execute();
  expect((await ada.get("/profile")).headers.get("location")).toBe(toLogin);
  expect(ada.cookies.has(cookie)).toBe(false);
});

describe("a forged session cookie", () => {
  test("is treated like no cookie", async () => {
    const { signedIn, visitor, services } = await createTestApp({ env: { DEMO: "on" } });
    const ada = await signedIn();
    const real = decodeURIComponent(ada.cookies.get(cookie) ?? "");
    const [token = ""] = real.split(".");
    const signedWith = (secret: string) => `${token}.${createHmac("sha256", secret).update(token).digest("base64")}`;
    const forged = [
      token,
      `${token}.`,
      `${token}.${"A".repeat(43)}=`,
      signedWith(""),
      signedWith("meishi"),
      signedWith("better-auth-secret-12345678901234567890"),
      real.slice(0, -2),
      `${real}x`,
      real.toUpperCase(),
      `' or 1=1 --.${"A".repeat(43)}=`,
      "%",
      "%00",
      "\u00ff",
      ".",
      "a".repeat(10_000),
      JSON.stringify({ userId: "demo-user" }),
    ];
    for (const value of forged) {
      for (const sent of [value, encodeURIComponent(value)]) {
        const stranger = visitor();
        stranger.cookies.set(cookie, sent);
        const gate = await stranger.get("/profile");
        expect(gate.headers.get("location"), sent.slice(0, 60)).toBe(toLogin);
        const other = visitor();
        other.cookies.set(cookie, sent);
        const page = await other.get("/card/demo-card");
        expect(page.status).toBe(200);
        expect(await page.text()).toContain("Maya Lindqvist");
      }
    }
    const sessions = await services.db.selectFrom(session).selectAll().execute();
    expect(sessions).toHaveLength(1);
    expect((await ada.get("/profile")).status).toBe(200);
  });

  test("of the sample user can't exist", async () => {
    const { visitor, services } = await createTestApp({ env: { DEMO: "on" } });
    const users = await services.db
      .selectFrom("user" as "setting")
      .selectAll()
      .execute();
    expect(users).toEqual([]);
    for (const email of ["demo@example.com", "demo-user", "demo-user@localhost"]) {
      const response = await visitor().post("/auth", { intent: "log-in", email, password: "demo-user" });
      expect(response.status).toBe(400);
    }
  });
});

test("ignores a toast cookie that the server didn't sign", async () => {
  const { visitor } = await createTestApp();
  const made = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const evil = "<img src=x onerror=alert(1)>";
  for (const value of [
    made({ title: evil, text: evil, tone: "success" }),
    made({ title: "Your account is locked", tone: "warning" }),
    `${made({ title: "Your account is locked", tone: "warning" })}.${"A".repeat(43)}`,
    made({ title: { toString: "x" }, tone: "success" }),
    made({ title: "x", tone: "evil" }),
    made({ title: ["x"], text: 1, tone: "info" }),
    made(null),
    made([]),
    "%%%",
    "e30",
    "x".repeat(4_000),
  ]) {
    const user = visitor();
    user.cookies.set("meishi.toast", value);
    const response = await user.get("/auth");
    expect(response.status).toBe(200);
    const html = await response.text();
    for (const text of [evil, "Your account is locked"]) expect(html).not.toContain(text);
  }
});

test("keeps the later of two toasts when a page redirects", async () => {
  const { signedUp } = await createTestApp();
  const ada = await signedUp();
  // The toast of the confirmation is still pending when this page redirects with its own.
  expect(ada.cookies.has("meishi.toast")).toBe(true);
  expect((await ada.get("/cards/edit/unknown")).headers.get("location")).toBe("/profile");
  expect(await (await ada.get("/profile")).text()).toContain("Failed to load business card.");
});
