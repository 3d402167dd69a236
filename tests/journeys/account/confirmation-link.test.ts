import { expect, test } from "vitest";

import { limits } from "#app/features/account/rules.ts";
import { firstLink, toastIn } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { isSignedIn, locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import { changeAll } from "#tests/support/database/account-rows.ts";

const ada = { email: "ada@example.com", password: "tea with Charles" };
const stranger = { ...ada, password: "a stranger's word" };

/** An app where someone signed up in the browser `user`, and the link in the mail. */
async function openSignUp(form = ada, returnTo = "") {
  const app = await createTestApp();
  const user = app.visitor();
  await user.post(`/auth?tab=signup${returnTo}`, { intent: "sign-up", ...form });
  return { ...app, user, link: firstLink((await app.mails())[0]?.text) };
}

const withQuotes = (html: string) => html.replaceAll("&#x27;", "'");

test("the link changes nothing when a mail scanner, a prefetching browser or a form of another site opens it", async () => {
  const { visitor, user, link } = await openSignUp();
  const scanner = visitor();
  for (const request of [{ method: "HEAD" }, { headers: { "sec-purpose": "prefetch" } }, {}]) {
    const response = await scanner.request(link, request);
    expect([response.status, response.headers.getSetCookie()]).toEqual([200, []]);
  }
  expect((await user.post(link, {}, { origin: "https://evil.example" })).status).toBe(403);
  expect((await logIn(visitor(), ada)).status).toBe(400);
  expect(locationOf(await user.post(link, {}))).toBe("/start");
  expect(await isSignedIn(user)).toBe(true);
});

test("the link works once, leads to the page that asked to sign up in any browser, and then asks to sign in", async () => {
  const { visitor, user, link } = await openSignUp(ada, "&returnTo=/pricing");
  expect(locationOf(await visitor().post(link, { password: ada.password }))).toBe("/pricing");
  for (const late of [await user.get(link), await user.post(link, {})]) {
    expect(locationOf(late)).toBe("/auth");
    expect(toastIn(late)).toMatchObject({ title: "Your email is already confirmed", text: "Please sign in." });
    expect(late.headers.getSetCookie().filter((cookie) => cookie.includes("session"))).toEqual([]);
  }
  expect((await logIn(user, ada)).status).toBe(302);
  expect(locationOf(await user.get(link))).toBe("/profile");
});

test("the link asks for the password in a browser that didn't sign up, where anyone may have chosen it", async () => {
  const { visitor, user, link } = await openSignUp(stranger);
  const owner = visitor();
  const page = withQuotes(await readPage(owner, link));
  for (const text of ["You didn't sign up in this browser", 'name="password"', 'value="ada@example.com"'])
    expect(page).toContain(text);
  const problems = {
    "": "Enter your password.",
    abc: "at least 6",
    "ada@example.com": "can't be your email address",
    "123456": "too easy to guess",
  };
  for (const [password, problem] of Object.entries(problems)) {
    const refused = await owner.post(link, { password });
    expect([refused.status, withQuotes(await refused.text())]).toEqual([400, expect.stringContaining(problem)]);
  }
  expect(locationOf(await owner.post(link, { password: ada.password }))).toBe("/start");
  expect((await logIn(user, stranger)).status).toBe(400);
  expect((await logIn(visitor(), ada)).status).toBe(302);
});

test("the link is limited in how many passwords it checks", async () => {
  const { visitor, services, link } = await openSignUp();
  const form = { limit: limits.signUpFormsFromNetwork, subject: "127.0.0.1" };
  for (let count = 0; count < form.limit.max; count++) await services.rateLimits.consume([form]);
  const refused = await visitor().post(link, { password: ada.password });
  expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining("Too many attempts")]);
});

test("the link is confirmed without a new session in a browser that is signed in to another account", async () => {
  const { visitor, signedIn, link } = await openSignUp();
  const bob = await signedIn("bob@example.com");
  const page = await readPage(bob, link);
  expect(page).toContain("You&#x27;ll stay signed in as bob@example.com.");
  expect(page).not.toContain("Confirm and sign in");
  expect((await bob.post(link, {})).status).toBe(400);
  expect(toastIn(await bob.post(link, { password: ada.password }))).toMatchObject({ title: "Email confirmed" });
  expect(await readPage(bob, "/auth/demo")).toContain("bob@example.com");
  expect((await logIn(visitor(), ada)).status).toBe(302);
});

test("the link tells the owner of an account in use to ignore it when someone else signed up with their address", async () => {
  const { signedIn, services, visitor, mails } = await createTestApp();
  const owner = await signedIn(ada.email);
  await changeAll(services, "user", { emailVerified: 0 });
  await visitor().post("/auth?tab=signup", { intent: "sign-up", ...stranger });
  const link = firstLink((await mails())[0]?.text);
  const page = withQuotes(await readPage(owner, link));
  expect(page).toContain("It belongs to the account you're signed in to. Didn't sign up? Just close this page.");
  expect(toastIn(await owner.post(link, {}))).toMatchObject({ tone: "success" });
  expect((await logIn(visitor(), stranger)).status).toBe(400);
});

test("a link that is incomplete or forged says so", async () => {
  const { visitor } = await createTestApp();
  for (const token of ["", "%00", "a.b"]) {
    const location = locationOf(await visitor().get(`/auth/confirm?token=${token}`)) ?? "";
    expect(location).toMatch(/^\/auth\?link=/);
    expect(await readPage(visitor(), location)).toContain("This confirmation link is incomplete");
  }
});
