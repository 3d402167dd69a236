import { describe, expect, test } from "vitest";

import type { CountEvent } from "#app/services/http/context.ts";
import { makeCard } from "#tests/support/app/cards.ts";

import { msPerDay, openAnalytics as open, textOf } from "./owner.ts";

describe("/analytics with filters", () => {
  async function openFiltered() {
    const app = await open({ env: { COUNTRY_HEADER: "CF-IPCountry", TRUSTED_PROXY: "127.0.0.1" } });
    const { ada, id, visitor } = app;
    const card = await makeCard(ada, { card_name: "Engines" });
    const headers = { "cf-ipcountry": "JP" };
    for (let n = 0; n < 3; n++) await visitor().get(`/card/${card}?q`, headers);
    await visitor().get(`/card/${card}`, { ...headers, referer: "https://news.example/" });
    await visitor().get(`/u/${id}?q`);
    for (const source of ["qr", ""] as const) await app.count(1, { kind: "click", source, target: "mine" });
    const read = (query: string) => app.read(`/analytics?${query}`);
    const countLead = (source: CountEvent["source"]) =>
      app.count(1, { subject: `card:${card}`, kind: "lead", source, target: card });
    return { ...app, card, read, countLead };
  }

  test("list where leads came from, with the share of the visits, also without a visit", async () => {
    const { read, countLead } = await openFiltered();
    await countLead("qr");
    const leads = await read("show=leads");
    for (const shown of [/Page Of visits Leads Only Engines 25% 1 Only Profile 0% 0 /, /Only QR code 25% 1 Only /])
      expect(leads).toMatch(shown);
    expect(await read("show=clicks")).toMatch(/Source Of visits Clicks Only QR code 25% 1 Only Direct or unknown – 1 /);
    for (const source of ["kiosk", "scan", "hand"] as const) await countLead(source);
    const page = await read("");
    expect(page).toMatch(/Leads 4 20% of visits, and 3 in person/);
    expect(page).toMatch(/Only Engines 0% 4 /);
    expect(page).not.toContain("Only Kiosk");
    // How many of the card's leads came without a visit isn't counted per page.
    const all = await read("show=leads");
    expect(all).toMatch(/Page Leads Only Engines 4 .*Only QR code 25% 1 /);
    for (const source of ["Kiosk", "Paper card", "Added by hand"]) expect(all).toContain(`Only ${source} – 1 `);
    expect(all).not.toMatch(/Devices|Countries/);
    expect(await read("source=hand")).toMatch(/Remove filter: Added by hand .*Leads 1 /);
  });

  test("show metrics, chart and lists of one page, link or source, before and after the roll-up alike", async () => {
    const { card, read, rollUp } = await openFiltered();
    for (let round = 0; round < 2; round++) {
      const page = await read(`card=${card}`);
      for (const shown of [/Visits 4 /, /Only QR code 0% 3 /, /Only news\.example 0% 1 /, /Japan 4 /, /Filters \(1\)/])
        expect(page).toMatch(shown);
      expect(page).not.toContain("When people visit");
      const source = await read("source=qr");
      for (const shown of [/Visits 4 /, /Only Engines 0% 3 /, /Only Profile 0% 1 /, /Only My shop 1 /])
        expect(source).toMatch(shown);
      const link = await read("link=mine&show=visits");
      for (const shown of [/Link clicks 2 /, /Only QR code 1 /, /Only Direct or unknown 1 /])
        expect(link).toMatch(shown);
      expect(link).not.toMatch(/Visits \d/);
      expect(await read(`card=profile&source=qr`)).toMatch(
        /Visits 1 .*Link clicks 1 .*No lists for this choice.*one filter at a time. Only .*Only QR code All visits/,
      );
      expect(await read("link=mine&source=direct")).toMatch(/Link clicks 1 /);
      expect(await read("link=mine&card=profile")).toMatch(/Link clicks 2 /);
      await rollUp();
    }
  });

  test("say when nothing matches, and when they aren't counted together, and can be removed", async () => {
    const { ada, card, read } = await openFiltered();
    for (const query of [
      `card=${card}&link=mine`,
      "card=nobody",
      "source=%00",
      "link=__proto__",
      "source=__proto__",
      "source=constructor",
      `link=${"x".repeat(999)}`,
      // The limit is in the middle of the last character.
      `source=${"x".repeat(119)}%F0%9F%98%80`,
    ]) {
      const text = await read(query);
      expect(text, query).toContain("Nothing matches this filter");
      expect(text, query).not.toMatch(/Visits \d/);
    }
    expect(await read(`card=${card}&link=mine&source=qr`)).toContain("These filters aren’t counted together");
    const page = await (await ada.get(`/analytics?range=7&card=${card}&source=qr`)).text();
    expect(page).toContain(`href="/analytics?range=7&amp;source=qr&amp;show=visits"`);
    expect(page).toContain(`href="/analytics?range=90&amp;show=visits&amp;card=${card}&amp;source=qr"`);
  });

  test("say that a visitor of two pages is counted on the first one of the day", async () => {
    const { id, card, visitor, services, read } = await openFiltered();
    const desktop = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" };
    const before = /Visitors (\d+)/.exec(await read(`card=${card}`))?.[1];
    await visitor().get(`/u/${id}`, desktop);
    await visitor().get(`/card/${card}`, desktop);
    await services.counter.flush();
    const text = await read(`card=${card}`);
    expect(text).toMatch(new RegExp(`Visitors ${before} Each person counted where they came first that day`));
    expect(await read("")).toContain("Unique people per day (estimate)");
  });

  test("apply to exports, which name them", async () => {
    const { ada, card } = await openFiltered();
    const csv = await ada.get(`/analytics/export?range=7&format=csv&card=${card}`);
    expect(csv.headers.get("content-disposition")).toContain('"analytics 2026-11-17 to 2026-11-23 Engines.csv"');
    const lines = (await csv.text()).split("\r\n");
    expect(lines).toContain("day,2026-11-23,,4,1,0,0,0,0,3");
    expect(lines).toContain("source,qr,QR code,3,1,0,0,0,0,");
    const ofSource = await (await ada.get("/analytics/export?range=7&source=qr")).text();
    expect(ofSource).toContain("day,2026-11-23,,4,1,0,1,0,0,\r\n");
    expect(lines.filter((line) => line.startsWith("hour"))).toEqual([]);
    const json: unknown = await (await ada.get(`/analytics/export?range=7&format=json&source=qr`)).json();
    expect(json).toMatchObject({ filters: [{ by: "source", value: "qr", name: "QR code" }] });
    const refused = await ada.get(`/analytics/export?card=${card}&link=mine&source=qr`);
    expect(refused.headers.get("location")).toContain("/analytics?card=");
  });
});

