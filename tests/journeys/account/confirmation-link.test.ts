import { describe, expect, test } from "vitest";

import { limits } from "#app/features/account/rules.ts";
import { firstLink, toastIn } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

const ada = { email: "ada@example.com", password: "tea with Charles" };

describe("the link in the confirmation mail", () => {
  test("changes nothing when a mail scanner or a prefetching browser opens it", async () => {
    const { visitor, mails, services } = await createTestApp();
    const user = visitor();
    await user.post("/auth?tab=signup", { intent: "sign-up", ...ada });
    const link = firstLink((await mails())[0]?.text);
    const scanner = visitor();
    for (const request of [{ method: "HEAD" }, { headers: { "sec-purpose": "prefetch" } }, {}]) {
      const response = await scanner.request(link, request);
      expect(response.status).toBe(200);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    expect(await services.auth.findUserId(ada.email)).toEqual(expect.any(String));
    expect(await logIn(visitor(), ada)).toBe(400);
    expect((await user.post(link, {})).headers.get("location")).toBe("/start");
    expect((await user.get("/profile")).status).toBe(200);
  });

  test("works once, and then asks to sign in", async () => {
    const { visitor, mails } = await createTestApp();
    const user = visitor();
    await user.post("/auth?tab=signup", { intent: "sign-up", ...ada });
    const link = firstLink((await mails())[0]?.text);
    const phone = visitor();
    await phone.post(link, { password: ada.password });
    for (const late of [await user.get(link), await user.post(link, {})]) {
      expect(late.headers.get("location")).toBe("/auth");
      expect(toastIn(late)).toMatchObject({ title: "Your email is already confirmed", text: "Please sign in." });
      expect(late.headers.getSetCookie().filter((cookie) => cookie.includes("session"))).toEqual([]);
    }
    expect(await logIn(user, ada)).toBe(302);
    expect((await user.get(link)).headers.get("location")).toBe("/profile");
  });

  test("leads to the page that asked to sign up, in any browser", async () => {
    const { visitor, mails } = await createTestApp();
    await visitor().post("/auth?tab=signup&returnTo=/pricing", { intent: "sign-up", ...ada });
    const opened = await visitor().post(firstLink((await mails())[0]?.text), { password: ada.password });
    expect(opened.headers.get("location")).toBe("/pricing");
  });

  test("asks for the password in a browser that didn't sign up, where anyone may have chosen it", async () => {
    const { visitor, mails } = await createTestApp();
    const [stranger, owner] = [visitor(), visitor()];
    await stranger.post("/auth?tab=signup", { intent: "sign-up", email: ada.email, password: "a stranger's word" });
    const link = firstLink((await mails())[0]?.text);
    const page = (await (await owner.get(link)).text()).replaceAll("&#x27;", "'");
    for (const text of ["You didn't sign up in this browser", 'name="password"', 'value="ada@example.com"'])
      expect(page).toContain(text);
    const problems = {
      "": "Enter your password.",
      abc: "at least 6",
      "ada@example.com": "can't be your email address",
    };
    for (const [password, problem] of Object.entries({ ...problems, "123456": "too easy to guess" })) {
      const refused = await owner.post(link, { password });
      expect(refused.status).toBe(400);
      expect((await refused.text()).replaceAll("&#x27;", "'")).toContain(problem);
    }
    expect((await owner.post(link, { password: ada.password })).headers.get("location")).toBe("/start");
    expect(await logIn(stranger, { email: ada.email, password: "a stranger's word" })).toBe(400);
    expect(await logIn(visitor(), ada)).toBe(302);
  });

  test("is limited in how many passwords it checks", async () => {
    const { visitor, mails, services } = await createTestApp();
    await visitor().post("/auth?tab=signup", { intent: "sign-up", ...ada });
    const link = firstLink((await mails())[0]?.text);
    const form = { limit: limits.signUpFormsFromNetwork, subject: "127.0.0.1" };
    for (let count = 0; count < form.limit.max; count++) await services.rateLimits.consume([form]);
    const refused = await visitor().post(link, { password: ada.password });
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain("Too many attempts");
  });

  test("is confirmed without a new session in a browser that is signed in to another account", async () => {
    const { visitor, mails, signedIn } = await createTestApp();
    const bob = await signedIn("bob@example.com");
    await visitor().post("/auth?tab=signup", { intent: "sign-up", ...ada });
    const link = firstLink((await mails())[0]?.text);
    const page = await (await bob.get(link)).text();
    expect(page).toContain("You&#x27;ll stay signed in as bob@example.com.");
    expect(page).not.toContain("Confirm and sign in");
    expect((await bob.post(link, {})).status).toBe(400);
    expect(toastIn(await bob.post(link, { password: ada.password }))).toMatchObject({ title: "Email confirmed" });
    expect(await (await bob.get("/auth/demo")).text()).toContain("bob@example.com");
    expect(await logIn(visitor(), ada)).toBe(302);
  });

  test("tells the owner of an account in use to ignore it when someone else signed up with their address", async () => {
    const { visitor, mails, signedIn, services } = await createTestApp();
    const owner = await signedIn(ada.email);
    await services.db
      .updateTable("user" as "setting")
      .set({ emailVerified: 0 } as never)
      .execute();
    const stranger = { ...ada, password: "a stranger's word" };
    await visitor().post("/auth?tab=signup", { intent: "sign-up", ...stranger });
    const link = firstLink((await mails())[0]?.text);
    const page = (await (await owner.get(link)).text()).replaceAll("&#x27;", "'");
    expect(page).toContain("It belongs to the account you're signed in to. Didn't sign up? Just close this page.");
    expect(toastIn(await owner.post(link, {}))).toMatchObject({ tone: "success" });
    expect(await logIn(visitor(), stranger)).toBe(400);
  });

  test("is not confirmed by a form on another site", async () => {
    const { visitor, mails } = await createTestApp();
    await visitor().post("/auth?tab=signup", { intent: "sign-up", ...ada });
    const link = firstLink((await mails())[0]?.text);
    expect((await visitor().post(link, {}, { origin: "https://evil.example" })).status).toBe(403);
    expect(await logIn(visitor(), ada)).toBe(400);
  });

  test("that is incomplete or forged says so", async () => {
    const { visitor } = await createTestApp();
    for (const token of ["", "x", "%00", "a.b"]) {
      const response = await visitor().get(`/auth/confirm?token=${token}`);
      const location = response.headers.get("location") ?? "";
      expect(location).toMatch(/^\/auth\?link=/);
      expect(await (await visitor().get(location)).text()).toContain("This confirmation link is incomplete");
    }
  });
});

async function logIn(user: Visitor, form: { email: string; password: string }) {
  return (await user.post("/auth", { intent: "log-in", ...form })).status;
}
