import { expect, test } from "vitest";

import { eraseLeads, withdrawConsent } from "#app/features/leads/data.server.ts";
import type { LeadDetails } from "#app/features/leads/schema.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { openLeadStore } from "#tests/support/database/leads.ts";
import { timeInScans } from "#tests/support/measurements.ts";

import { readFilter } from "./filter-schema.ts";
import { listInbox } from "./inbox-data.server.ts";
import { saveLeadNotes, tagLeads } from "./lead-data.server.ts";
import { mergeLeads, separateLead } from "./merge/merge-data.server.ts";

const ownerId = "ada";
const dayMs = 86_400_000;
const noNotes = { status: "new", ownerNote: "", followUp: "" } as const;
const nothing: LeadDetails = { name: "", email: "", phone: "", company: "", note: "", answers: [] };

describeOnEachDatabase("a search for leads", (makeDb, engine) => {
  async function open() {
    const deps = await openLeadStore(await makeDb());
    const { db, create } = deps;
    /** Each is older than those before. */
    let count = 0;
    const add = (id: string, details: Partial<LeadDetails>) => {
      const inPerson = { source: "hand", consentSource: "in person", givenAt: 5 * dayMs - count++ } as const;
      return create({ id, ...inPerson, details: { ...nothing, ...details } });
    };
    const find = async (search: string, limit = 10) => {
      const filter = readFilter(new URLSearchParams({ q: search }));
      return (await listInbox(db, { ownerId, filter, today: "", limit })).map(({ id }) => id);
    };
    const note = (id: string, ownerNote: string, tags: readonly string[] = []) =>
      saveLeadNotes(db, { ownerId, id, notes: { ...noNotes, ownerNote, tags }, base: undefined, now: 1 });
    const textOf = async (id: string) =>
      (await db.selectFrom("lead").select("search_text").where("id", "=", id).executeTakeFirst())?.search_text;
    return { db, deps, add, find, note, textOf };
  }

  test("ignores case and accents, of what is stored and of what is typed", async () => {
    const { add, find } = await open();
    await add("uwe", { name: "Uwe MÜLLER", company: "Straßenbau Łódź", email: "Uwe@Bücher.example" });
    await add("ulf", { name: "Ulf Muller", company: "Strassenbau Lodz" });
    for (const search of ["muller", "Müller", "mu\u0308LLER", "STRASSENBAU", "straßenbau lodz", "łódź"])
      expect(await find(search)).toEqual(["uwe", "ulf"]);
    expect(await find("uwe@bucher.example")).toEqual(["uwe"]);
    expect(await find("mullers")).toEqual([]);
  });

  test("finds all words in any order, wherever they are", async () => {
    const { add, find } = await open();
    const answers = [{ question: "Which role?", answer: "Señior engineer" }];
    await add("grace", { name: "Grace Hopper", company: "Navy", note: "After the fair", answers });
    await add("other", { name: "Grace Kelly", company: "Army" });
    for (const search of ["hopper grace", "navy  GRACE", "fair hop", "engineer senior grace"])
      expect(await find(search)).toEqual(["grace"]);
    expect(await find("grace")).toEqual(["grace", "other"]);
    expect(await find("grace hopper army")).toEqual([]);
    expect(await find("role")).toEqual([]);
    expect(await find(`${"grace ".repeat(10)}kelly`)).toEqual(["grace", "other"]);
  });

  test("takes signs of patterns as they are, and finds nothing across two texts", async () => {
    const { add, find } = await open();
    await add("sale", { name: "50%_off\\", company: "Ends here", note: "Starts here" });
    await add("other", { name: "50 or off" });
    for (const search of ["50%", "%_o", "off\\"]) expect(await find(search)).toEqual(["sale"]);
    expect(await find("herestarts")).toEqual([]);
  });

  test("finds notes and tags as they are now", async () => {
    const { db, add, find, note } = await open();
    await add("grace", { name: "Grace" });
    await note("grace", "Café, later", ["Größe L"]);
    expect([await find("cafe"), await find("grosse")]).toEqual([["grace"], ["grace"]]);
    await tagLeads(db, { ownerId, ids: ["grace"], tags: ["Zürich"] });
    for (const search of ["cafe", "grosse l", "zurich"]) expect(await find(search)).toEqual(["grace"]);
    await note("grace", "Tea", ["Zürich"]);
    expect([await find("cafe"), await find("grosse"), await find("zurich")]).toEqual([[], [], ["grace"]]);
    expect(await find("tea")).toEqual(["grace"]);
    // Also of changes at the same moment.
    const tags = ["Berlin", "Fair", "Hot", "Paris", "Rome"];
    await Promise.all(tags.map((tag) => tagLeads(db, { ownerId, ids: ["grace"], tags: [tag] })));
    for (const tag of tags) expect(await find(tag)).toEqual(["grace"]);
  });

  test("finds a person by a merged lead, and each lead on its own once they are separated", async () => {
    const { db, add, find, note } = await open();
    await add("new", { name: "Zoe" });
    await add("old", { name: "Zoë Élan" });
    await mergeLeads(db, { ownerId, mainId: "new", ids: ["old"], now: 1 });
    await note("old", "Señor", ["Año"]);
    for (const search of ["elan", "senor", "ano"]) expect(await find(search)).toEqual(["new"]);
    await separateLead(db, { ownerId, id: "old", now: 1 });
    expect([await find("elan"), await find("zoe")]).toEqual([["old"], ["new", "old"]]);
  });

  // PostgreSQL works in another process.
  test.runIf(engine === "sqlite")(
    "is quick when a long text and a long search nearly match at each letter",
    async () => {
      const { db, add, find } = await open();
      // A note of 2,000 letters may hold as many of the first one, which are folded to six times as many.
      const search_text = "\u30ad\u30ed\u30e1\u30fc\u30c8\u30eb".repeat(2_000);
      for (let n = 0; n < 50; n++) await add(`lead-${n}`, { name: "Zoë" });
      await db.updateTable("lead").set({ search_text }).execute();
      const time = await timeInScans(async () => expect(await find(`${"\u3316".repeat(199)}x`)).toEqual([]), 10);
      expect(time).toBeLessThan(10);
    },
  );

  test("finds nothing of who withdrew or was erased, and nothing is left of their text", async () => {
    const { db, deps, add, find, note, textOf } = await open();
    for (const id of ["withdrawn", "erased"]) {
      await add(id, { name: "Zoë", note: "Hi" });
      await note(id, "Tall", ["Fair"]);
    }
    await withdrawConsent(deps, { id: "withdrawn", purposes: ["answer"] });
    await eraseLeads(deps, { ownerId, ids: ["erased"] });
    for (const search of ["zoe", "hi", "tall", "fair"]) expect(await find(search)).toEqual([]);
    expect([await textOf("withdrawn"), await textOf("erased")]).toEqual(["", undefined]);
    await tagLeads(db, { ownerId, ids: ["withdrawn"], tags: ["Fair"] });
    expect(await textOf("withdrawn")).toBe("");
  });
});
