import { describe, expect, test } from "vitest";

import { linkIn, toastOf } from "#tests/support/answers.ts";
import { idOf } from "#tests/support/profiles.ts";
import { createTestApp } from "#tests/support/test-app.ts";
import type { TestApp } from "#tests/support/test-app.ts";

const today = Date.UTC(2026, 10, 21, 12);
const day = 86_400_000;

type Person = Awaited<ReturnType<TestApp["signedIn"]>>;

describe("the account page", () => {
  test("is for members, who come back to it after logging in", async () => {
    const { visitor } = await createTestApp();
    expect((await visitor().get("/account")).headers.get("location")).toBe("/auth?returnTo=%2Faccount");
    expect((await visitor().post("/account", { intent: "check" })).headers.get("location")).toBe(
      "/auth?returnTo=%2Faccount",
    );
  });

  test("says whose it is, keeps it from caches, and shows no invoices where nothing can be paid", async () => {
    const { signedIn } = await createTestApp();
    const answer = await (await signedIn()).get("/account");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const html = await answer.text();
    expect(html).toContain("<title>Account | Meishi</title>");
    for (const words of ["ada@example.com", "No invoices", "Premium is not on sale yet"]) expect(html).toContain(words);
    for (const title of ["Subscription", "Billing history", "Danger zone"]) expect(html).toMatch(`>${title}</h2>`);
    expect(html).not.toContain("Your email is not confirmed");
    expect(html).not.toMatch(/portal/i);
  });

  test("sends a link to change the password", async () => {
    const { signedIn, mails } = await createTestApp();
    const person = await signedIn();
    const form = /<form[^>]*action="\/forgot-password"[^>]*>.*?<\/form>/s.exec(await page(person))?.[0] ?? "";
    const email = /name="email" value="([^"]*)"/.exec(form)?.[1] ?? "";
    await person.post("/forgot-password", { email });
    expect((await mails())[0]).toMatchObject({ to: "ada@example.com", subject: "Set a new password for Meishi" });
  });
});

describe("the subscription", () => {
  test("of somebody on Free is None, with the way to more", async () => {
    const { signedIn } = await createTestApp();
    const html = await page(await signedIn());
    expect(wordsOf(html)).toContain("Status None Plan Free");
    expect(html).toMatch(/<a [^>]*href="\/pricing"[^>]*>Upgrade to Pro/);
  });

  test("of somebody on Premium is Active, and says when it renews; when it is over it is None", async () => {
    let now = today;
    const { signedIn, services } = await createTestApp({ clock: () => now });
    const person = await signedIn();
    await subscribe(person, services, today + 30 * day);
    const html = await page(person);
    expect(wordsOf(html)).toContain("Status Active Plan Premium Renews on 21 December 2026");
    expect(html).not.toContain("Upgrade to Pro");
    now += 30 * day;
    expect(wordsOf(await page(person))).toContain("Status None Plan Free");
  });

  test("that costs nothing shows no date", async () => {
    const { signedIn, services } = await createTestApp();
    const person = await signedIn();
    await subscribe(person, services, null);
    expect(wordsOf(await page(person))).toContain("Renews on No date");
  });

  test("is read again at a press of Refresh", async () => {
    const { signedIn, services } = await createTestApp();
    const person = await signedIn();
    await subscribe(person, services, null);
    const html = await (await person.post("/account", { intent: "check" })).text();
    expect(wordsOf(html)).toContain("Status Active");
    expect(html).toContain("Checked just now.");
  });

  test("that can't be read says so, and the rest of the page is there", async () => {
    const { signedIn, services, logLines } = await createTestApp();
    const person = await signedIn();
    await services.db.schema.alterTable("subscription").renameTo("subscription_away").execute();
    const html = await page(person);
    expect(html).toContain("Could not check subscription status");
    expect(html).toContain("ada@example.com");
    expect(html).not.toContain("Upgrade to Pro");
    const refreshed = await person.post("/account", { intent: "check" });
    expect(refreshed.status).toBe(503);
    expect(await refreshed.text()).toContain("Could not check subscription status");
    expect(logLines).toContainEqual(expect.objectContaining({ msg: "a subscription could not be checked" }));
    await services.db.schema.alterTable("subscription_away").renameTo("subscription").execute();
    expect(wordsOf(await page(person))).toContain("Status None");
  });

  test("is nobody else's: no field of the form says whose", async () => {
    const { signedIn, services } = await createTestApp();
    const [ada, bob] = [await signedIn(), await signedIn("bob@example.com")];
    await subscribe(ada, services, null);
    const form = { intent: "check", userId: await idOf(ada), plan: "premium", subscription_tier: "premium" };
    expect(wordsOf(await (await bob.post("/account", form)).text())).toContain("Status None");
    expect((await bob.post("/account", { intent: "upgrade" })).status).toBe(400);
    expect((await bob.post("/account", {})).status).toBe(400);
  });
});

