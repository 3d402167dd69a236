import { expect, test } from "vitest";

import { createTestApp } from "#tests/support/app/test-app.ts";

const callback = "/api/auth/callback/google";
const formType = { "content-type": "application/x-www-form-urlencoded" };
/** Apple's `form_post` as a browser sends it: from another site, without our cookies. */
const fromApple = { ...formType, origin: "https://appleid.apple.com", "sec-fetch-site": "cross-site" };

test.each([
  ["nothing", ""],
  ["an unknown state", "?code=x&state=unknown"],
  ["a provider's error", "?error=access_denied&error_description=%3Cscript%3E&state=unknown"],
  ["a code without a state", "?code=x"],
  ["a parameter twice", "?code=x&state=a&state=b"],
  ["list and object parameters", "?state[]=a&code[x]=y&__proto__=x"],
  ["another address to go to", "?callbackURL=https://evil.example&errorURL=https://evil.example&state=x&code=x"],
  ["a long state", `?code=x&state=${"a".repeat(7_000)}`],
  ["broken encoding", "?code=%E0%A4%A&state=%00"],
])("a callback with %s ends on the login page, which says so plainly", async (_, query) => {
  const { visitor, logLines } = await createTestApp();
  const guest = visitor();
  const response = await guest.get(`${callback}${query}`);
  expect(response.status).toBe(302);
  const location = response.headers.get("location") ?? "";
  expect(location).toMatch(/^\/auth\?error=\w+$/);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(await response.text()).toBe("");
  const page = await (await guest.get(location)).text();
  expect(page).toContain("Couldn&#x27;t sign you in. Please try again.");
  expect(page).toContain('name="password"');
  // Anyone can cause it.
  expect(logLines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

test("the error in the login page's address is shown as our own text, whatever it says", async () => {
  const { visitor } = await createTestApp();
  const page = await (await visitor().get("/auth?error=%3Cb%3ECall+0900&error_description=Call+0900")).text();
  expect(page).toContain("Couldn&#x27;t sign you in. Please try again.");
  expect(page).not.toContain("0900");
});

test("a form of another site is redirected to the callback with the parameters that it reads, and nothing else", async () => {
  const { visitor } = await createTestApp();
  const body = new URLSearchParams({ state: "a", code: "b&c=d#e", id_token: "secret", user: '{"name":"Ada"}', x: "y" });
  const response = await visitor().request("/api/auth/callback/apple", { method: "POST", headers: fromApple, body });
  expect(response.status).toBe(303);
  const to = new URL(response.headers.get("location") ?? "", "http://localhost:3000");
  expect(to.host + to.pathname).toBe("localhost:3000/api/auth/callback/apple");
  expect([...to.searchParams]).toEqual([
    ["state", "a"],
    ["code", "b&c=d#e"],
    ["user", '{"name":"Ada"}'],
  ]);
  expect(response.headers.getSetCookie()).toEqual([]);
});

test.each([
  ["JSON", { "content-type": "application/json" }, '{"state":["a"],"code":{"b":1}}'],
  ["a broken multipart form", { "content-type": "multipart/form-data; boundary=x" }, "--x\r\nstate"],
  ["no content type", {}, new Uint8Array([1, 2, 3])],
])("a callback posted as %s ends like one without parameters", async (_, headers, body) => {
  const { visitor } = await createTestApp();
  const response = await visitor().request(callback, { method: "POST", headers, body });
  expect([response.status, response.headers.get("location")]).toEqual([303, `${callback}?`]);
});

test("a callback may be as large as a provider's, not as large as a form", async () => {
  const { visitor } = await createTestApp();
  const post = async (bytes: number) =>
    (
      await visitor().request(callback, {
        method: "POST",
        headers: fromApple,
        body: `id_token=${"a".repeat(bytes)}`,
      })
    ).status;
  expect(await post(9_000)).toBe(303);
  expect(await post(11_000)).toBe(413);
});

const hiddenEndpoints = [
  "/api/auth",
  "/api/auth/",
  "/api/auth/ok",
  "/api/auth/error",
  "/api/auth/sign-up/email",
  "/api/auth/sign-in/email",
  "/api/auth/sign-in/social",
  "/api/auth/sign-out",
  "/api/auth/get-session",
  "/api/auth/list-sessions",
  "/api/auth/delete-user",
  "/api/auth/delete-user/callback?token=x",
  "/api/auth/update-user",
  "/api/auth/change-email",
  "/api/auth/change-password",
  "/api/auth/request-password-reset",
  "/api/auth/reset-password/token?callbackURL=/",
  "/api/auth/verify-email?token=x",
  "/api/auth/link-social",
  "/api/auth/list-accounts",
  "/api/auth/reference",
  "/api/auth/callback",
  "/api/auth/callback/",
];
const otherSpellings = [
  `${callback}/`,
  `${callback}/x`,
  `${callback}%00`,
  `${callback};x`,
  `${callback}.data`,
  "/api/auth/callback/%67oogle",
  "/api/auth/callback/Google",
  "/api/auth/callback/google%2f..%2f..%2fsign-up%2femail",
  "/api/auth/callback/__proto__",
  "/api/auth/callback//google",
  "/api/auth//callback/google",
  "/api//auth/callback/google",
  "//api/auth/callback/google",
  "/api/auth%2Fcallback%2Fgoogle",
  "/api/%61uth/callback/google",
  "/api/auth/callback/../sign-up/email",
  "/api/auth/callback/%2e%2e/sign-up/email",
  "/api/auth/callback/..%2fsign-up/email",
  "/api/auth/callback/..\\sign-up\\email",
  "/API/AUTH/callback/google",
];

test("there is nothing else below /api/auth, in any spelling", async () => {
  const { signedIn, services } = await createTestApp();
  const ada = await signedIn();
  const before = await services.db.selectFrom("attempt").selectAll().execute();
  const headers = { "content-type": "application/json", origin: "http://localhost:3000" };
  const body = JSON.stringify({ email: "eve@example.com", password: "a long password", name: "Eve" });
  for (const path of [...hiddenEndpoints, ...otherSpellings]) {
    for (const method of ["GET", "HEAD", "POST"]) {
      const init = { method, headers, ...(method === "POST" && { body }) };
      const response = await ada.request(`http://localhost:3000${path}`, init);
      // The router has no form at an unknown path.
      expect(path.startsWith("/api/auth/") ? [404] : [404, 405], `${method} ${path}`).toContain(response.status);
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(response.headers.get("location")).toBeNull();
      const text = await response.text();
      expect(text, `${method} ${path}`).toMatch(method === "HEAD" ? /^$/ : /Page not found|That doesn't work here/);
    }
  }
  expect((await ada.get("/profile")).status).toBe(200);
  expect(await services.auth.findUserId("eve@example.com")).toBeUndefined();
  expect(await services.db.selectFrom("attempt").selectAll().execute()).toEqual(before);
});

test.each(["HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"])(
  "%s is not a method of a callback",
  async (method) => {
    const { visitor } = await createTestApp();
    const response = await visitor().request(`${callback}?state=a&code=b`, { method, headers: fromApple });
    expect(response.status).toBe(404);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  },
);

test("what is hidden answers a form of another site in the same way", async () => {
  const { visitor } = await createTestApp();
  const response = await visitor().request("/api/auth/sign-out", { method: "POST", headers: fromApple, body: "" });
  expect([response.status, response.headers.getSetCookie()]).toEqual([404, []]);
});

test("sixty callbacks of browsers that began a sign-in block a network, and no other", async () => {
  const { visitor, logLines } = await createTestApp({ env: { TRUSTED_PROXY: "127.0.0.1" } });
  const callFrom = (address: string, cookie = "meishi.oauth_state=x") =>
    visitor().get(`${callback}?state=x`, { "x-forwarded-for": address, cookie });
  const statuses = [];
  // Any page on the web can make its visitors' browsers send these.
  for (let n = 0; n < 61; n++) statuses.push((await callFrom("2001:db8::1", "theme=dark")).status);
  expect(new Set(statuses.splice(0))).toEqual(new Set([302]));
  for (let n = 0; n < 61; n++) statuses.push((await callFrom(`2001:db8::${n}`)).status);
  expect(statuses).toEqual([...Array<number>(60).fill(302), 429]);
  expect(await (await callFrom("2001:db8::1")).text()).toContain("Try again in 15 minutes.");
  expect((await callFrom("203.0.113.7")).status).toBe(302);
  expect(logLines.filter(({ security }) => security === "limit-reached")).toHaveLength(2);
  // Signing in has limits of its own.
  const form = { intent: "log-in", email: "ada@example.com", password: "wrong" };
  expect((await visitor().post("/auth", form, { "x-forwarded-for": "2001:db8::1" })).status).toBe(400);
});

test("a callback leaves a session as it is, and has the headers of our pages", async () => {
  const { signedIn } = await createTestApp();
  const ada = await signedIn();
  const before = new Map(ada.cookies);
  const response = await ada.get(`${callback}?state=x&code=y`);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(ada.cookies).toEqual(before);
  expect((await ada.get("/profile")).status).toBe(200);
});
