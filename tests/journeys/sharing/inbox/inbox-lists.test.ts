import { expect, test } from "vitest";

import { fieldValue } from "#tests/support/app/cards.ts";
import { openLeadForm } from "#tests/journeys/sharing/leads/shared-contacts.ts";

import { noon, openInbox, readPage } from "./inbox-owner.ts";

test("a company from right to left changes neither where its line starts nor the order in it", async () => {
  const { ada, share } = await openInbox();
  await share("one", { name: "Layla", company: "شركة", email: "layla@example.com" });
  expect(await readPage(ada.get("/leads"))).toContain("\u2068شركة\u2069 · \u2068layla@example.com\u2069");
});

test("days of a filter are those of the owner's time zone", async () => {
  const { ada, share } = await openInbox();
  await ada.post("/account/preferences", { mailsSignIns: "on", locale: "", timeZone: "Pacific/Auckland" });
  // 00:30 on the 24th in Auckland.
  await share("late", { name: "Late", created_at: Date.UTC(2026, 10, 23, 11, 30) });
  await share("early", { name: "Early", created_at: Date.UTC(2026, 10, 23, 10, 30) });
  const found = async (query: string) => {
    const html = await readPage(ada.get(`/leads?${query}`));
    return ["Late", "Early"].filter((name) => html.includes(`Select ${name}`));
  };
  expect(await found("from=2026-11-24")).toEqual(["Late"]);
  expect(await found("to=2026-11-23")).toEqual(["Early"]);
  expect(await found("from=2026-11-23&to=2026-11-24")).toEqual(["Late", "Early"]);
});

test("active filters are listed as links that each remove one", async () => {
  const { ada, share } = await openInbox();
  await share("one", { name: "Grace", status: "won" });
  const html = await readPage(ada.get("/leads?q=grace&status=won&source=direct"));
  expect(html).toContain('href="/leads?q=grace&amp;source=direct"');
  expect(html).toContain('href="/leads?q=grace&amp;status=won"');
  // Open, the choices would be above the list.
  expect(html).not.toMatch(/<details[^>]* open/);
});

test("the number of unread leads links to them, and due follow-ups are those of the owner's day", async () => {
  const { ada, share } = await openInbox();
  await ada.post("/account/preferences", { mailsSignIns: "on", locale: "", timeZone: "Pacific/Auckland" });
  await share("new", { name: "Eda" });
  // It is the 24th in Auckland.
  await share("due", { name: "Grace", read_at: noon, follow_up: "2026-11-24" });
  const found = async (path: string) =>
    [...(await readPage(ada.get(path))).matchAll(/Select (Eda|Grace)"/g)].map(([, name]) => name);
  const link = /<a href="([^"]+)"[^>]*>1 unread</.exec(await readPage(ada.get("/leads")))?.[1] ?? "";
  expect(await found(link)).toEqual(["Eda"]);
  expect(await found("/leads?show=due")).toEqual(["Grace"]);
  expect(await readPage(ada.get("/leads?show=due"))).toMatch(/Remove filter: <\/span><bdi[^>]*>Follow-up due</);
  const csv = await readPage(ada.get("/leads/export.csv?show=due"));
  expect([csv.includes("Grace"), csv.includes("Eda")]).toEqual([true, false]);
});

test("a search ignores case and accents and finds tags, in the list and in exports, until the lead is deleted", async () => {
  const { ada, grace, path, fill, leads } = await openLeadForm();
  await grace.post(`${path}/connect`, { ...(await fill()), name: "Jörg MÜLLER" });
  const id = (await leads())[0]?.id ?? "";
  await ada.post("/leads", { intent: "tag", tag: "Größe L", id, back: "" });
  const found = async (search: string) => {
    const query = `?q=${encodeURIComponent(search)}`;
    const pages = await Promise.all(["/leads", "/leads/export.csv"].map((page) => readPage(ada.get(page + query))));
    return pages.map((page) => page.includes("Jörg MÜLLER"));
  };
  for (const search of ["jorg muller", "Müller", "grosse"]) expect(await found(search)).toEqual([true, true]);
  expect(await found("mullers")).toEqual([false, false]);
  await ada.post("/leads", { intent: "delete", id, back: "?q=muller" });
  expect(await found("muller")).toEqual([false, false]);
});

test("pages follow each other without gaps, with the filter in their address", async () => {
  const { ada, share } = await openInbox();
  for (let n = 0; n < 52; n++) await share(`lead-${n}`, { name: `Visitor ${n}`, created_at: noon + n, source: "qr" });
  const first = await readPage(ada.get("/leads?source=qr"));
  const older = /href="([^"]+)"[^>]*rel="next"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(older).toContain("source=qr");
  const second = await readPage(ada.get(older));
  const names = (html: string) => [...html.matchAll(/Select (Visitor \d+)"/g)].map(([, name]) => name);
  expect([...names(first), ...names(second)]).toEqual(Array.from({ length: 52 }, (_, n) => `Visitor ${51 - n}`));
});

test("what is done on a later page of a filtered list, or with a lead opened from it, leads back to that page", async () => {
  const { ada, share } = await openInbox();
  for (let n = 0; n < 55; n++) await share(`lead-${n}`, { name: `Visitor ${n}`, created_at: noon + n, source: "qr" });
  const first = await readPage(ada.get("/leads?source=qr"));
  const older = /href="([^"]+)"[^>]*rel="next"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const page = await readPage(ada.get(older));
  const back = fieldValue(page, "back").replaceAll("&amp;", "&");
  const tagged = await ada.post("/leads", { intent: "tag", tag: "Fair", id: "lead-0", back });
  expect(tagged.headers.get("location")).toBe(older);
  const deleted = await ada.post("/leads", { intent: "delete", id: "lead-0", back });
  expect(deleted.headers.get("location")).toMatch(/^\/leads\?source=qr&before=[^&]+&undo=\d+$/);
  const path = /href="(\/leads\/lead-1\?[^"]+)"/.exec(page)?.[1] ?? "";
  expect(await readPage(ada.get(path))).toContain(`href="${older.replaceAll("&", "&amp;")}"`);
  const saved = await ada.post(path, { intent: "save", status: "won", followUp: "", tags: "", ownerNote: "" });
  expect(saved.headers.get("location")).toBe(path);
  expect((await ada.post(path, { intent: "unread" })).headers.get("location")).toBe(older);
  expect((await ada.post(path, { intent: "delete" })).headers.get("location")).toMatch(/source=qr&before=[^&]+&undo=/);
  // Another page than the inbox is no list.
  expect(await readPage(ada.get("/leads/lead-2?list=//evil.example"))).not.toMatch(/href="[^"]*evil/);
});
