import { describe, expect, test } from "vitest";

import { makePremium, userIdOf } from "#tests/support/app/profiles.ts";
import { firstLink, toastIn, visibleText } from "#tests/support/app/responses.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { changeAll } from "#tests/support/database/account-rows.ts";

const today = Date.UTC(2026, 10, 21, 12);
const day = 86_400_000;

const readText = async (user: Pick<Visitor, "get">) => visibleText(await readPage(user, "/account"));

async function subscribe(user: Visitor, services: TestApp["services"], endsAt: number | null = null) {
  await makePremium(services, await userIdOf(user), endsAt);
}

test("the account page requires a login, shows the address, is not cached, and says nothing of payments on Free while nothing is sold", async () => {
  const { signedIn, visitor } = await createTestApp();
  for (const refused of [await visitor().get("/account"), await visitor().post("/account", { intent: "check" })])
    expect(locationOf(refused)).toBe("/auth?returnTo=%2Faccount");
  const response = await (await signedIn()).get("/account");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const html = await response.text();
  for (const text of ["<title>Account | Meishi</title>", "ada@example.com", ">Danger zone</h2>"])
    expect(html).toContain(text);
  expect(visibleText(html)).not.toMatch(/Subscription|Billing history|Refresh|No invoices/);
  expect(visibleText(html)).not.toMatch(/Your email isn.t confirmed|portal|Upgrade to Pro/i);
});

describe("the subscription", () => {
  test("is Active on Premium with the date of its end, and gone when it has ended", async () => {
    let now = today;
    const { ada: user, services } = await createSignedInApp({ clock: () => now });
    await subscribe(user, services, today + 30 * day);
    const text = await readText(user);
    expect(text).toContain("Status Active Plan Premium Ends on December 21, 2026");
    expect(text).not.toContain("Upgrade to Pro");
    now += 30 * day;
    expect(await readText(user)).not.toMatch(/Status (None|Active)|Plan Premium/);
  });

  test("that has no end shows no date, and is read again by Refresh", async () => {
    const { ada: user, services } = await createSignedInApp();
    await subscribe(user, services);
    expect(await readText(user)).toContain("Ends on Never");
    const text = visibleText(await (await user.post("/account", { intent: "check" })).text());
    for (const part of ["Status Active", "Checked just now."]) expect(text).toContain(part);
  });

  test("reports a failure and keeps the rest of the page", async () => {
    const { ada: user, services, logLines } = await createSignedInApp();
    await services.db.schema.alterTable("subscription").renameTo("subscription_away").execute();
    const text = await readText(user);
    for (const part of ["Could not check subscription status", "ada@example.com"]) expect(text).toContain(part);
    expect(text).not.toContain("Upgrade to Pro");
    const refreshed = await user.post("/account", { intent: "check" });
    expect(refreshed.status).toBe(503);
    expect(await refreshed.text()).toContain("Could not check subscription status");
    expect(logLines).toContainEqual(expect.objectContaining({ msg: "a subscription could not be checked" }));
    await services.db.schema.alterTable("subscription_away").renameTo("subscription").execute();
    expect(await readText(user)).not.toContain("Could not check subscription status");
  });

  test("ignores a user id in the form, and unknown intents", async () => {
    const { signedIn, services } = await createTestApp();
    const [ada, bob] = [await signedIn(), await signedIn("bob@example.com")];
    await subscribe(ada, services);
    const form = { intent: "check", userId: await userIdOf(ada), plan: "premium", subscription_tier: "premium" };
    expect(visibleText(await (await bob.post("/account", form)).text())).not.toContain("Status Active");
    expect(await readText(ada)).toContain("Status Active");
    const unknown: Record<string, string>[] = [{ intent: "upgrade" }, {}];
    for (const fields of unknown) expect((await bob.post("/account", fields)).status).toBe(400);
  });
});

