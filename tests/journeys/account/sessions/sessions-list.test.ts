import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { makePremium, profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { readElements, toastIn, visibleText } from "#tests/support/app/responses.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { copyBrowser, isSignedIn, locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import { followEvents } from "#tests/support/browser/event-stream.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { proveAgo, selectAll } from "#tests/support/database/account-rows.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";

const page = "/account/sessions";
const cookie = "meishi.session_token";
const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0";

/** Ada in the browser that the database starts with, and in Firefox on Windows. */
async function openTwoBrowsers() {
  const { ada, ...app } = await createSignedInApp();
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
  const rows = await selectAll<{ id: string; browser: string | null }>(services, "session");
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
    const { ada, ...app } = await createSignedInApp();
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
    const change = { expires_at: Date.now() - 1 };
    await app.services.db.updateTable("replaced_token").set(change).execute();
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

const cardsOf = ({ events }: { events: { data: Record<string, string> }[] }) =>
  events.flatMap(({ data }) => data["cardId"] ?? []);

/** Two nodes with the same secrets. `ada` and `bob` are signed in on the first. */
async function openNodes() {
  const { databaseUrl: DATABASE_URL = "" } = await makeDatabase("postgres");
  let ahead = 0;
  const clock = () => Date.now() + ahead;
  const first = await createTestApp({ clock, env: { DATABASE_URL } });
  const DATA_DIR = mkdtempSync(join(tmpdir(), "meishi-node-"));
  cleanUpAfterTest(() => rmSync(DATA_DIR, { recursive: true, force: true }));
  copyFileSync(join(first.dataDir, "secrets.json"), join(DATA_DIR, "secrets.json"));
  const second = await createTestApp({ clock, env: { DATABASE_URL, DATA_DIR } });
  const [ada, bob] = [await first.signedIn("ada@example.com"), await first.signedIn("bob@example.com")];
  /** Ada in another browser, signed in on the second node. */
  const phone = second.visitor();
  await logIn(phone, ada);
  expect(await isSignedIn(phone)).toBe(true);
  return { first, second, ada, bob, phone, waitAMinute: () => void (ahead += 60_000) };
}

describe.runIf(listEngines().includes("postgres"))("on two nodes with one PostgreSQL", () => {
  test("a session that ended on one is refused by the other at once, and so is its stream of events", async () => {
    const { ada, phone, first, second } = await openNodes();
    const onFirst = copyBrowser(first, phone);
    expect(await isSignedIn(onFirst)).toBe(true);
    expect((await ada.post("/account/sessions", { intent: "end-others" })).status).toBe(302);
    for (const browser of [phone, onFirst]) expect(await isSignedIn(browser)).toBe(false);
    const desktop = copyBrowser(second, ada);
    expect(await isSignedIn(desktop)).toBe(true);
    const there = await followEvents(desktop);
    await ada.post("/auth/sign-out", {});
    expect(await isSignedIn(desktop)).toBe(false);
    expect(await there.ended).toBe(true);
  });

  test("live events reach the owner's connections on both, and only the owner's", async () => {
    const { ada, bob, first, second } = await openNodes();
    const [adaId, bobId] = [await userIdOf(ada), await userIdOf(bob)];
    const [here, there] = [await followEvents(ada), await followEvents(copyBrowser(second, ada))];
    const ofBob = await followEvents(copyBrowser(second, bob));
    const cardId = await makeCard(ada);
    first.services.live.publish(adaId, { kind: "pass.updated", data: { cardId } });
    for (const stream of [here, there]) {
      await stream.waitFor("card.saved");
      await stream.waitFor("pass.updated");
      expect(cardsOf(stream)).toEqual([cardId, cardId]);
    }
    await first.visitor().get(`/u/${adaId}`);
    await there.waitFor("visit");
    await makePremium(second.services, bobId);
    await ofBob.waitFor("plan.changed");
    expect(ofBob.kinds()).toEqual(["plan.changed"]);
  });

  test("live events are replayed by the other node when a connection broke, none lost", async () => {
    const { ada, second, waitAMinute } = await openNodes();
    // Both have been running for longer than the replay reaches back.
    waitAMinute();
    const here = await followEvents(ada);
    await ada.post("/profile", profileForm({ version: "1", bio: "Seen" }));
    await here.waitFor("profile.saved");
    await here.cancel();
    const cardId = await makeCard(ada);
    const there = await followEvents(copyBrowser(second, ada), { "last-event-id": here.lastEventId() });
    // What the other node receives a moment later is sent then.
    await there.waitFor("card.saved");
    expect([cardsOf(there), there.kinds().includes("reload")]).toEqual([[cardId], false]);
  });
});

test("every page of a signed-in user has a button to sign out", async () => {
  const { ada } = await createSignedInApp();
  const paths = ["/profile", "/cards/edit", "/account", "/account/sessions", "/account/security-log", "/pricing"];
  for (const path of [...paths, "/account/preferences", "/account/export", "/share/profile", "/account/verify"]) {
    const forms = readElements(await (await ada.get(path)).text()).filter(({ tag }) => tag === "form");
    expect(
      forms.map(({ attributes }) => attributes["action"]),
      path,
    ).toContain("/auth/sign-out");
  }
});
