import { describe, expect, test } from "vitest";

import { limits } from "#app/features/account/rules.ts";
import { fieldValue } from "#tests/support/app/cards.ts";
import { firstLink, toastIn } from "#tests/support/app/responses.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import { isSignedIn, locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import { useUp } from "#tests/support/database/attempts.ts";
import { changeAll } from "#tests/support/database/account-rows.ts";

const ada = { email: "ada@example.com", password: "tea with Charles" };
const signUpForm = { intent: "sign-up", ...ada };

describe("signing up", () => {
  test("leads through the mail to the first steps, and later through the password", async () => {
    const { visitor, mails } = await createTestApp();
    const user = visitor();
    const form = await user.get("/auth?tab=signup");
    expect([form.status, form.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const sent = await user.post("/auth?tab=signup", signUpForm);
    expect(sent.status).toBe(200);
    const screen = await sent.text();
    for (const text of [
      "Check your email for the confirmation link!",
      ada.email,
      "/dev/mail/latest?to=",
      "Resend link",
    ])
      expect(screen).toContain(text);
    // Mail that stays on the server is in no spam folder.
    expect(screen).toContain("This server keeps its mail.");
    for (const text of ["We sent it", "spam folder", "SMTP_URL"]) expect(screen).not.toContain(text);

    const [mail] = await mails();
    expect(mail).toMatchObject({ to: ada.email, subject: "Confirm your email for Meishi" });
    const link = firstLink(mail?.text);
    const asked = await readPage(user, link);
    for (const text of ["Confirm your email", ada.email, "Confirm and sign in"]) expect(asked).toContain(text);
    expect(locationOf(await user.post(link, {}))).toBe("/start");
    expect((await user.get("/profile")).status).toBe(200);

    const out = await user.post("/auth/sign-out", {});
    expect(locationOf(out)).toBe("/auth");
    expect(toastIn(out)).toMatchObject({ title: "You’re signed out.", tone: "success" });
    expect(locationOf(await user.get("/profile"))).toBe("/auth?returnTo=%2Fprofile");
    const back = await logIn(user, ada, { returnTo: "/profile" });
    expect(locationOf(back)).toBe("/profile");
    expect(toastIn(back)).toMatchObject({ title: "Login successful!", tone: "success" });
    expect((await user.get("/profile")).status).toBe(200);
  });

  test("shows where the link went again when the page is loaded again, until it was used", async () => {
    const { visitor, mails } = await createTestApp();
    const user = visitor();
    const sent = "Check your email for the confirmation link!";
    expect(await readPage(user, "/auth?tab=signup")).not.toContain(sent);
    await user.post("/auth?tab=signup", signUpForm);
    const again = await readPage(user, "/auth?tab=signup");
    for (const text of [sent, ada.email, "Resend link", 'href="/auth?tab=signup&amp;again=1"'])
      expect(again).toContain(text);
    for (const other of ["/auth", "/auth?tab=signup&again=1"]) expect(await readPage(user, other)).not.toContain(sent);
    expect(await readPage(visitor(), "/auth?tab=signup")).not.toContain(sent);
    await user.post(firstLink((await mails())[0]?.text), {});
    await user.post("/auth/sign-out", {});
    expect(await readPage(user, "/auth?tab=signup")).not.toContain(sent);
  });

  test("is rejected with the reason beside the field, and keeps the address", async () => {
    const { visitor } = await createTestApp();
    const cases: [Record<string, string>, string][] = [
      [{ ...ada, email: "ada@example" }, "Enter a valid email address"],
      [{ ...ada, password: "" }, "Enter your password."],
      [{ ...ada, password: "12345" }, "Password must be at least 6 characters long."],
      [{ ...ada, password: "a".repeat(129) }, "Password must be at most 128 characters long."],
      [{ ...ada, password: "PassWord" }, "This password is too easy to guess."],
      [{ ...ada, password: "Ada@example.com" }, "Your password can’t be your email address."],
      [{}, "Enter your email address."],
    ];
    for (const [fields, reason] of cases) {
      const response = await visitor().post("/auth?tab=signup", { intent: "sign-up", ...fields });
      const page = await response.text();
      expect(response.status).toBe(400);
      for (const text of [reason, "<title>Error: Sign Up | Meishi</title>"]) expect(page).toContain(text);
      expect(fieldValue(page, "email")).toBe(fields["email"] ?? "");
      expect(fieldValue(page, "password")).toBe("");
    }
  });

  test("sends the link again until the address is confirmed", async () => {
    const { visitor, mails } = await createTestApp();
    const user = visitor();
    const resend = async (page: Response) =>
      visitor().post("/auth", { intent: "resend", pending: fieldValue(await page.text(), "pending") });
    const again = await resend(await user.post("/auth?tab=signup", signUpForm));
    expect(await again.clone().text()).toContain("Verification email sent!");
    const stored = await mails();
    expect(stored).toHaveLength(2);
    expect(locationOf(await user.post(firstLink(stored[0]?.text), {}))).toBe("/start");
    const gone = await resend(again);
    expect([gone.status, await gone.text()]).toEqual([410, expect.stringContaining("Nothing to confirm")]);
    expect(await mails()).toHaveLength(2);
  });
});

describe("the sign-up link of a plan", () => {
  test("keeps the plan and the path to return to, through the tabs and a rejected form", async () => {
    const { visitor } = await createTestApp();
    for (const tier of ["free", "premium"]) {
      const to = locationOf(await visitor().get(`/signup?tier=${tier}`)) ?? "";
      expect(to).toBe(`/auth?tab=signup&tier=${tier}`);
      const html = await (await visitor().post(to, { intent: "sign-up", email: "x", password: "" })).text();
      expect(html.includes("It isn’t available yet, so your account starts on Free")).toBe(tier === "premium");
      expect(html).toContain(`href="/auth?tier=${tier}"`);
    }
    const page = await readPage(visitor(), "/auth?tab=signup&tier=premium&redirect=/pricing");
    for (const text of ["You chose Premium.", "/auth?tier=premium&amp;returnTo=%2Fpricing", "Create your free account"])
      expect(page).toContain(text);
    const login = await readPage(visitor(), "/auth?redirect=/pricing&tier=free");
    expect(login).toMatch(/New here\?.*href="\/auth\?tab=signup&amp;tier=free&amp;returnTo=%2Fpricing"/s);
  });

  test("ignores an unknown plan", async () => {
    const { visitor } = await createTestApp();
    for (const tier of ["gold", "FREE", '"><script>alert(1)</script>', "free&tier=premium%00", "__proto__"]) {
      const query = `tier=${encodeURIComponent(tier)}`;
      expect(locationOf(await visitor().get(`/signup?${query}`))).toBe("/auth?tab=signup");
      const page = await visitor().get(`/auth?tab=signup&${query}`);
      expect([page.status, await page.text()]).toEqual([200, expect.not.stringMatching(/tier=|alert\(1\)/)]);
    }
  });
});

describe("the page after signing in", () => {
  test("is the requested one, by default their home, and never on another site", async () => {
    const { ada: user, visitor } = await createSignedInApp();
    const cases = [
      ["/cards/edit?from=x", "/cards/edit?from=x"],
      ["/", "/"],
      ["", "/home"],
      ["//evil.example", "/home"],
      ["/%2f%2fevil.example", "/home"],
      ["/auth?returnTo=/auth", "/home"],
    ];
    for (const [returnTo = "", landed] of cases) {
      expect(locationOf(await logIn(visitor(), user, { returnTo }))).toBe(landed);
      expect(locationOf(await user.get(`/auth?${new URLSearchParams({ returnTo })}`))).toBe(landed);
    }
    const led = [
      ["/signup?tier=premium", "/pricing"],
      ["/signup?tier=free", "/home"],
      ["/signup?tier=premium&returnTo=/profile", "/profile"],
      ["/signup?returnTo=//evil.example", "/home"],
      ["/auth?redirect=/pricing", "/pricing"],
      ["/auth?redirect=https://evil.example/pricing", "/home"],
    ];
    for (const [from = "", to] of led) expect(locationOf(await user.get(from))).toBe(to);
  });

  test("is named in a header, with its toast and cookies, for the script of the form", async () => {
    const { visitor, signedIn } = await createTestApp();
    const { email, password } = await signedIn();
    const user = visitor();
    const headers = { "meishi-in-place": "1" };
    const response = await logIn(user, { email, password }, { returnTo: "/pricing", headers });
    expect([response.status, locationOf(response)]).toEqual([204, null]);
    expect(response.headers.get("meishi-location")).toBe("/pricing");
    expect(toastIn(response)).toMatchObject({ title: "Login successful!" });
    expect((await user.get("/profile")).status).toBe(200);
    expect((await user.get("/auth", headers)).headers.get("meishi-location")).toBe("/home");
    const refused = await logIn(visitor(), { email, password: "wrong" }, { headers });
    expect([refused.status, refused.headers.has("meishi-location")]).toEqual([400, false]);
  });

  test("has the complete URL of a page that required a session", async () => {
    const { visitor } = await createTestApp();
    const wanted = "/auth?returnTo=%2Fcards%2Fedit%2F7f3a%3Fa%3D1%26b%3D2";
    expect(locationOf(await visitor().get("/cards/edit/7f3a?a=1&b=2"))).toBe(wanted);
    expect(locationOf(await visitor().post("/profile", { displayName: "x" }))).toBe("/auth?returnTo=%2Fprofile");
  });
});

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
  const browser = visitor();
  expect(locationOf(await browser.post(link, { password: ada.password }))).toBe("/pricing");
  const [, profilePath = ""] = /href="(\/u\/[^"]+)"/.exec(await readPage(browser, "/pricing")) ?? [];
  expect((await visitor().get(profilePath)).status).toBe(200);
  for (const late of [await user.get(link), await user.post(link, {})]) {
    expect(locationOf(late)).toBe("/auth");
    expect(toastIn(late)).toMatchObject({ title: "Your email is already confirmed", text: "Please sign in." });
    expect(late.headers.getSetCookie().filter((cookie) => cookie.includes("session"))).toEqual([]);
  }
  expect((await logIn(user, ada)).status).toBe(302);
  expect(locationOf(await user.get(link))).toBe("/home");
});

test("the link asks for the password in a browser that didn't sign up, where anyone may have chosen it", async () => {
  const { visitor, user, link } = await openSignUp(stranger);
  const owner = visitor();
  const page = withQuotes(await readPage(owner, link));
  for (const text of ["You didn’t sign up in this browser", 'name="password"', 'value="ada@example.com"'])
    expect(page).toContain(text);
  const problems = {
    "": "Enter your password.",
    abc: "at least 6",
    "ada@example.com": "can’t be your email address",
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
  await useUp(services, { limit: limits.signUpFormsFromNetwork, subject: "127.0.0.1" });
  const refused = await visitor().post(link, { password: ada.password });
  expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining("Too many attempts")]);
});

test("the link is confirmed without a new session in a browser that is signed in to another account", async () => {
  const { visitor, signedIn, link } = await openSignUp();
  const bob = await signedIn("bob@example.com");
  const page = await readPage(bob, link);
  expect(page).toContain("You’ll stay signed in as bob@example.com.");
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
  expect(page).toContain("It belongs to the account you’re signed in to. Didn’t sign up? Just close this page.");
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