describe("an unconfirmed address", () => {
  const notice = "Your email isn’t confirmed";

  /** As after a change of the address, or a sign-in through a provider without confirmation. */
  async function openUnconfirmed() {
    const { ada: user, ...app } = await createSignedInApp();
    await changeAll(app.services, "user", { emailVerified: 0 });
    return { ...app, user };
  }

  test("shows a banner, whose link confirms it in the signed-in browser, and in no other", async () => {
    const { user, visitor, signedIn, mails } = await openUnconfirmed();
    const html = await readPage(user, "/account");
    for (const text of [notice, "Some features may be limited until it is verified."]) expect(html).toContain(text);
    const sent = await user.post("/account", { intent: "resend" });
    expect(toastIn(sent)).toMatchObject({ title: "Verification email sent!", tone: "success" });
    const [mail] = await mails();
    expect(mail).toMatchObject({ to: "ada@example.com", subject: "Confirm your email for Meishi" });
    const link = firstLink(mail?.text);
    expect(await readPage(user, link)).toContain("Confirm email");

    const stranger = visitor();
    const opened = await stranger.get(link);
    expect(locationOf(opened)).toBe("/auth?returnTo=/account");
    expect(toastIn(opened)).toMatchObject({ title: "Sign in first, then open the link again" });
    expect(stranger.cookies.has("meishi.session_token")).toBe(false);
    expect(locationOf(await (await signedIn("bob@example.com")).get(link))).toBe("/account");
    expect(await readPage(user, "/account")).toContain(notice);

    expect(locationOf(await user.post(link, {}))).toBe("/home");
    expect(await readPage(user, "/account")).not.toContain(notice);
    expect(toastIn(await user.get(link))).toBeNull();
    expect(toastIn(await user.post("/account", { intent: "resend" }))).toMatchObject({ tone: "info" });
    expect((await mails()).filter(({ subject }) => subject === mail?.subject)).toHaveLength(1);
  });

  test("gets at most five links an hour", async () => {
    const { user } = await openUnconfirmed();
    const responses = [];
    for (let press = 0; press < 6; press++) responses.push(await user.post("/account", { intent: "resend" }));
    expect(responses.map(({ status }) => status)).toEqual([...Array<number>(5).fill(302), 429]);
    expect(await responses.at(-1)?.text()).toContain("Too many requests");
  });

  test("can't be confirmed without a mail server", async () => {
    const { user, services } = await openUnconfirmed();
    services.mail.isConfigured = false;
    const html = await readPage(user, "/account");
    expect(html).toContain("Email isn’t set up on this server");
    expect(html).not.toContain("Resend verification email");
    expect((await user.post("/account", { intent: "resend" })).status).toBe(503);
  });
});

test("sign-ins, refused sign-ins and rate limits are logged with the account's id and without its address", async () => {
  const { ada, visitor, logLines } = await createSignedInApp();
  const events = () => logLines.filter((line) => "security" in line);
  const account = await userIdOf(ada);
  const guess = (email = ada.email) => logIn(visitor(), { email, password: "wrong password" });
  expect((await logIn(visitor(), ada)).status).toBe(302);
  expect(events()).toMatchObject([{ security: "signed-in", account, id: expect.any(String) }]);
  expect((await guess()).status).toBe(400);
  expect(events().at(-1)).toMatchObject({ security: "sign-in-refused", account });
  await guess("bob@example.com");
  expect(events().at(-1)).toMatchObject({ security: "sign-in-refused" });
  expect(events().at(-1)).not.toHaveProperty("account");
  for (let attempt = 0; attempt < 10; attempt++) await guess();
  expect(events().at(-1)).toMatchObject({ security: "limit-reached", account, limit: "sign-ins of an account" });
  await ada.post("/account/delete", { intent: "delete", confirm: "DELETE" });
  expect(events().at(-1)).toMatchObject({ security: "account-deleted", account });

  expect(JSON.stringify(logLines)).not.toMatch(/@example\.com|127\.0\.0\.1/);
});
