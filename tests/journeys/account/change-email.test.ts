import { sql } from "kysely";
import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";

import { fieldValue } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { firstLink, toastIn } from "#tests/support/app/responses.ts";
import { openSmtpServer } from "#tests/support/app/smtp-server.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

const email = "countess@example.com";

/** Ada, and the link to the new address that she requested. */
async function openChange() {
  const { ada, ...app } = await createSignedInApp();
  await changeEmail(ada);
  return { ...app, ada, link: changeLink(await app.mails()) };
}

function changeEmail(user: Awaited<ReturnType<TestApp["signedIn"]>>, fields: Record<string, string> = {}) {
  return user.post("/account", { intent: "change-email", email, current: user.password, ...fields });
}

/** The link in the newest mail that has one. */
function changeLink(mails: Awaited<ReturnType<TestApp["mails"]>>): string {
  return firstLink(mails.find(({ subject }) => subject === "Confirm your new email for Meishi")?.text);
}

test("the email changes once its new mailbox confirms it, and every other device is signed out", async () => {
  const { ada, visitor, mails, logLines } = await createSignedInApp();
  const phone = visitor();
  await logIn(phone, ada);
  const sent = await changeEmail(ada);
  expect(locationOf(sent)).toBe("/account");
  expect(toastIn(sent)).toMatchObject({ title: "Check your new email for the confirmation link", tone: "success" });
  const waiting = await readPage(ada, "/account");
  for (const text of ["Confirm your new email", email]) expect(waiting).toContain(text);

  const all = await mails();
  const notice = all.find(({ to }) => to === ada.email)?.text;
  expect(notice).toContain("Someone (hopefully you) asked to change the email for your account");
  expect(notice).toContain(email);
  expect(notice).toMatch(/If it wasn’t you, set a new password before then\..*\/forgot-password/s);
  const link = changeLink(all);
  const page = await readPage(ada, link);
  for (const text of ["<title>Confirm your new email | Meishi</title>", ada.email, email]) expect(page).toContain(text);
  // Opening the link changes nothing.
  expect(await readPage(ada, "/account")).toContain("Until then, you sign in with");
  const confirmed = await ada.post(link, {});
  expect(locationOf(confirmed)).toBe("/account");
  expect(toastIn(confirmed)).toMatchObject({ title: "Email changed", tone: "success" });

  const after = await readPage(ada, "/account");
  for (const text of ["Until then, you sign in with", ada.email]) expect(after).not.toContain(text);
  expect(locationOf(await phone.get("/account"))).toBe("/auth?returnTo=%2Faccount");
  expect((await logIn(visitor(), ada)).status).toBe(400);
  expect((await logIn(visitor(), { ...ada, email })).status).toBe(302);
  expect(logLines).toContainEqual(expect.objectContaining({ security: "email-changed", account: await userIdOf(ada) }));
  expect(JSON.stringify(logLines)).not.toContain("@example.com");
});

test("the response doesn't say whether the new address has an account", async () => {
  const { signedIn } = await createTestApp();
  const [ada, bob] = [await signedIn(), await signedIn("bob@example.com")];
  const respond = async (address: string) => {
    const response = await changeEmail(ada, { email: address });
    const toast = JSON.stringify(toastIn(response)).replace(address, "");
    return [response.status, locationOf(response), toast];
  };
  expect(await respond(bob.email)).toEqual(await respond(email));
});

test("a rejected form says why beside its field, keeps the address and never a password", async () => {
  const { ada, mails } = await createSignedInApp();
  const cases: [Record<string, string>, string][] = [
    [{ email: "ada at example.com" }, "Enter a valid email address, such as name@example.com."],
    [{ email: "" }, "Enter your email address."],
    [{ email: " ADA@example.com " }, "This is already your email address."],
    [{ current: "" }, "Enter your current password."],
    [{ current: "not my password" }, "This isn’t your current password."],
  ];
  for (const [fields, reason] of cases) {
    const response = await changeEmail(ada, fields);
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(html).toContain(reason);
    expect(html).toMatch(/<details[^>]* open/);
    expect(fieldValue(html, "email")).toBe(fields["email"] ?? email);
    for (const password of [ada.password, "not my password"]) expect(html).not.toContain(password);
  }
  expect(await mails()).toEqual([]);
});

