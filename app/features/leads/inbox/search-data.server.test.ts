import { sql } from "kysely";
import type { Insertable } from "kysely";
import { expect, test } from "vitest";

import { eraseLeads, withdrawConsent } from "#app/features/leads/data.server.ts";
import type { LeadDetails } from "#app/features/leads/schema.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { LeadTable } from "#app/services/database/lead-schema.ts";
import { describeOnEachDatabase, explain } from "#tests/support/database/databases.ts";
import { openLeadStore } from "#tests/support/database/leads.ts";
import { timeInScans } from "#tests/support/measurements.ts";

import { readFilter } from "./filter-schema.ts";
import { listInbox } from "./inbox-data.server.ts";
import { saveLeadNotes, tagLeads } from "./lead-data.server.ts";
import { mergeLeads, separateLead } from "./merge/merge-data.server.ts";
import { addMissingSearchText, outdatedLeads } from "./search-data.server.ts";

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
    /** As an older version did. */
    const addOld = async (leads: readonly (Partial<Insertable<LeadTable>> & { id: string })[]) => {
      const times = { created_at: 1, received_at: 1, expires_at: 900 * dayMs };
      const rows = leads.map((lead) => ({ owner_id: ownerId, card_id: "card-of-ada", ...times, ...lead }));
      await db.insertInto("lead").values(rows).execute();
    };
    const find = async (search: string, limit = 10) => {
      const filter = readFilter(new URLSearchParams({ q: search }));
      return (await listInbox(db, { ownerId, filter, today: "", limit })).map(({ id }) => id);
    };
    const note = (id: string, ownerNote: string, tags: readonly string[] = []) =>
      saveLeadNotes(db, { ownerId, id, notes: { ...noNotes, ownerNote, tags }, base: undefined, now: 1 });
    const textOf = async (id: string) =>
      (await db.selectFrom("lead").select("search_text").where("id", "=", id).executeTakeFirst())?.search_text;
    return { db, deps, add, addOld, find, note, textOf };
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
      const { addOld, find } = await open();
      // A note of 2,000 letters may hold as many of the first one, which are folded to six times as many.
      const search_text = "\u30ad\u30ed\u30e1\u30fc\u30c8\u30eb".repeat(2_000);
      await addOld(Array.from({ length: 50 }, (_, n) => ({ id: `lead-${n}`, search_text })));
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

  test("finds leads of an older version, at first in the columns, then without accents too", async () => {
    const { db, addOld, find, textOf } = await open();
    await addOld([{ id: "old", name: "Zoë 50%", phone: "+1 555-0100", phone_key: "15550100", owner_note: "Tall" }]);
    await db.insertInto("lead_tag").values({ lead_id: "old", tag: "Köln", owner_id: ownerId }).execute();
    for (const search of ["ZOë", "50%", "(555) 0100", "tall"]) expect(await find(search)).toEqual(["old"]);
    expect([await find("zoe"), await find("koln")]).toEqual([[], []]);
    await addMissingSearchText({ db });
    expect(await textOf("old")).toBe("zoe 50%\n+1 555-0100\ntall\nkoln");
    for (const search of ["zoe", "50%", "(555) 0100", "tall", "koln"]) expect(await find(search)).toEqual(["old"]);
  });

  test("writes the text of many leads, also in two processes at once, and leaves what is written", async () => {
    const { db, add, addOld, find, textOf } = await open();
    await add("new", { name: "Zoë" });
    await db.updateTable("lead").set({ search_text: "written" }).execute();
    await addOld(Array.from({ length: 1_201 }, (_, n) => ({ id: `old-${n}`, name: `Zoë ${n}` })));
    await Promise.all([addMissingSearchText({ db }), addMissingSearchText({ db })]);
    expect(await find("zoe", 2_000)).toHaveLength(1_201);
    expect(await textOf("new")).toBe("written");
    // Of a visitor who withdrew in a process of an older version.
    await db.updateTable("lead").set({ name: "", withdrawn_at: 1 }).where("id", "=", "new").execute();
    await addMissingSearchText({ db });
    expect(await textOf("new")).toBe("");
  });

  test("reads which leads have no text yet from an index, without those that have", async () => {
    const { db } = await open();
    if (engine === "postgres") await fillPostgres(db);
    expect(await explain(db, engine, outdatedLeads(db, "n1"))).toContain("lead_search_outdated");
  });
});

/** It reads a small table without its indexes. */
async function fillPostgres(db: Db) {
  await sql`insert into lead (id, owner_id, card_id, created_at, received_at, expires_at, search_text)
    select 'n' || n, 'ada', 'card-of-ada', n, n, 1, case when n % 1000 > 0 then 'zoe' end
    from generate_series(1, 20000) n`.execute(db);
  await sql`analyze lead`.execute(db);
}
