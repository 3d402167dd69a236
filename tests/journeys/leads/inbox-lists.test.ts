import { expect, test } from "vitest";

import { noon, openOwner } from "#tests/journeys/leads/lead-owner.ts";
import { fieldValue } from "#tests/support/app/cards.ts";

async function open() {
  const owner = await openOwner();
  const choosePlace = (timeZone: string) =>
    owner.ada.post("/account/preferences", { mailsSignIns: "on", locale: "", timeZone });
  /** The names in a list, from the top. */
  const find = async (path: string) =>
    [...(await owner.read(path)).matchAll(/"Select Guest ([\w-]+)"/g)].map(([, name]) => name);
  return { ...owner, choosePlace, find };
}

test("a company from right to left changes neither where its line starts nor the order in it", async () => {
  const { share, read } = await open();
  await share({ name: "Layla", company: "شركة", email: "layla@example.com" });
  expect(await read("/leads")).toContain("\u2068شركة\u2069 · \u2068layla@example.com\u2069");
});

test("days of a filter are those of the owner's time zone", async () => {
  const { choosePlace, share, find } = await open();
  await choosePlace("Pacific/Auckland");
  // 00:30 on the 24th in Auckland.
  await share({ id: "late", created_at: Date.UTC(2026, 10, 23, 11, 30) });
  await share({ id: "early", created_at: Date.UTC(2026, 10, 23, 10, 30) });
  expect(await find("/leads?from=2026-11-24")).toEqual(["late"]);
  expect(await find("/leads?to=2026-11-23")).toEqual(["early"]);
  expect(await find("/leads?from=2026-11-23&to=2026-11-24")).toEqual(["late", "early"]);
});

test("active filters are listed as links that each remove one", async () => {
  const { share, read } = await open();
  await share({ status: "won" });
  const html = await read("/leads?q=guest&status=won&source=direct");
  for (const rest of ["q=guest&amp;source=direct", "q=guest&amp;status=won"])
    expect(html).toContain(`href="/leads?${rest}"`);
  // Open, the choices would be above the list.
  expect(html).not.toMatch(/<details[^>]* open/);
});

test("the number of unread leads links to them, and due follow-ups are those of the owner's day", async () => {
  const { choosePlace, share, find, read } = await open();
  await choosePlace("Pacific/Auckland");
  await share({ id: "new" });
  // It is the 24th in Auckland.
  await share({ id: "due", read_at: noon, follow_up: "2026-11-24" });
  const link = /<a href="([^"]+)"[^>]*>1 unread</.exec(await read("/leads"))?.[1] ?? "";
  expect(await find(link)).toEqual(["new"]);
  expect(await find("/leads?show=due")).toEqual(["due"]);
  expect(await read("/leads?show=due")).toMatch(/Remove filter: <\/span><bdi[^>]*>Follow-up due</);
  const csv = await read("/leads/export.csv?show=due");
  expect([csv.includes("Guest due"), csv.includes("Guest new")]).toEqual([true, false]);
});

test("pages follow each other without gaps, and what is done on a later one leads back to it with its filter", async () => {
  const { ada, shareMany, find, read } = await open();
  const names = Array.from({ length: 55 }, (_, n) => `Guest many-${n}`);
  await shareMany(names.map((name, n) => ({ name, created_at: noon + n, source: "qr" })));
  const older =
    /href="([^"]+)"[^>]*rel="next"/.exec(await read("/leads?source=qr"))?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect([...(await find("/leads?source=qr")), ...(await find(older))]).toEqual(
    Array.from({ length: 55 }, (_, n) => `many-${54 - n}`),
  );
  const page = await read(older);
  const back = fieldValue(page, "back").replaceAll("&amp;", "&");
  const tagged = await ada.post("/leads", { intent: "tag", tag: "Fair", id: "many-0", back });
  expect(tagged.headers.get("location")).toBe(older);
  const deleted = await ada.post("/leads", { intent: "delete", id: "many-0", back });
  expect(deleted.headers.get("location")).toMatch(/^\/leads\?source=qr&before=[^&]+&undo=\d+$/);
  const path = /href="(\/leads\/many-1\?[^"]+)"/.exec(page)?.[1] ?? "";
  expect(await read(path)).toContain(`href="${older.replaceAll("&", "&amp;")}"`);
  const saved = await ada.post(path, { intent: "save", status: "won", followUp: "", tags: "", ownerNote: "" });
  expect(saved.headers.get("location")).toBe(path);
  expect((await ada.post(path, { intent: "unread" })).headers.get("location")).toBe(older);
  expect((await ada.post(path, { intent: "delete" })).headers.get("location")).toMatch(/source=qr&before=[^&]+&undo=/);
  // Another page than the inbox is no list.
  expect(await read("/leads/many-2?list=//evil.example")).not.toMatch(/href="[^"]*evil/);
});
