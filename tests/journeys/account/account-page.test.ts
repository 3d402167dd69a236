import { describe, expect, test } from "vitest";

import { firstLink, toastIn } from "#tests/support/app/responses.ts";
import { makePremium, userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

const today = Date.UTC(2026, 10, 21, 12);
const day = 86_400_000;

type TestUser = Awaited<ReturnType<TestApp["signedIn"]>>;

describe("the account page", () => {
  test("requires a login, which leads back", async () => {
    const { visitor } = await createTestApp();
    expect((await visitor().get("/account")).headers.get("location")).toBe("/auth?returnTo=%2Faccount");
    expect((await visitor().post("/account", { intent: "check" })).headers.get("location")).toBe(
      "/auth?returnTo=%2Faccount",
    );
  });

  test("shows the address, is not cached, and has no invoices while nothing is sold", async () => {
    const { signedIn } = await createTestApp();
    const response = await (await signedIn()).get("/account");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const html = await response.text();
    expect(html).toContain("<title>Account | Meishi</title>");
    for (const text of ["ada@example.com", "No invoices", "Premium isn&#x27;t available yet"])
      expect(html).toContain(text);
    for (const title of ["Subscription", "Billing history", "Danger zone"]) expect(html).toMatch(`>${title}</h2>`);
    expect(html).not.toContain("Your email isn&#x27;t confirmed");
    expect(html).not.toMatch(/portal/i);
  });
});

describe("the subscription", () => {
  test("is None on Free, without a button to upgrade while Premium can't be bought", async () => {
    const { signedIn } = await createTestApp();
    const html = await page(await signedIn());
    expect(visibleText(html)).toContain("Status None Plan Free");
    expect(html).not.toContain("Upgrade to Pro");
  });

  test("is Active on Premium with the date of its end, and None when it has ended", async () => {
    let now = today;
    const { signedIn, services } = await createTestApp({ clock: () => now });
    const user = await signedIn();
    await subscribe(user, services, today + 30 * day);
    const html = await page(user);
    expect(visibleText(html)).toContain("Status Active Plan Premium Ends on December 21, 2026");
    expect(html).not.toContain("Upgrade to Pro");
    now += 30 * day;
    expect(visibleText(await page(user))).toContain("Status None Plan Free");
  });

  test("that has no end shows no date", async () => {
    const { signedIn, services } = await createTestApp();
    const user = await signedIn();
    await subscribe(user, services, null);
    expect(visibleText(await page(user))).toContain("Ends on Never");
  });

  test("is read again by Refresh", async () => {
    const { signedIn, services } = await createTestApp();
    const user = await signedIn();
    await subscribe(user, services, null);
    const html = await (await user.post("/account", { intent: "check" })).text();
    expect(visibleText(html)).toContain("Status Active");
    expect(html).toContain("Checked just now.");
  });

  test("reports a failure and keeps the rest of the page", async () => {
    const { signedIn, services, logLines } = await createTestApp();
    const user = await signedIn();
    await services.db.schema.alterTable("subscription").renameTo("subscription_away").execute();
    const html = await page(user);
    expect(html).toContain("Could not check subscription status");
    expect(html).toContain("ada@example.com");
    expect(html).not.toContain("Upgrade to Pro");
    const refreshed = await user.post("/account", { intent: "check" });
    expect(refreshed.status).toBe(503);
    expect(await refreshed.text()).toContain("Could not check subscription status");
    expect(logLines).toContainEqual(expect.objectContaining({ msg: "a subscription could not be checked" }));
    await services.db.schema.alterTable("subscription_away").renameTo("subscription").execute();
    expect(visibleText(await page(user))).toContain("Status None");
  });

  test("ignores a user id in the form", async () => {
    const { signedIn, services } = await createTestApp();
    const [ada, bob] = [await signedIn(), await signedIn("bob@example.com")];
    await subscribe(ada, services, null);
    const form = { intent: "check", userId: await userIdOf(ada), plan: "premium", subscription_tier: "premium" };
    expect(visibleText(await (await bob.post("/account", form)).text())).toContain("Status None");
    expect((await bob.post("/account", { intent: "upgrade" })).status).toBe(400);
    expect((await bob.post("/account", {})).status).toBe(400);
  });
});

describe("an unconfirmed address", () => {
  test("shows a banner, whose link confirms it in the signed-in browser", async () => {
    const { signedUp, services, mails } = await createTestApp();
    const user = await signedUp();
    await unconfirm(user, services);
    const html = await page(user);
    expect(html).toContain("Your email isn&#x27;t confirmed");
    expect(html).toContain("Some features may be limited until it is verified.");
    const sent = await user.post("/account", { intent: "resend" });
    expect(toastIn(sent)).toMatchObject({ title: "Verification email sent!", tone: "success" });
    const [mail] = await mails();
    expect(mail).toMatchObject({ to: "ada@example.com", subject: "Confirm your email for Meishi" });
    expect(await (await user.get(firstLink(mail?.text))).text()).toContain("Confirm email");
    expect(await page(user)).toContain("Your email isn&#x27;t confirmed");
    const opened = await user.post(firstLink(mail?.text), {});
    expect(opened.headers.get("location")).toBe("/profile");
    expect(await page(user)).not.toContain("Your email isn&#x27;t confirmed");
    expect(toastIn(await user.get(firstLink(mail?.text)))).toBeNull();
    expect(toastIn(await user.post("/account", { intent: "resend" }))).toMatchObject({ tone: "info" });
    expect((await mails()).filter(({ subject }) => subject === mail?.subject)).toHaveLength(2);
  });

  test("isn't confirmed by a stranger who opens the link", async () => {
    const { signedIn, services, mails, visitor } = await createTestApp();
    const user = await signedIn();
    const other = await signedIn("bob@example.com");
    await unconfirm(user, services);
    await user.post("/account", { intent: "resend" });
    const link = firstLink((await mails())[0]?.text);
    const stranger = visitor();
    const opened = await stranger.get(link);
    expect(opened.headers.get("location")).toBe("/auth?returnTo=/account");
    expect(toastIn(opened)).toMatchObject({ title: "Sign in first, then open the link again" });
    expect(stranger.cookies.has("meishi.session_token")).toBe(false);
    expect((await other.get(link)).headers.get("location")).toBe("/account");
    expect(await page(user)).toContain("Your email isn&#x27;t confirmed");
  });

  test("gets at most five links an hour", async () => {
    const { signedUp, services } = await createTestApp();
    const user = await signedUp();
    await unconfirm(user, services);
    const responses = [];
    for (let press = 0; press < 6; press++) responses.push(await user.post("/account", { intent: "resend" }));
    expect(responses.map(({ status }) => status)).toEqual([302, 302, 302, 302, 429, 429]);
    expect(await responses.at(-1)?.text()).toContain("Too many requests");
  });

  test("can't be confirmed without a mail server", async () => {
    const { signedIn, services } = await createTestApp();
    const user = await signedIn();
    await unconfirm(user, services);
    services.mail.isConfigured = false;
    const html = await page(user);
    expect(html).toContain("Email isn&#x27;t set up on this server");
    expect(html).not.toContain("Resend verification email");
    expect((await user.post("/account", { intent: "resend" })).status).toBe(503);
  });
});

async function page(user: Pick<TestUser, "get">): Promise<string> {
  const response = await user.get("/account");
  expect(response.status).toBe(200);
  return response.text();
}

/** The visible text with single spaces. */
function visibleText(html: string): string {
  return html
    .replaceAll("<!-- -->", "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
}

async function subscribe(user: TestUser, services: TestApp["services"], endsAt: number | null) {
  await makePremium(services, await userIdOf(user), endsAt);
}

/** As after a change of the address, or a sign-in through a provider without confirmation. */
async function unconfirm({ email }: TestUser, { db }: TestApp["services"]) {
  const user = db.updateTable("user" as "setting").set({ emailVerified: 0 } as never);
  await user.where("email" as "name", "=", email).execute();
}
