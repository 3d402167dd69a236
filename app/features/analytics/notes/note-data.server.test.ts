import { expect, test } from "vitest";

import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { insertUser } from "#tests/support/database/seed.ts";

import { addNote, listNotes } from "./note-data.server.ts";
import { maxNotesPerDay } from "./note-schema.ts";

const note = { ownerId: "ada", day: 20_780, text: "Trade fair", now: 1 };

describeOnEachDatabase("notes on days", (makeDb, engine) => {
  test("are stored once each, also from windows at the same time, up to the most of a day", async () => {
    const db = await makeDb();
    await insertUser(db, engine, "ada");
    const texts = Array.from({ length: maxNotesPerDay + 1 }, (_, n) => `Note ${n}`);
    const results = await Promise.all([...texts, ...texts].map((text) => addNote(db, { ...note, text })));
    expect(new Set(results)).toEqual(new Set(["added", "full"]));
    const stored = (await listNotes(db, { ownerId: "ada" })).map(({ text }) => text);
    expect(stored).toHaveLength(maxNotesPerDay);
    expect(new Set(stored).size).toBe(maxNotesPerDay);
  });

  test("of an account that was deleted a moment ago aren't stored", async () => {
    const db = await makeDb();
    await insertUser(db, engine, "eve");
    expect(await addNote(db, note)).toBe("gone");
    expect(await listNotes(db, { ownerId: "ada" })).toEqual([]);
  });
});