describe("the link", () => {
  test("of a visitor leads to the login and back", async () => {
    const { ada, visitor, link } = await openChange();
    const stranger = visitor();
    for (const opened of [await stranger.get(link), await stranger.post(link, {})]) {
      expect(toastIn(opened)).toMatchObject({ title: "Sign in to confirm your new email" });
      const login = new URL(locationOf(opened) ?? "", "http://x");
      expect(login.searchParams.get("returnTo")).toBe(link);
    }
    expect(locationOf(await logIn(stranger, ada, { returnTo: link }))).toBe(link);
    expect(locationOf(await stranger.post(link, {}))).toBe("/account");
  });

  test("says why it doesn't work", async () => {
    const { ada, signedIn, visitor, mails, link: older } = await openChange();
    const bob = await signedIn("bob@example.com");
    await changeEmail(ada);
    const link = changeLink(await mails());
    const refused: [Visitor, string, string][] = [
      [bob, link, "This link belongs to another account"],
      [ada, older, "This confirmation link is no longer valid"],
      [ada, `${link.slice(0, -3)}abc`, "This confirmation link is incomplete"],
      [visitor(), "/account/email", "This confirmation link is incomplete"],
    ];
    for (const [user, path, title] of refused) {
      expect(await readPage(user, path)).toContain(`${title}</h1>`);
      const pressed = await user.post(path, {});
      expect([pressed.status, await pressed.text()]).toEqual([410, expect.stringContaining(`${title}</h1>`)]);
    }
    await ada.post(link, {});
    const again = await ada.post(link, {});
    expect(again.status).toBe(410);
    expect(await again.text()).toContain("Your email has already been changed");
  });

  test("is refused when another account got the address first, or the change was canceled", async () => {
    const { ada, signedIn, link } = await openChange();
    await signedIn(email);
    const pressed = await ada.post(link, {});
    expect(pressed.status).toBe(410);
    expect(await pressed.text()).toContain("This email is already in use</h1>");
    expect(await readPage(ada, "/account")).toContain(ada.email);
    const canceled = await ada.post("/account", { intent: "cancel-email" });
    expect(toastIn(canceled)).toMatchObject({ title: "Email change canceled" });
    expect(await readPage(ada, "/account")).not.toContain("Cancel change");
    expect(await readPage(ada, link)).toContain("This confirmation link is no longer valid</h1>");
  });

  test("stays valid when the server fails", async () => {
    const { ada, services, link } = await openChange();
    await sql`create trigger stuck before delete on email_change begin select raise(abort, 'stuck'); end`.execute(
      services.db,
    );
    const broken = await ada.post(link, {});
    expect(broken.status).toBe(500);
    const page = await broken.text();
    for (const text of ["Something went wrong on our end", "Confirm new email"]) expect(page).toContain(text);
    expect(page).not.toContain("stuck");
    await sql`drop trigger stuck`.execute(services.db);
    expect(locationOf(await ada.post(link, {}))).toBe("/account");
  });
});

describe("limits", () => {
  test("wrong passwords are limited for the account and logged, and a stranger can't use them up", async () => {
    const { ada, visitor, logLines, mails } = await createSignedInApp();
    for (let attempt = 0; attempt < 11; attempt++)
      await logIn(visitor(), { email: ada.email, password: "a stranger's guess" });
    const responses = [];
    for (let attempt = 0; attempt < 11; attempt++)
      responses.push(await changeEmail(ada, { current: `guess ${attempt}` }));
    expect(responses.map(({ status }) => status)).toEqual([...Array<number>(10).fill(400), 429]);
    expect(await responses.at(-1)?.text()).toContain("Too many wrong passwords");
    // The right one is refused as well until the window ends.
    expect((await changeEmail(ada)).status).toBe(429);
    const account = await userIdOf(ada);
    expect(logLines).toContainEqual(expect.objectContaining({ security: "password-refused", account }));
    expect(logLines).toContainEqual(
      expect.objectContaining({ security: "limit-reached", account, limit: "password checks of an account" }),
    );
    expect(await mails()).toEqual([]);
  });

  test("an account asks for at most five changes an hour, whatever the addresses", async () => {
    const { ada, mails } = await createSignedInApp();
    const responses = [];
    for (let index = 0; index < 6; index++)
      responses.push(await changeEmail(ada, { email: `stranger${index}@example.com` }));
    expect(responses.map(({ status }) => status)).toEqual([...Array<number>(5).fill(302), 429]);
    const html = (await responses.at(-1)?.text()) ?? "";
    expect(html).toContain("Too many requests");
    expect(fieldValue(html, "email")).toBe("stranger5@example.com");
    expect((await mails()).filter(({ to }) => to === "stranger5@example.com")).toEqual([]);
  });
});

test("without a mail server the email can't be changed, and the page says so", async () => {
  const { ada, services } = await createSignedInApp();
  services.mail.isConfigured = false;
  const html = await readPage(ada, "/account");
  expect(html).toContain("A new address must be confirmed by email.");
  expect(html).not.toContain('value="change-email"');
  expect((await changeEmail(ada)).status).toBe(503);
});

const signUp = { intent: "sign-up", email: "ada@example.com", password: "tea with Charles" };

