import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import { firstLink, toastIn, withoutRandom } from "#tests/support/app/responses.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

type TestUser = Awaited<ReturnType<TestApp["signedIn"]>>;

const email = "countess@example.com";

test("the email changes once its new mailbox confirms it, and every other device is signed out", async () => {
  const { signedIn, visitor, mails, logLines } = await createTestApp();
  const ada = await signedIn();
  const phone = visitor();
  await phone.post("/auth", { intent: "log-in", email: ada.email, password: ada.password });
  const sent = await changeEmail(ada);
  expect(sent.headers.get("location")).toBe("/account");
  expect(toastIn(sent)).toMatchObject({ title: "Check your new email for the confirmation link", tone: "success" });
  const waiting = await (await ada.get("/account")).text();
  expect(waiting).toContain("Confirm your new email");
  expect(waiting).toContain(email);

  const all = await mails();
  const notice = all.find(({ to }) => to === ada.email);
  expect(notice?.text).toContain(`Someone (hopefully you) asked to change the email for your account`);
  expect(notice?.text).toContain(email);
  expect(notice?.text).toMatch(/If it wasn't you, set a new password before then\..*\/forgot-password/s);
  const link = changeLink(all);
  const page = await (await ada.get(link)).text();
  for (const text of ["<title>Confirm your new email | Meishi</title>", ada.email, email]) expect(page).toContain(text);
  // Opening the link changes nothing.
  expect(await (await ada.get("/account")).text()).toContain("Until then, you sign in with");
  const confirmed = await ada.post(link, {});
  expect(confirmed.headers.get("location")).toBe("/account");
  expect(toastIn(confirmed)).toMatchObject({ title: "Email changed", tone: "success" });

  const after = await (await ada.get("/account")).text();
  expect(after).not.toContain("Until then, you sign in with");
  expect(after).not.toContain(ada.email);
  expect((await phone.get("/account")).headers.get("location")).toBe("/auth?returnTo=%2Faccount");
  const logIn = (address: string) =>
    visitor().post("/auth", { intent: "log-in", email: address, password: ada.password });
  expect((await logIn(ada.email)).status).toBe(400);
  expect((await logIn(email)).status).toBe(302);
  expect(logLines).toContainEqual(expect.objectContaining({ security: "email-changed", account: await userIdOf(ada) }));
  expect(JSON.stringify(logLines)).not.toContain("@example.com");
});

test("a rejected form says why beside its field, keeps the address and never a password", async () => {
  const { signedIn, mails } = await createTestApp();
  const ada = await signedIn();
  const cases: [Record<string, string>, string][] = [
    [{ email: "ada at example.com" }, "Enter a valid email address, such as name@example.com."],
    [{ email: "" }, "Enter your email address."],
    [{ email: `${"a".repeat(250)}@example.com` }, "Enter a valid email address, such as name@example.com."],
    [{ email: " ADA@example.com " }, "This is already your email address."],
    [{ current: "" }, "Enter your current password."],
    [{ current: "not my password" }, "This isn't your current password."],
  ];
  for (const [fields, reason] of cases) {
    const response = await changeEmail(ada, fields);
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(html).toContain(reason);
    expect(html).toMatch(/<details[^>]* open/);
    expect(html).toContain(`value="${(fields["email"] ?? email).trim()}`.slice(0, 60).replace("ADA", " ADA"));
    for (const password of [ada.password, "not my password"]) expect(html).not.toContain(password);
  }
  expect(await mails()).toEqual([]);
});

test("an address that has an account looks like a free one, and its owner is told by mail", async () => {
  const { signedIn, mails } = await createTestApp();
  await signedIn("bob@example.com");
  const ada = await signedIn();
  const responses = [];
  for (const address of ["bob@example.com", "eda@example.com"]) {
    const response = await changeEmail(ada, { email: address });
    const html = await (await ada.get("/account")).text();
    const page = withoutRandom(html).replace(/<script.*?<\/script>/gs, "");
    const toast = JSON.stringify(toastIn(response));
    responses.push({ status: response.status, shown: (toast + page).replaceAll("eda@", "bob@") });
  }
  expect(responses[0]).toEqual(responses[1]);
  const toBob = (await mails()).filter(({ to }) => to === "bob@example.com");
  expect(toBob.map(({ subject }) => subject)).toEqual(["You already have a Meishi account"]);
  expect(toBob[0]?.text).not.toContain("/account/email");
  expect(toBob[0]?.text).not.toContain(ada.email);
});

describe("the link", () => {
  test("of a visitor leads to the login and back", async () => {
    const { signedIn, visitor, mails } = await createTestApp();
    const ada = await signedIn();
    await changeEmail(ada);
    const link = changeLink(await mails());
    const stranger = visitor();
    for (const opened of [await stranger.get(link), await stranger.post(link, {})]) {
      expect(toastIn(opened)).toMatchObject({ title: "Sign in to confirm your new email" });
      const login = opened.headers.get("location") ?? "";
      expect(new URL(login, "http://x").searchParams.get("returnTo")).toBe(link);
    }
    const login = `/auth?${new URLSearchParams({ returnTo: link })}`;
    const back = await stranger.post(login, { intent: "log-in", email: ada.email, password: ada.password });
    expect(back.headers.get("location")).toBe(link);
    expect((await stranger.post(link, {})).headers.get("location")).toBe("/account");
  });

  test("says why it doesn't work", async () => {
    const { signedIn, visitor, mails } = await createTestApp();
    const ada = await signedIn();
    const bob = await signedIn("bob@example.com");
    await changeEmail(ada, { email: "first@example.com" });
    const older = changeLink(await mails());
    await changeEmail(ada);
    const link = changeLink(await mails());
    const refused: [TestUser | ReturnType<typeof visitor>, string, string][] = [
      [bob, link, "This link belongs to another account"],
      [ada, older, "This confirmation link is no longer valid"],
      [ada, `${link.slice(0, -3)}abc`, "This confirmation link is incomplete"],
      [visitor(), "/account/email", "This confirmation link is incomplete"],
    ];
    for (const [user, path, title] of refused) {
      expect(await (await user.get(path)).text()).toContain(`${title}</h1>`);
      const pressed = await user.post(path, {});
      expect(pressed.status).toBe(410);
      expect(await pressed.text()).toContain(`${title}</h1>`);
    }
    await ada.post(link, {});
    const again = await ada.post(link, {});
    expect(again.status).toBe(410);
    expect(await again.text()).toContain("Your email has already been changed");
  });

  test("is refused when another account got the address first", async () => {
    const { signedIn, mails } = await createTestApp();
    const ada = await signedIn();
    await changeEmail(ada);
    const link = changeLink(await mails());
    await signedIn(email);
    const pressed = await ada.post(link, {});
    expect(pressed.status).toBe(410);
    expect(await pressed.text()).toContain("This email is already in use</h1>");
    expect(await (await ada.get("/account")).text()).toContain(ada.email);
  });

  test("stays valid when the server fails", async () => {
    const { services, signedIn, mails } = await createTestApp();
    const ada = await signedIn();
    await changeEmail(ada);
    const link = changeLink(await mails());
    await sql`create trigger stuck before delete on email_change begin select raise(abort, 'stuck'); end`.execute(
      services.db,
    );
    const broken = await ada.post(link, {});
    expect(broken.status).toBe(500);
    const page = await broken.text();
    for (const text of ["Something went wrong on our end", "Confirm new email"]) expect(page).toContain(text);
    expect(page).not.toContain("stuck");
    await sql`drop trigger stuck`.execute(services.db);
    expect((await ada.post(link, {})).headers.get("location")).toBe("/account");
  });
});

test("a change can be canceled", async () => {
  const { signedIn, mails } = await createTestApp();
  const ada = await signedIn();
  await changeEmail(ada);
  expect(toastIn(await ada.post("/account", { intent: "cancel-email" }))).toMatchObject({
    title: "Email change canceled",
  });
  expect(await (await ada.get("/account")).text()).not.toContain("Cancel change");
  expect((await ada.post(changeLink(await mails()), {})).status).toBe(410);
});

describe("limits", () => {
  test("wrong passwords are limited for the account and logged, and a stranger can't use them up", async () => {
    const { signedIn, visitor, logLines, mails } = await createTestApp();
    const ada = await signedIn();
    for (let attempt = 0; attempt < 11; attempt++)
      await visitor().post("/auth", { intent: "log-in", email: ada.email, password: "a stranger's guess" });
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
    const { signedIn, mails } = await createTestApp();
    const ada = await signedIn();
    const responses = [];
    for (let index = 0; index < 6; index++)
      responses.push(await changeEmail(ada, { email: `stranger${index}@example.com` }));
    expect(responses.map(({ status }) => status)).toEqual([...Array<number>(5).fill(302), 429]);
    const html = (await responses.at(-1)?.text()) ?? "";
    expect(html).toContain("Too many requests");
    expect(html).toContain('value="stranger5@example.com"');
    expect((await mails()).filter(({ to }) => to === "stranger5@example.com")).toEqual([]);
  });
});

test("without a mail server the email can't be changed, and the page says so", async () => {
  const { signedIn, services } = await createTestApp();
  const ada = await signedIn();
  services.mail.isConfigured = false;
  const html = await (await ada.get("/account")).text();
  expect(html).toContain("A new address must be confirmed by email.");
  expect(html).not.toContain('value="change-email"');
  expect((await changeEmail(ada)).status).toBe(503);
});

function changeEmail(user: TestUser, fields: Record<string, string> = {}) {
  return user.post("/account", { intent: "change-email", email, current: user.password, ...fields });
}

/** The link in the newest mail that has one. */
function changeLink(mails: Awaited<ReturnType<TestApp["mails"]>>): string {
  return firstLink(mails.find(({ subject }) => subject === "Confirm your new email for Meishi")?.text);
}