describe("notes on days", () => {
  async function openNotes() {
    const app = await open();
    await app.count(1);
    const add = (day: string, text: string) => app.ada.post("/analytics?range=7", { intent: "add-note", day, text });
    const read = (path = "/analytics?range=7") => app.read(path);
    return { ...app, add, read };
  }

  test("are in the chart, the table, the list and both exports, and are changed and deleted", async () => {
    const { ada, id, services, add, read } = await openNotes();
    const added = await add("2026-11-20", " Trade\u202e fair ");
    expect(added.headers.get("location")).toBe("/analytics?range=7");
    // Sent twice.
    await add("2026-11-20", "Trade fair");
    await add("2026-11-21", "=1+1");
    const page = await (await ada.get("/analytics?range=7")).text();
    expect(page).toContain("<title>Fri, Nov 20, 2026: 0, 0 before. Trade fair</title>");
    expect(textOf(page)).toMatch(/Fri, Nov 20, 2026 Trade fair Change .* Fri, Nov 20, 2026 Trade fair 0 0 0 0/);
    expect(await read("/analytics?range=12m")).toContain("Nov 20: Trade fair");
    expect(await read("/analytics?range=own&from=2026-11-01&to=2026-11-19")).not.toContain("Trade fair");
    const csv = await (await ada.get("/analytics/export?range=7&format=csv")).text();
    expect(csv.split("\r\n").filter((line) => line.startsWith("note"))).toEqual([
      "note,2026-11-20,Trade fair,,,,,,,",
      `note,2026-11-21,"'=1+1",,,,,,,`,
    ]);
    const json: unknown = await (await ada.get("/analytics/export?range=7&format=json")).json();
    expect(json).toHaveProperty("notes", [
      { day: "2026-11-20", text: "Trade fair" },
      { day: "2026-11-21", text: "=1+1" },
    ]);
    const noteId = `${Date.parse("2026-11-20") / msPerDay}-0`;
    await ada.post("/analytics", { intent: "save-note", id: noteId, text: "Book fair" });
    expect(await read()).toContain("Book fair");
    await ada.post("/analytics", { intent: "delete-note", id: noteId });
    for (const text of ["Trade fair", "Book fair"]) expect(await read()).not.toContain(text);
    const gone = await ada.post("/analytics", { intent: "save-note", id: noteId, text: "Book fair" });
    expect(await gone.text()).not.toContain("Note saved");
    expect(await services.db.selectFrom("day_note").select("text").where("owner_id", "=", id).execute()).toEqual([
      { text: "=1+1" },
    ]);
  });

  test("on a day outside of the period say so, and impossible ones are refused with everything typed", async () => {
    const { add, read } = await openNotes();
    const outside = "isn’t in this period";
    await add("2026-11-20", "Trade fair");
    expect(await read()).not.toContain(outside);
    for (const day of ["2026-11-16", "2026-12-24"]) {
      await add(day, "Open day");
      expect(await read()).toContain(outside);
    }
    for (const [day, text, message] of [
      ["2026-02-30", "Fair", "Enter a date, as in 2026-11-23."],
      ["1999-01-01", "Fair", "Choose a day between 2020 and a year from now."],
      ["2026-11-20", " \u0000\n ", "Enter a note."],
      ["2026-11-20", "x".repeat(81), "Use at most 80 characters."],
    ] as const) {
      const page = await (await add(day, text)).text();
      for (const shown of [message, `value="${day}"`]) expect(page).toContain(shown);
      if (text.trim() === text) expect(page).toContain(`value="${text}"`);
    }
  });

  test("are at most three on a day, also from many windows, and belong to their owner", async () => {
    const { ada, id, services, add, signedIn } = await openNotes();
    await Promise.all(Array.from({ length: 10 }, (_, n) => add("2026-11-20", `Note ${n}`)));
    const stored = () => services.db.selectFrom("day_note").selectAll().where("owner_id", "=", id).execute();
    expect(await stored()).toHaveLength(3);
    expect(await (await add("2026-11-20", "One more")).text()).toContain("This day already has 3 notes.");
    const grace = await signedIn("grace@example.com");
    const noteId = `${Date.parse("2026-11-20") / msPerDay}-0`;
    await grace.post("/analytics", { intent: "delete-note", id: noteId });
    await grace.post("/analytics", { intent: "save-note", id: noteId, text: "Not mine" });
    expect((await stored()).filter(({ text }) => text.startsWith("Note "))).toHaveLength(3);
    expect((await ada.post("/analytics", { intent: "save-note", id: "1" })).status).toBe(400);
    expect((await ada.post("/analytics", { intent: "x", id: noteId })).status).toBe(400);
  });
});