describe("the local mailbox", () => {
  test("lists mails newest first, shows them with clickable links, and is only accessible from this machine", async () => {
    const { app, visitor, mails } = await createTestApp();
    expect(await readPage(visitor(), "/dev/mail")).toContain("No emails yet");
    await visitor().post("/auth?tab=signup", signUp);
    await visitor().post("/forgot-password", { email: signUp.email });
    const [newest, oldest] = (await mails()).map(({ name }) => name);
    const list = await readPage(visitor(), "/dev/mail");
    expect(list).toMatch(new RegExp(`${newest}[^]*${oldest}`));
    const page = await readPage(visitor(), `/dev/mail/${newest}`);
    expect(page).toContain("Set a new password for Meishi");
    expect(page).toMatch(/<a href="http:\/\/localhost:3000\/reset-password\?token=[\w-]+"/);

    // The designed email, in a frame that runs and loads nothing.
    expect(page).toMatch(
      new RegExp(`<iframe[^>]+sandbox="allow-top-navigation-by-user-activation"[^>]+/${newest}/mail.html"`),
    );
    const designed = await visitor().get(`/dev/mail/${newest}/mail.html`);
    expect(designed.headers.get("content-security-policy")).toMatch(
      /default-src 'none'; style-src 'unsafe-inline'.*sandbox/,
    );
    expect(await designed.text()).toContain('<base target="_top">');
    const latest = async (to: string) => locationOf(await visitor().get(`/dev/mail/latest?to=${to}`));
    expect([await latest(signUp.email), await latest("eve@example.com")]).toEqual([`/dev/mail/${newest}`, "/dev/mail"]);

    const statusFrom = async (
      path: string,
      { address = "127.0.0.1", origin = "http://localhost:3000", headers = {} } = {},
    ) =>
      (await app.request(`${origin}${path}`, { headers }, { incoming: { socket: { remoteAddress: address } } })).status;
    for (const path of ["/dev/mail", `/dev/mail/${newest}`, `/dev/mail/${newest}/mail.html`]) {
      expect(await statusFrom(path, { address: "::1" })).toBe(200);
      expect(await statusFrom(path, { address: "192.0.2.7" })).toBe(404);
      expect(await statusFrom(path, { headers: { "x-forwarded-for": "127.0.0.1" } })).toBe(404);
      expect(await statusFrom(path, { origin: "http://rebound.example:3000" })).toBe(404);
    }
    for (const name of ["..%2f..%2fmeishi.db", "nothing.eml", "%00"])
      expect(await statusFrom(`/dev/mail/${name}`)).toBe(404);
  });

  test.each<Record<string, string>>([{ BASE_URL: "https://cards.example.com" }, { SMTP_URL: "smtp://127.0.0.1:4299" }])(
    "is nowhere with %o",
    async (env) => {
      const { visitor } = await createTestApp({ env });
      for (const path of ["/dev/mail", "/dev/mail/2026-01-01T00-00.eml"])
        expect((await visitor().get(path)).status).toBe(404);
    },
  );
});

test("without configured mail, sign-up and password reset say so and do nothing", async () => {
  const { visitor, services } = await createTestApp({ env: { BASE_URL: "https://cards.example.com" } });
  for (const path of ["/auth?tab=signup", "/forgot-password"]) {
    const page = await readPage(visitor(), path);
    expect(page).toContain("Email isn’t set up on this server");
    expect(page).toMatch(/<fieldset[^>]* disabled=""/);
    const sent = await visitor().post(path, signUp);
    expect(sent.status).toBe(503);
    expect(await sent.text()).toContain("Email isn’t set up on this server");
  }
  expect(await services.db.selectFrom("job").selectAll().execute()).toEqual([]);
  expect(await readPage(visitor(), "/auth")).not.toContain("isn’t set up");
});

describe("with a mail server", () => {
  test("a mail is sent as text and HTML, and no page mentions the mailbox", async () => {
    await using server = await openSmtpServer();
    const env = { SMTP_URL: server.url, MAIL_FROM: "Cards <cards@example.com>" };
    const { visitor, services } = await createTestApp({ env });
    const user = visitor();
    const page = await (await user.post("/auth?tab=signup", signUp)).text();
    expect(page).toContain("Check your email for the confirmation link!");
    expect(page).not.toContain("/dev/mail");
    await services.jobs.runDue();
    const mail = await PostalMime.parse(server.received[0] ?? "");
    expect(mail).toMatchObject({ from: { name: "Cards" }, to: [{ address: signUp.email }] });
    const link = /http:\/\/localhost:3000\/auth\/confirm\?token=[\w.-]+/.exec(mail.text ?? "")?.[0];
    expect(mail.html).toContain(`href="${link}"`);
    expect(locationOf(await user.post(firstLink(link), {}))).toBe("/start");
  });

  test("that is down the form succeeds and the mail waits", async () => {
    const { visitor, services } = await createTestApp({ env: { SMTP_URL: "smtp://127.0.0.1:1" } });
    expect((await visitor().post("/auth?tab=signup", signUp)).status).toBe(200);
    await services.jobs.runDue();
    const waiting = await services.db.selectFrom("job").select(["kind", "tries"]).execute();
    expect(waiting).toEqual([{ kind: "mail", tries: 1 }]);
  });
});