describe("an address that is not confirmed", () => {
  test("is told in a banner, and its link confirms it in the browser that is signed in", async () => {
    const { signedIn, services, mails } = await createTestApp();
    const person = await signedIn();
    await unconfirm(person, services);
    const html = await page(person);
    expect(html).toContain("Your email is not confirmed");
    expect(html).toContain("Some features may be limited until it is verified.");
    const sent = await person.post("/account", { intent: "resend" });
    expect(toastOf(sent)).toMatchObject({ title: "Verification email sent!", tone: "success" });
    const [mail] = await mails();
    expect(mail).toMatchObject({ to: "ada@example.com", subject: "Confirm your email for Meishi" });
    const opened = await person.get(linkIn(mail?.text));
    expect(opened.headers.get("location")).toBe("/account");
    expect(await page(person)).not.toContain("Your email is not confirmed");
    expect(toastOf(await person.get(linkIn(mail?.text)))).toBeNull();
    expect(toastOf(await person.post("/account", { intent: "resend" }))).toMatchObject({ tone: "info" });
    expect((await mails()).filter(({ subject }) => subject === mail?.subject)).toHaveLength(2);
  });

  test("is not confirmed by a stranger who opens the link: it may be their address that somebody named", async () => {
    const { signedIn, services, mails, visitor } = await createTestApp();
    const person = await signedIn();
    const other = await signedIn("bob@example.com");
    await unconfirm(person, services);
    await person.post("/account", { intent: "resend" });
    const link = linkIn((await mails())[0]?.text);
    const stranger = visitor();
    const opened = await stranger.get(link);
    expect(opened.headers.get("location")).toBe("/auth?returnTo=/account");
    expect(toastOf(opened)).toMatchObject({ title: "Log in first, then open the link again" });
    expect(stranger.cookies.has("meishi.session_token")).toBe(false);
    expect((await other.get(link)).headers.get("location")).toBe("/account");
    expect(await page(person)).toContain("Your email is not confirmed");
  });

  test("gets at most five links an hour", async () => {
    const { signedIn, services } = await createTestApp();
    const person = await signedIn();
    await unconfirm(person, services);
    const answers = [];
    for (let press = 0; press < 6; press++) answers.push(await person.post("/account", { intent: "resend" }));
    expect(answers.map(({ status }) => status)).toEqual([302, 302, 302, 302, 429, 429]);
    expect(await answers.at(-1)?.text()).toContain("That was asked for too often");
  });

  test("is not asked to be confirmed where no mail can be sent", async () => {
    const { signedIn, services } = await createTestApp();
    const person = await signedIn();
    await unconfirm(person, services);
    services.mail.isConfigured = false;
    const html = await page(person);
    expect(html).toContain("Mail is not configured on this server");
    expect(html).not.toContain("Resend verification email");
    expect((await person.post("/account", { intent: "resend" })).status).toBe(503);
  });
});

async function page(person: Pick<Person, "get">): Promise<string> {
  const answer = await person.get("/account");
  expect(answer.status).toBe(200);
  return answer.text();
}

/** What is read, with single spaces. */
function wordsOf(html: string): string {
  return html
    .replaceAll("<!-- -->", "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
}

async function subscribe(person: Person, { db }: TestApp["services"], endsAt: number | null) {
  const row = { user_id: await idOf(person), plan: "premium", ends_at: endsAt };
  await db.insertInto("subscription").values(row).execute();
}

/** As after a change of the address, or with a provider that checked none. */
async function unconfirm({ email }: Person, { db }: TestApp["services"]) {
  const user = db.updateTable("user" as "setting").set({ emailVerified: 0 } as never);
  await user.where("email" as "name", "=", email).execute();
}
