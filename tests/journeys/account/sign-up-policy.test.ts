import { describe, expect, test } from "vitest";

import { clientKey } from "#app/services/client-api/client-route.server.ts";
import { firstLink, toastIn } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import { googleClaims } from "#tests/support/providers/recorded-profiles.ts";
import { listUsers, openProviderApp, signInWith } from "#tests/support/providers/provider-visits.ts";

const form = { intent: "sign-up", email: "eve@example.com", password: "tea with Charles" };
const policies = [
  ["invite", "This site is invitation only"],
  ["closed", "Sign-up is closed here"],
] as const;

describe.each(policies)("SIGN_UP=%s", (policy, note) => {
  const open = () => createTestApp({ env: { SIGN_UP: policy, DEMO: "on", WEB3_SIGN_IN: "on" } });

  test("refuses the form for every address alike, without a mail", async () => {
    const { visitor, signedIn, mails, services } = await open();
    await signedIn("ada@example.com");
    const pages = await Promise.all(
      ["ada@example.com", "eve@example.com"].map(async (email) => {
        const response = await visitor().post("/auth?tab=signup", { ...form, email });
        expect(response.status).toBe(403);
        return (await response.text()).replaceAll(email, "").replaceAll(/nonce-?=?"?[\w+/=-]+/g, "");
      }),
    );
    expect(pages[0]).toContain(note);
    expect(pages[0]).toBe(pages[1]);
    expect([await mails(), (await listUsers(services)).length]).toEqual([[], 1]);
  });

  test("says so instead of sign-up forms, links and plans, and users still sign in", async () => {
    const { visitor, signedIn } = await open();
    const guest = visitor();
    const signUp = await readPage(guest, "/auth?tab=signup");
    expect(signUp).toContain(note);
    expect(signUp).not.toContain('name="password"');
    expect(await readPage(guest, "/auth")).not.toContain("Create a free account");
    const landing = await readPage(guest, "/");
    for (const text of ["Keep this card", "Get Started", "Get your card"]) expect(landing).not.toContain(text);
    expect(landing).toContain(note);
    const pricing = await readPage(guest, "/pricing");
    expect(pricing).toContain(note);
    expect(pricing).not.toContain("/signup?tier=");
    const kept = await guest.post("/keep", { name: "Eve", title: "", company: "", accent: "indigo", mode: "dark" });
    expect([locationOf(kept), kept.headers.getSetCookie()]).toEqual(["/auth?tab=signup", []]);
    const ada = await signedIn("ada@example.com");
    expect(locationOf(await logIn(visitor(), ada))).toBe("/home");
  });

  test("gives an app no account, and says so in its settings", async () => {
    const { app, services } = await open();
    const headers = { apikey: clientKey(services), "content-type": "application/json" };
    const { email, password } = form;
    const body = JSON.stringify({ email, password });
    const refused = await app.request("/auth/v1/signup", { method: "POST", headers, body });
    expect([refused.status, await refused.json()]).toMatchObject([422, { code: "signup_disabled" }]);
    const otp = await app.request("/auth/v1/otp", { method: "POST", headers, body: JSON.stringify({ email }) });
    expect(otp.status).toBe(200);
    expect(await (await app.request("/auth/v1/settings")).json()).toMatchObject({ disable_signup: true });
    expect(await listUsers(services)).toEqual([]);
  });

  test("gives a link by email and a passkey no account", async () => {
    const { visitor, services, mails } = await open();
    const guest = visitor();
    await guest.post("/auth", { intent: "email-sign-in", email: "eve@example.com" });
    await guest.post("/auth", { intent: "passkey", credential: "{}" });
    expect([await mails(), await listUsers(services)]).toEqual([[], []]);
  });

  test("gives strangers no account by Google, Apple and single sign-on", async () => {
    const { visitor, providers, services } = await openProviderApp({ env: { SIGN_UP: policy } });
    for (const id of ["google", "apple", "sso"]) {
      const guest = visitor();
      const location = locationOf(await signInWith(guest, id, { providers })) ?? "";
      expect(location).toMatch(/error=(invitation_required|sign_up_closed)/);
      expect(await readPage(guest, location)).toContain(note);
    }
    expect(await listUsers(services)).toEqual([]);
  });

  test("lets the provider of single sign-on create accounts where the operator says so", async () => {
    const { visitor, providers } = await openProviderApp({ env: { SIGN_UP: policy, OIDC_SIGN_UP: "on" } });
    expect(locationOf(await signInWith(visitor(), "sso", { providers }))).toBe("/start");
    expect(locationOf(await signInWith(visitor(), "google", { providers }))).toContain("error=");
  });
});

describe("an invitation", () => {
  const open = (env: Record<string, string> = {}) => createTestApp({ env: { SIGN_UP: "invite", ...env } });
  const invite = ({ services }: Pick<TestApp, "services">, email: string) =>
    services.db.transaction().execute((trx) => services.auth.inviteAddress(trx, email));
  const linkOf = async ({ mails }: Pick<TestApp, "mails">) => firstLink((await mails("invited"))[0]?.text);

  test("leads by one press to a sign-up with its address, which needs no other mail, and works once", async () => {
    const app = await open();
    await invite(app, "ada@example.com");
    const [mail] = await app.mails("invited");
    expect(mail).toMatchObject({ to: "ada@example.com", subject: "You’re invited to Meishi at localhost:3000" });
    const link = firstLink(mail?.text);
    const ada = app.visitor();
    const asked = await readPage(ada, link);
    for (const text of ["ada@example.com", "Accept and sign up"]) expect(asked).toContain(text);
    // Opening it changes nothing.
    expect(await readPage(app.visitor(), "/auth?tab=signup")).toContain("This site is invitation only");
    const accepted = await ada.post(link, {});
    expect(locationOf(accepted)).toBe("/auth?tab=signup&again=1");
    expect(await readPage(ada, "/auth?tab=signup&again=1")).toMatch(/readOnly=""[^>]*value="ada@example.com"/);

    const wrong = await ada.post("/auth?tab=signup", form);
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining("Your invitation is for ada@")]);
    const weak = await ada.post("/auth?tab=signup", { ...form, email: "ada@example.com", password: "12345" });
    expect(await weak.text()).toContain("Password must be at least 6 characters long.");
    const done = await ada.post("/auth?tab=signup", { ...form, email: "ada@example.com" });
    expect([locationOf(done), toastIn(done)]).toMatchObject(["/start", { title: "Welcome to Meishi." }]);
    expect((await ada.get("/profile")).status).toBe(200);
    expect((await listUsers(app.services)).map(({ email, emailVerified }) => [email, Boolean(emailVerified)])).toEqual([
      ["ada@example.com", true],
    ]);
    expect(await app.mails("Confirm")).toEqual([]);

    const later = app.visitor();
    expect(await readPage(later, link)).toContain("This invitation no longer works");
    expect((await later.post(link, {})).status).toBe(410);
    expect(locationOf(await logIn(later, { email: "ada@example.com", password: form.password }))).toBe("/home");
  });

  test("makes one account of two presses at once", async () => {
    const app = await open();
    await invite(app, "ada@example.com");
    const link = await linkOf(app);
    const both = [app.visitor(), app.visitor()];
    for (const one of both) await one.post(link, {});
    const done = await Promise.all(
      both.map((one) => one.post("/auth?tab=signup", { ...form, email: "ada@example.com" })),
    );
    expect(done.map(({ status }) => status).filter((status) => status === 302)).toHaveLength(1);
    expect(await listUsers(app.services)).toHaveLength(1);
  });

  test("ends after 14 days, when it is revoked or sent again, and while sign-up is closed", async () => {
    const app = await open();
    const { services } = app;
    const sent = await invite(app, "ada@example.com");
    expect(await invite(app, "ada@example.com")).toEqual({ kind: "invited-before" });
    const id = "id" in sent ? sent.id : "";
    const first = await linkOf(app);
    await services.db.transaction().execute((trx) => services.auth.resendInvitation(trx, id));
    const second = await linkOf(app);
    expect(await readPage(app.visitor(), first)).toContain("no longer works");
    expect(await readPage(app.visitor(), second)).toContain("Accept and sign up");
    await services.db
      .updateTable("invitation")
      .set({ expires_at: Date.now() - 1 })
      .execute();
    expect(await readPage(app.visitor(), second)).toContain("no longer works");
    expect((await services.auth.listInvitations({ before: undefined, limit: 9 })).invitations).toMatchObject([
      { state: "expired" },
    ]);
    // An expired one is replaced.
    expect(await invite(app, "ada@example.com")).toMatchObject({ kind: "invited" });
    const third = await linkOf(app);
    const closed = await createTestApp({ env: { SIGN_UP: "closed" }, restarted: app });
    expect(await readPage(closed.visitor(), third)).toContain("no longer works");
  });

  test("replaces the sign-up of a stranger, and leaves an account that is used alone", async () => {
    const before = await createTestApp();
    await before.visitor().post("/auth?tab=signup", { ...form, email: "ada@example.com" });
    const app = await createTestApp({ env: { SIGN_UP: "invite" }, restarted: before });
    await app.signedIn("grace@example.com");
    expect(await invite(app, "grace@example.com")).toEqual({ kind: "has-account" });
    await invite(app, "ada@example.com");
    const ada = app.visitor();
    await ada.post(await linkOf(app), {});
    await ada.post("/auth?tab=signup", { intent: "sign-up", email: "ada@example.com", password: "another tea set" });
    expect((await logIn(app.visitor(), { email: "ada@example.com", password: form.password })).status).toBe(400);
    expect(locationOf(await logIn(app.visitor(), { email: "ada@example.com", password: "another tea set" }))).toBe(
      "/home",
    );
  });

  test("is used up by a provider that proves its address", async () => {
    const app = await openProviderApp({ env: { SIGN_UP: "invite" } });
    await invite(app, "eve@example.com");
    const stranger = locationOf(await signInWith(app.visitor(), "google", app));
    expect(stranger).toContain("invitation_required");
    await invite(app, googleClaims.email);
    expect(locationOf(await signInWith(app.visitor(), "google", app))).toBe("/start");
    const { invitations } = await app.services.auth.listInvitations({ before: undefined, limit: 9 });
    const states = invitations.map(({ email, state }) => `${email} ${state}`).toSorted();
    expect(states).toEqual([`${googleClaims.email} accepted`, "eve@example.com sent"]);
  });

  test("leads to single sign-on where that is the only sign-in method", async () => {
    const app = await openProviderApp({ env: { SIGN_UP: "invite", OIDC_ONLY: "on" } });
    await invite(app, "ada@corp.example");
    const ada = app.visitor();
    const opened = await ada.post(await linkOf(app), {});
    const page = await readPage(ada, locationOf(opened) ?? "");
    expect(page).toContain("Continue with Example Corp");
    expect(page).not.toContain("This site is invitation only");
    expect(locationOf(await signInWith(ada, "sso", app))).toBe("/start");
  });
});
