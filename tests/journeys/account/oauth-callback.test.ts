import { expect, test } from "vitest";

import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import { isSignedIn, locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";

const callback = "/api/auth/callback/google";
const formType = { "content-type": "application/x-www-form-urlencoded" };
/** Apple's `form_post` as a browser sends it: from another site, without our cookies. */
const fromApple = { ...formType, origin: "https://appleid.apple.com", "sec-fetch-site": "cross-site" };
const failed = "Couldn’t sign you in. Please try again.";

test.each([
  ["nothing", ""],
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
  expect([response.status, await response.text()]).toEqual([302, ""]);
  const location = locationOf(response) ?? "";
  expect(location).toMatch(/^\/auth\?error=\w+$/);
  expect([response.headers.get("cache-control"), response.headers.getSetCookie()]).toEqual(["no-store", []]);
  const page = await readPage(guest, location);
  for (const text of [failed, 'name="password"']) expect(page).toContain(text);
  // Anyone can cause it.
  expect(logLines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

test("a form of another site is redirected to the callback with the parameters that it reads, and nothing else", async () => {
  const { visitor } = await createTestApp();
  const body = new URLSearchParams({ state: "a", code: "b&c=d#e", id_token: "secret", user: '{"name":"Ada"}', x: "y" });
  const response = await visitor().request("/api/auth/callback/apple", { method: "POST", headers: fromApple, body });
  expect([response.status, response.headers.getSetCookie()]).toEqual([303, []]);
  const to = new URL(locationOf(response) ?? "", "http://localhost:3000");
  expect(to.host + to.pathname).toBe("localhost:3000/api/auth/callback/apple");
  expect([...to.searchParams]).toEqual([
    ["state", "a"],
    ["code", "b&c=d#e"],
    ["user", '{"name":"Ada"}'],
  ]);
});

test.each([
  ["JSON", { "content-type": "application/json" }, '{"state":["a"],"code":{"b":1}}'],
  ["a broken multipart form", { "content-type": "multipart/form-data; boundary=x" }, "--x\r\nstate"],
  ["no content type", {}, new Uint8Array([1, 2, 3])],
])("a callback posted as %s ends like one without parameters", async (_, headers, body) => {
  const { visitor } = await createTestApp();
  const response = await visitor().request(callback, { method: "POST", headers, body });
  expect([response.status, locationOf(response)]).toEqual([303, `${callback}?`]);
});

test("a callback may be as large as a provider's, not as large as a form", async () => {
  const { visitor } = await createTestApp();
  const post = async (bytes: number) => {
    const body = `id_token=${"a".repeat(bytes)}`;
    return (await visitor().request(callback, { method: "POST", headers: fromApple, body })).status;
  };
  expect([await post(9_000), await post(11_000)]).toEqual([303, 413]);
});

/** Below /api/auth. The endpoints of better-auth, and other spellings of the callback. */
const hidden = `
  / /ok /error /sign-up/email /sign-in/email /sign-in/social /sign-out /get-session /list-sessions /delete-user
  /delete-user/callback?token=x /update-user /change-email /change-password /request-password-reset
  /reset-password/token?callbackURL=/ /verify-email?token=x /link-social /list-accounts /callback /callback/
  /callback/google/ /callback/google/x /callback/google%00 /callback/google;x /callback/google.data /callback/%67oogle
  /callback/Google /callback/google%2f..%2f..%2fsign-up%2femail /callback/__proto__ /callback//google
  //callback/google %2Fcallback%2Fgoogle /callback/../sign-up/email /callback/%2e%2e/sign-up/email
  /callback/..%2fsign-up/email /callback/..\\sign-up\\email`;
const hiddenPaths = [
  ...hidden
    .trim()
    .split(/\s+/)
    .map((path) => `/api/auth${path}`),
  "/api/auth",
  "/api//auth/callback/google",
  "//api/auth/callback/google",
  "/api/%61uth/callback/google",
  "/API/AUTH/callback/google",
];

test("there is nothing else below /api/auth, in any spelling or method", async () => {
  const { ada, services } = await createSignedInApp();
  const before = await services.db.selectFrom("attempt").selectAll().execute();
  const headers = { "content-type": "application/json", origin: "http://localhost:3000" };
  const body = JSON.stringify({ email: "eve@example.com", password: "a long password", name: "Eve" });
  for (const path of hiddenPaths) {
    for (const method of ["GET", "HEAD", "POST"]) {
      const init = { method, headers, ...(method === "POST" && { body }) };
      const response = await ada.request(`http://localhost:3000${path}`, init);
      // The router has no form at an unknown path.
      expect(path.startsWith("/api/auth/") ? [404] : [404, 405], `${method} ${path}`).toContain(response.status);
      expect([response.headers.getSetCookie(), locationOf(response)]).toEqual([[], null]);
      const text = await response.text();
      expect(text, `${method} ${path}`).toMatch(method === "HEAD" ? /^$/ : /Page not found|That doesn’t work here/);
    }
  }
  for (const method of ["HEAD", "PUT", "OPTIONS", "PROPFIND"]) {
    const response = await ada.request(`${callback}?state=a&code=b`, { method, headers: fromApple });
    const allowed = response.headers.get("access-control-allow-origin");
    expect([response.status, allowed], method).toEqual([404, null]);
  }
  // A form of another site gets the same.
  const init = { method: "POST", headers: fromApple, body: "" };
  expect((await ada.request("/api/auth/sign-out", init)).status).toBe(404);
  expect(await isSignedIn(ada)).toBe(true);
  expect(await services.auth.findUserId("eve@example.com")).toBeUndefined();
  expect(await services.db.selectFrom("attempt").selectAll().execute()).toEqual(before);
});

test("sixty callbacks of browsers that began a sign-in block a network, and no other", async () => {
  const { visitor, logLines } = await createTestApp({ env: { TRUSTED_PROXY: "127.0.0.1" } });
  const callFrom = (address: string, cookie = "meishi.oauth_state=x") =>
    visitor().get(`${callback}?state=x`, { "x-forwarded-for": address, cookie });
  const statuses = [];
  // Any page on the web can make its visitors' browsers send these.
  for (let n = 0; n < 61; n++) statuses.push((await callFrom("2001:db8::1", "theme=dark")).status);
  for (let n = 0; n < 61; n++) statuses.push((await callFrom(`2001:db8::${n}`)).status);
  expect(statuses).toEqual([...Array<number>(61 + 60).fill(302), 429]);
  expect(await (await callFrom("2001:db8::1")).text()).toContain("Try again in 15 minutes.");
  expect((await callFrom("203.0.113.7")).status).toBe(302);
  expect(logLines.filter(({ security }) => security === "limit-reached")).toHaveLength(2);
  // Signing in has limits of its own.
  const headers = { "x-forwarded-for": "2001:db8::1" };
  expect((await logIn(visitor(), { email: "ada@example.com", password: "wrong" }, { headers })).status).toBe(400);
});

test("a callback leaves a session as it is, has the headers of our pages, and its error is shown as our own text", async () => {
  const { signedIn, visitor } = await createTestApp();
  const page = await readPage(visitor(), "/auth?error=%3Cb%3ECall+0900&error_description=Call+0900");
  expect(page).toContain(failed);
  expect(page).not.toContain("0900");
  const ada = await signedIn();
  const before = new Map(ada.cookies);
  const response = await ada.get(`${callback}?state=x&code=y`);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(ada.cookies).toEqual(before);
  expect(await isSignedIn(ada)).toBe(true);
});
