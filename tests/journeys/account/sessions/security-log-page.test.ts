import { expect, test } from "vitest";

import { userIdOf } from "#tests/support/app/profiles.ts";
import { visibleText } from "#tests/support/app/responses.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";
import { locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

const page = "/account/security-log";
const preferences = "/account/preferences";

const readLog = async (user: Pick<Visitor, "get">) => visibleText(await readPage(user, page));

function eventRow(owner_id: string, created_at: number, detail = "") {
  return { id: crypto.randomUUID(), owner_id, created_at, event: "sign-in-refused", detail, browser: "", network: "" };
}

test("the owner sees what happened to their account, and no one else's", async () => {
  const { ada, signedIn, visitor } = await createSignedInApp();
  const bob = await signedIn("bob@example.com");
  expect(await readLog(ada)).toContain("Nothing yet");
  await logIn(visitor(), ada);
  const password = "another long word";
  await ada.post("/account", { intent: "change-password", current: ada.password, password, confirm: password });
  await logIn(visitor(), { ...ada, password: "a guess" });
  // The response doesn't wait for its event.
  await expect.poll(() => readLog(ada)).toContain("Wrong password at sign-in");
  expect(await readLog(ada)).toMatch(
    /Wrong password at sign-in .*Changed the password .*2\d{3}.* UTC · Safari on iOS, this network Signed in Password .* · Safari on iOS, this network/,
  );
  expect(await readLog(bob)).toContain("Nothing yet");
  expect(locationOf(await visitor().get(page))).toBe("/auth?returnTo=%2Faccount%2Fsecurity-log");
});

test("older events are on further pages, each event once", async () => {
  const { ada, services } = await createSignedInApp();
  const ownerId = await userIdOf(ada);
  // Many at the same time: the cursor has to tell them apart.
  const rows = Array.from({ length: 65 }, (_, at) => eventRow(ownerId, Date.now() - Math.floor(at / 40), `n${at};`));
  await services.db.insertInto("security_event").values(rows).execute();
  const found: string[] = [];
  for (let path: string | undefined = page; path;) {
    const html: string = await readPage(ada, path);
    found.push(...[...html.matchAll(/>(n\d+;)</g)].map(([, detail = ""]) => detail));
    path = /href="([^"]*before=[^"]*)"/.exec(html)?.[1];
  }
  expect(new Set(found).size).toBe(65);
  expect(found.length).toBe(65);
  for (const cursor of ["x", "1_2", `${"9".repeat(40)}_x`, "%00"])
    expect((await ada.get(`${page}?before=${cursor}`)).status).toBe(200);
});

test("times are in the owner's time zone and way of writing, and a mail about a new browser can be switched off", async () => {
  const { ada, services, visitor, mails } = await createSignedInApp();
  const event = eventRow(await userIdOf(ada), Date.UTC(2026, 6, 1, 22, 30));
  await services.db.insertInto("security_event").values(event).execute();
  const german = { locale: "de-DE", timeZone: "Europe/Berlin" };
  expect(locationOf(await ada.post(preferences, german))).toBe(preferences);
  expect(await readLog(ada)).toContain("2. Juli 2026, 00:30 MESZ");
  await logIn(visitor(), ada);
  expect(await mails()).toEqual([]);
  await ada.post(preferences, { mailsSignIns: "on", ...german });
  await logIn(visitor(), ada);
  const [mail, ...others] = await mails();
  expect([mail?.subject, others]).toEqual(["New sign-in to your Meishi account", []]);
  expect(mail?.text).toMatch(/, \d{1,2}\. \S+ \d{4}, \d\d:\d\d MES?Z\n/);
});

test("unknown preferences are refused, and the name of a time zone that a browser still uses becomes today's", async () => {
  const { ada } = await createSignedInApp();
  const good = { locale: "", timeZone: "" };
  for (const bad of [{ locale: "xx" }, { timeZone: "Mars/Olympus" }, { locale: "__proto__" }])
    expect((await ada.post(preferences, { ...good, ...bad })).status).toBe(400);
  expect((await ada.post(preferences, { ...good, timeZone: "Asia/Calcutta" })).status).toBe(302);
  const html = await readPage(ada, preferences);
  expect(html).toContain('value="Asia/Kolkata" selected');
  expect(html).not.toContain("Calcutta");
});
