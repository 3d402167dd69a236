import { describe, expect, test } from "vitest";

import { toastIn, visibleText } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { copyBrowser, isSignedIn, locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import { proveAgo } from "#tests/support/database/account-rows.ts";

const page = "/account/sessions";
const cookie = "meishi.session_token";
const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0";

/** Ada in the browser that the database starts with, and in Firefox on Windows. */
async function openTwoBrowsers() {
  const app = await createTestApp();
  const ada = await app.signedIn();
  const openOther = async () => {
    const browser = app.visitor();
    await logIn(browser, ada, { headers: { "user-agent": firefox } });
    return browser;
  };
  const other = await openOther();
  const form = { intent: "end", id: await findSessionId(app, "Firefox on Windows") };
  return { app, ada, other, openOther, form };
}

async function findSessionId({ services }: TestApp, browser: string): Promise<string> {
  const rows: { id?: string; browser?: string | null }[] = (await services.db
    .selectFrom("session" as "setting")
    .selectAll()
    .execute()) as never;
  return rows.find((row) => row.browser === browser)?.id ?? "";
}

async function listEndings({ services }: TestApp): Promise<string[]> {
  const events = services.db.selectFrom("security_event").select("detail").where("event", "=", "session-ended");
  return (await events.execute()).map(({ detail }) => detail);
}

describe("the sessions page", () => {
  test("names each browser, how it signed in, and which one this is", async () => {
    const { app, ada, other } = await openTwoBrowsers();
    await app.signedIn("bob@example.com");
    const text = visibleText(await readPage(other, page));
    expect(text.match(/· Signed in /g)).toHaveLength(2);
    expect(text).toMatch(/Firefox on Windows This browser Active now · Signed in .* · Password .*Unknown browser/);
    expect(text).toMatch(/Unknown browser Active in the last 24 hours/);
    expect(await readPage(ada, "/account")).toContain(`href="${page}"`);
  });

  test("does not list sessions that have ended", async () => {
    const { app, ada } = await openTwoBrowsers();
    const old = new Date(Date.now() - 91 * 86_400_000).toISOString();
    await app.services.db
      .updateTable("session" as "setting")
      .set({ createdAt: old } as never)
      .where("browser" as "value", "=", "Firefox on Windows")
      .execute();
    expect(await readPage(ada, page)).not.toContain("Firefox on Windows");
  });
});

describe("signing out", () => {
  test("of one browser ends its session, and is recorded", async () => {
    const { app, ada, other, form } = await openTwoBrowsers();
    expect(toastIn(await ada.post(page, form))).toMatchObject({ title: "Signed out", text: "Firefox on Windows" });
    expect(locationOf(await other.get("/account"))).toBe("/auth?returnTo=%2Faccount");
    expect(await isSignedIn(ada)).toBe(true);
    expect(await listEndings(app)).toEqual(["Firefox on Windows"]);
    expect(toastIn(await ada.post(page, form))).toMatchObject({ title: "That browser was already signed out." });
  });

  test("never ends a session of another account", async () => {
    const { app, other, form } = await openTwoBrowsers();
    const eve = await app.signedIn("eve@example.com");
    for (const sent of [form, { intent: "end-others" }, { intent: "end-all" }]) await eve.post(page, { ...sent });
    expect(await isSignedIn(other)).toBe(true);
  });

  test("of all others keeps this browser", async () => {
    const { app, ada, other, openOther } = await openTwoBrowsers();
    const third = await openOther();
    const ended = await ada.post(page, { intent: "end-others" });
    expect(toastIn(ended)).toMatchObject({ title: "Your other browsers are signed out" });
    for (const browser of [other, third]) expect(await isSignedIn(browser)).toBe(false);
    expect(await isSignedIn(ada)).toBe(true);
    expect(await listEndings(app)).toEqual(["others"]);
    expect(toastIn(await ada.post(page, { intent: "end-others" }))).toMatchObject({ tone: "info" });
  });

  test("everywhere ends this session too, with its cookie", async () => {
    const { app, ada, other } = await openTwoBrowsers();
    const done = await ada.post(page, { intent: "end-all" });
    expect([locationOf(done), done.headers.get("clear-site-data")]).toEqual(["/auth", '"storage"']);
    expect(ada.cookies.has(cookie)).toBe(false);
    expect(await isSignedIn(other)).toBe(false);
    expect(await listEndings(app)).toEqual(["all"]);
  });

  test("asks first who the user is, if that was long ago", async () => {
    const { app, ada, other, form } = await openTwoBrowsers();
    await proveAgo(app.services, 11);
    for (const intent of ["end", "end-others", "end-all"])
      expect(locationOf(await ada.post(page, { ...form, intent }))).toBe(
        "/account/verify?returnTo=%2Faccount%2Fsessions",
      );
    expect(await isSignedIn(other)).toBe(true);
  });
});

describe("a request that was under way when its session got a new token", () => {
  /** Ada, who proved who she is, and a client with the cookies of before. */
  async function openLate() {
    const app = await createTestApp();
    const ada = await app.signedIn();
    const late = copyBrowser(app, ada);
    await ada.post("/account/verify", { password: ada.password });
    return { app, ada, late };
  }

  test("is answered, without the new proof, and doesn't delete the new cookie", async () => {
    const { app, ada, late } = await openLate();
    const response = await late.get("/account");
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie().filter((line) => line.startsWith(cookie))).toEqual([]);
    expect(locationOf(await late.get("/account/delete"))).toContain("/account/verify");
    await app.services.db
      .updateTable("replaced_token")
      .set({ expires_at: Date.now() - 1 })
      .execute();
    expect(await isSignedIn(late)).toBe(false);
    expect(late.cookies.has(cookie)).toBe(false);
    expect(await isSignedIn(ada)).toBe(true);
  });

  test("by a new password is refused, also right after a proof, and doesn't delete the new cookie", async () => {
    const { app, ada, late: older } = await openLate();
    const late = copyBrowser(app, ada);
    const password = "another long word";
    await ada.post("/account", { intent: "change-password", current: ada.password, password, confirm: password });
    for (const browser of [late, older]) expect(await isSignedIn(browser)).toBe(false);
    expect(late.cookies.has(cookie)).toBe(true);
    expect(await isSignedIn(ada)).toBe(true);
  });

  test("can still sign out, and finds no session once that has ended", async () => {
    const { app, ada, late } = await openLate();
    const another = copyBrowser(app, late);
    await late.post("/auth/sign-out", {});
    for (const browser of [ada, another]) expect(await isSignedIn(browser)).toBe(false);
  });
});
