import { expect, test, vi } from "vitest";

import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

const page = "/account/security-log";

test("the owner sees what happened to their account, and no one else's", async () => {
  const app = await createTestApp();
  const ada = await app.signedIn();
  const bob = await app.signedIn("bob@example.com");
  expect(await (await ada.get(page)).text()).toContain("Nothing yet");
  await app.visitor().post("/auth", { intent: "log-in", email: ada.email, password: ada.password });
  const fields = { current: ada.password, password: "another long word", confirm: "another long word" };
  await ada.post("/account", { intent: "change-password", ...fields });
  const listed = await listItems(ada);
  expect(listed[0]).toMatch(/^Changed the password .*2\d{3}.* UTC · Safari on iOS, this network$/);
  expect(listed[1]).toMatch(/^Signed in Password .* · Safari on iOS, this network$/);
  expect(await listItems(bob)).toEqual([]);
  expect((await app.visitor().get(page)).headers.get("location")).toBe("/auth?returnTo=%2Faccount%2Fsecurity-log");
});

test("a wrong password is recorded for its account, at most 20 times a day", async () => {
  const app = await createTestApp();
  const ada = await app.signedIn();
  const ownerId = await userIdOf(ada);
  await app.visitor().post("/auth", { intent: "log-in", email: ada.email, password: "a guess" });
  await vi.waitFor(async () => expect(await countRefusals(app)).toBe(1));
  const rows = Array.from({ length: 19 }, (_, at) => eventRow(ownerId, at));
  await app.services.db.insertInto("security_event").values(rows).execute();
  for (const email of [ada.email, "no-one@example.com"])
    await app.visitor().post("/auth", { intent: "log-in", email, password: "a guess" });
  // Those writes are not waited for; this one comes after them.
  await ada.post("/account", { intent: "cancel-email" });
  await vi.waitFor(async () => expect((await listItems(ada)).length).toBe(20));
  expect(await countRefusals(app)).toBe(20);
  expect((await listItems(ada))[0]).toMatch(/^Wrong password at sign-in/);
});

test("older events are on further pages, each event once", async () => {
  const app = await createTestApp();
  const ada = await app.signedIn();
  const ownerId = await userIdOf(ada);
  // Many at the same time: the cursor has to tell them apart.
  const rows = Array.from({ length: 65 }, (_, at) => ({
    ...eventRow(ownerId, Math.floor(at / 40)),
    detail: `n${at};`,
  }));
  await app.services.db.insertInto("security_event").values(rows).execute();
  const found: string[] = [];
  for (let path: string | undefined = page; path;) {
    const html: string = await (await ada.get(path)).text();
    found.push(...[...html.matchAll(/>(n\d+;)</g)].map(([, detail = ""]) => detail));
    path = /href="([^"]*before=[^"]*)"/.exec(html)?.[1];
  }
  expect(new Set(found).size).toBe(65);
  expect(found.length).toBe(65);
  for (const cursor of ["x", "1_2", `${"9".repeat(40)}_x`, "%00"])
    expect((await ada.get(`${page}?before=${cursor}`)).status).toBe(200);
});

test("times are in the owner's time zone and way of writing, and a mail about a new browser can be switched off", async () => {
  const app = await createTestApp();
  const ada = await app.signedIn();
  const ownerId = await userIdOf(ada);
  const event = { ...eventRow(ownerId, 0), created_at: Date.UTC(2026, 6, 1, 22, 30) };
  await app.services.db.insertInto("security_event").values(event).execute();
  const saved = await ada.post("/account/preferences", { locale: "de-DE", timeZone: "Europe/Berlin" });
  expect(saved.headers.get("location")).toBe("/account/preferences");
  expect((await listItems(ada))[0]).toContain("2. Juli 2026, 00:30 MESZ");
  await app.visitor().post("/auth", { intent: "log-in", email: ada.email, password: ada.password });
  expect(await app.mails()).toEqual([]);
  await ada.post("/account/preferences", { mailsSignIns: "on", locale: "de-DE", timeZone: "Europe/Berlin" });
  await app.visitor().post("/auth", { intent: "log-in", email: ada.email, password: ada.password });
  const [mail, ...others] = await app.mails();
  expect([mail?.subject, others]).toEqual(["New sign-in to your Meishi account", []]);
  expect(mail?.text).toMatch(/, \d{1,2}\. \S+ \d{4}, \d\d:\d\d MES?Z\n/);
});

test("unknown preferences are refused", async () => {
  const app = await createTestApp();
  const ada = await app.signedIn();
  const good = { locale: "", timeZone: "" };
  for (const bad of [{ locale: "xx" }, { timeZone: "Mars/Olympus" }, { locale: "__proto__" }])
    expect((await ada.post("/account/preferences", { ...good, ...bad })).status).toBe(400);
});

test("a time zone under the name that a browser still uses is saved and shown under today's name", async () => {
  const app = await createTestApp();
  const ada = await app.signedIn();
  const saved = await ada.post("/account/preferences", { locale: "", timeZone: "Asia/Calcutta" });
  expect(saved.status).toBe(302);
  const html = await (await ada.get("/account/preferences")).text();
  expect(html).toContain('value="Asia/Kolkata" selected');
  expect(html).not.toContain("Calcutta");
});

type TestUser = Awaited<ReturnType<TestApp["signedIn"]>>;

/** The list on the page, as text. */
async function listItems(user: TestUser): Promise<string[]> {
  const html = await (await user.get(page)).text();
  const items = [...html.matchAll(/<li class="grid gap-1 py-4">([^]*?)<\/li>/g)];
  return items.map(([, item = ""]) =>
    item
      .replaceAll(/<[^>]+>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}

function eventRow(ownerId: string, age: number) {
  const words = { event: "sign-in-refused", detail: "", browser: "", network: "" };
  return { id: crypto.randomUUID(), owner_id: ownerId, created_at: Date.now() - 60_000 - age, ...words };
}

async function countRefusals({ services }: TestApp): Promise<number> {
  const rows = await services.db
    .selectFrom("security_event")
    .select("id")
    .where("event", "=", "sign-in-refused")
    .execute();
  return rows.length;
}
