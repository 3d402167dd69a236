import { describe, expect, test } from "vitest";

import { msPerDay, openAnalytics as open, textOf } from "./owner.ts";

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
    const outside = "isn&#x27;t in this period";
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
