import { expect, test } from "vitest";

import { isSameNotes, mergeNotes } from "./notes-rules.ts";
import type { LeadNotes } from "./notes-rules.ts";

const base: LeadNotes = { status: "new", ownerNote: "", followUp: "", tags: ["Fair", "Berlin"] };

test("notes that two windows changed in different fields have both changes", () => {
  const mine: LeadNotes = { ...base, ownerNote: "Call her", tags: ["Fair", "Hot"] };
  const other: LeadNotes = { ...base, status: "contacted", followUp: "2026-12-01", tags: ["Fair", "Berlin", "Java"] };
  expect(mergeNotes({ base, mine, other })).toEqual({
    notes: { status: "contacted", ownerNote: "Call her", followUp: "2026-12-01", tags: ["Fair", "Java", "Hot"] },
    conflicts: [],
  });
});

test("a field that both changed keeps what was typed, and is named", () => {
  const mine: LeadNotes = { ...base, ownerNote: "Call her" };
  const other: LeadNotes = { ...base, ownerNote: "Sent the deck" };
  const { notes, conflicts } = mergeNotes({ base, mine, other });
  expect({ note: notes.ownerNote, conflicts }).toEqual({ note: "Call her", conflicts: ["ownerNote"] });
  expect(mergeNotes({ base, mine, other: mine }).conflicts).toEqual([]);
});

test.each([[undefined], ["text"], [{ tags: "Fair" }]])("a made-up base loses nothing: %j", (made) => {
  const other: LeadNotes = { ...base, ownerNote: "Sent the deck", tags: ["Java"] };
  const { notes, conflicts } = mergeNotes({ base: made, mine: base, other });
  expect({ tags: notes.tags, conflicts }).toEqual({ tags: ["Java", "Fair", "Berlin"], conflicts: ["ownerNote"] });
});

test("notes are unsaved once they would be stored differently", () => {
  const stored: LeadNotes = { ...base, ownerNote: "Call her" };
  const typed = { status: "new", ownerNote: "Call her", followUp: "", tags: "Fair, Berlin" };
  expect(isSameNotes(typed, stored)).toBe(true);
  expect(isSameNotes({ ...typed, ownerNote: "Call her \n", tags: "berlin,, Fair" }, stored)).toBe(true);
  for (const change of [{ status: "won" }, { ownerNote: "" }, { followUp: "2026-12-01" }, { tags: "Fair" }])
    expect(isSameNotes({ ...typed, ...change }, stored)).toBe(false);
});
