import { sql } from "kysely";
import type { Insertable } from "kysely";
import pino from "pino";
import { expect, test } from "vitest";

import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { LeadTable } from "#app/services/database/lead-schema.ts";
import { createJobs } from "#app/services/jobs/jobs.server.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";
import { describeOnEachDatabase, explain } from "#tests/support/database/databases.ts";
import { openAssetStore } from "#tests/support/storage/asset-store.ts";

import { readFilter } from "./filter-schema.ts";
import { countSpam, countUnread, listInbox, listOwnTags } from "./inbox-data.server.ts";
import {
  acceptLeads,
  deleteLeads,
  eraseDeleted,
  eraseJob,
  findInboxLead,
  saveLeadNotes,
  tagLeads,
  undoDeletion,
} from "./lead-data.server.ts";
import type { EraseJob } from "./lead-data.server.ts";
import { duplicateIdsQuery } from "./merge/duplicates-data.server.ts";
import { inboxPageSize, undoMs } from "#app/features/leads/inbox-rules.ts";
import { saveSearchText } from "./search-data.server.ts";

const ownerId = "ada";
const dayMs = 86_400_000;
const times = { created_at: 5 * dayMs, received_at: 5 * dayMs, expires_at: 900 * dayMs };

describeOnEachDatabase("the inbox", (makeDb, engine) => {
  async function open() {
    const store = await openAssetStore(await makeDb());
    store.time.now = 40 * dayMs;
    const handlers = { [eraseJob]: (payload: unknown) => eraseDeleted(store, payload as EraseJob) };
    const jobs = createJobs({ db: store.db, log: pino({ level: "silent" }), clock: store.clock, handlers });
    const deps = { ...store, jobs };
    const insert = (id: string, lead: Partial<Insertable<LeadTable>> = {}) =>
      insertRows(store, { lead: { id, owner_id: ownerId, card_id: "card-of-ada", ...times, ...lead } });
    const find = async (query: string, limit = 10) => {
      const filter = readFilter(new URLSearchParams(query));
      return (await listInbox(store.db, { ownerId, filter, today: "2026-11-23", limit })).map(({ id }) => id);
    };
    return { ...store, deps, insert, find };
  }

  test("shows what is unread, and follow-ups that are due or planned", async () => {
    const { insert, find } = await open();
    await insert("unread", { created_at: 9 });
    const read = { read_at: 1 };
    await insert("yesterday", { ...read, created_at: 8, follow_up: "2026-11-22" });
    await insert("today", { ...read, created_at: 7, follow_up: "2026-11-23" });
    await insert("tomorrow", { ...read, created_at: 6, follow_up: "2026-11-24" });
    await insert("won", { ...read, created_at: 5, follow_up: "2026-11-22", status: "won" });
    await insert("lost", { ...read, created_at: 4, follow_up: "2026-11-24", status: "lost" });
    expect(await find("show=unread")).toEqual(["unread"]);
    expect(await find("show=due")).toEqual(["yesterday", "today"]);
    expect(await find("show=planned")).toEqual(["tomorrow"]);
    expect(await find("show=unknown")).toHaveLength(6);
  });

  test("finds a lead by what it says, in any spelling, and by its card, source, status, tag and consent", async () => {
    const { db, insert, find } = await open();
    await insert("other-lead", { name: "Eda", note: "500 of them", source: "nfc" });
    const filtered = { card_id: "other", source: "qr", status: "won" };
    await insert("grace", {
      ...filtered,
      name: "Grace Hopper",
      email: "Grace@example.com",
      phone: "+1 555-0100",
      phone_key: "15550100",
      company: "NÄVY",
      note: "Booth 4, 50% off",
      owner_note: "Call back",
    });
    await insert("stranger", { ...filtered, owner_id: "eda", name: "Grace Hopper" });
    const graces = { lead_id: "grace", owner_id: ownerId };
    const tag = { ...graces, tag: "Fair" };
    await db.insertInto("lead_tag").values(tag).execute();
    const proof = { purpose: "newsletter", text_id: "t", text_version: 1, text_hash: "h", source: "form", given_at: 1 };
    const consent = { ...graces, ...proof };
    await db.insertInto("lead_consent").values(consent).execute();
    await transact(db, (trx) => saveSearchText(trx, ["grace"]));
    const searches = ["HOPPER", "grace@example.COM", "(555) 0100", "nÄvy", "navy", "fair", "booth", "call back", "50%"];
    for (const query of [
      ...searches.map((search) => `q=${encodeURIComponent(search)}`),
      "card=other",
      "source=qr",
      "status=won",
      "tag=Fair",
      "consent=newsletter",
    ])
      expect([query, await find(query)]).toEqual([query, ["grace"]]);
  });

  test("lists suspected spam apart, until the owner accepts it: then it counts and is announced", async () => {
    const { db, deps, insert, find, recorded } = await open();
    await insert("spam", { quarantined_at: 1, expires_at: 35 * dayMs });
    await insert("ham");
    expect([await find(""), await find("view=spam")]).toEqual([["ham"], ["spam"]]);
    expect([await countUnread(db, ownerId), await countSpam(db, ownerId)]).toEqual([1, 1]);
    expect(await acceptLeads(deps, { ownerId: "eda", ids: ["spam"] })).toBe(0);
    expect(await acceptLeads(deps, { ownerId, ids: ["spam", "ham"] })).toBe(1);
    expect(await acceptLeads(deps, { ownerId, ids: ["spam"] })).toBe(0);
    expect(await find("view=spam")).toEqual([]);
    expect((await findInboxLead(db, { ownerId, id: "spam" }))?.lead.expiresAt).toBe((5 + 720) * dayMs);
    expect(recorded).toMatchObject([{ kind: "lead.created", leadId: "spam" }]);
  });

  test("hides deleted leads at once, brings them back, and erases them when that isn't possible any more", async () => {
    const { db, deps, insert, find, recorded, time } = await open();
    for (const id of ["a", "b", "kept"]) await insert(id);
    await insert("of-eda", { owner_id: "eda" });
    const { deletedAt, count } = await deleteLeads(deps, { ownerId, ids: ["a", "b", "of-eda"] });
    expect([count, await find(""), await countUnread(db, ownerId)]).toEqual([2, ["kept"], 1]);
    expect(await findInboxLead(db, { ownerId, id: "a" })).toBeUndefined();
    expect(await undoDeletion(deps, { ownerId: "eda", deletedAt })).toBe(0);
    expect(await undoDeletion(deps, { ownerId, deletedAt })).toBe(2);
    time.now += undoMs;
    await deps.jobs.runDue();
    expect(await find("")).toEqual(["kept", "b", "a"]);

    const again = await deleteLeads(deps, { ownerId, ids: ["a", "b"] });
    time.now += undoMs - 1;
    await deps.jobs.runDue();
    expect(await db.selectFrom("lead").select("id").execute()).toHaveLength(4);
    time.now += 1;
    expect(await undoDeletion(deps, { ownerId, deletedAt: again.deletedAt })).toBe(0);
    await deps.jobs.runDue();
    const left = await db.selectFrom("lead").select("id").orderBy("id").execute();
    expect(left.map(({ id }) => id)).toEqual(["kept", "of-eda"]);
    expect(recorded.map(({ kind }) => kind)).toEqual(["lead.erased", "lead.erased"]);
  });

  test("saves no notes about a visitor who withdrew, or about another owner's lead", async () => {
    const { db, insert } = await open();
    await insert("withdrawn", { withdrawn_at: 1 });
    await insert("of-eda", { owner_id: "eda" });
    const notes = { status: "won", ownerNote: "Tall", followUp: "", tags: ["Fair"] } as const;
    for (const id of ["withdrawn", "of-eda", "unknown"]) {
      expect((await saveLeadNotes(db, { ownerId, id, notes, base: undefined, now: 1 })).kind).toBe("gone");
      expect(await tagLeads(db, { ownerId, ids: [id], tags: ["Fair"] })).toBe(0);
    }
    expect(await db.selectFrom("lead_tag").selectAll().execute()).toEqual([]);
  });

  test("knows each of an owner's tags once", async () => {
    const { db, insert } = await open();
    for (const id of ["a", "b"]) await insert(id);
    await tagLeads(db, { ownerId, ids: ["a", "b"], tags: ["Fair", "Berlin"] });
    await tagLeads(db, { ownerId, ids: ["a"], tags: ["Fair"] });
    await db.insertInto("lead_tag").values({ lead_id: "x", tag: "Secret", owner_id: "eda" }).execute();
    expect(await listOwnTags(db, ownerId)).toEqual(["Berlin", "Fair"]);
    expect(await listOwnTags(db, "no-one")).toEqual([]);
  });

  test("reads a page, its counts and its possible duplicates from an index, whatever the number of leads", async () => {
    const { db, insert } = await open();
    await insert("one");
    if (engine === "postgres") await fill(db, 20_000);
    const where = "owner_id = 'ada' and deleted_at is null and merged_into is null";
    const page = `select * from lead where ${where} and quarantined_at is null order by created_at desc, id desc limit 51`;
    const next = page.replace(" order by", " and (created_at, id) < (432000000, 'x') order by");
    for (const query of [page, next]) {
      const plan = await explain(db, engine, sql.raw(query));
      expect(plan).toContain("lead_in_inbox");
      expect(plan).not.toMatch(/temp b-tree|sort/i);
    }
    const unread = `select 1 from lead where ${where} and quarantined_at is null and read_at is null limit 100`;
    expect(await explain(db, engine, sql.raw(unread))).toMatch(/lead_unread/);
    const spam = `select * from lead where ${where} and quarantined_at is not null order by created_at desc, id desc limit 51`;
    expect(await explain(db, engine, sql.raw(spam))).toContain("lead_in_spam");
    const ids = Array.from({ length: inboxPageSize }, (_, n) => `n${n}`);
    const duplicates = await explain(db, engine, duplicateIdsQuery(ownerId, ids));
    expect(duplicates).toMatch(/lead_by_email/);
    expect(duplicates).not.toMatch(/lead_by_time|lead_in_inbox|Seq Scan on lead\b|SCAN (own|other|lead)\b/);
  });
});

/** PostgreSQL reads a small table without its indexes. */
async function fill(db: Db, count: number) {
  await sql`insert into lead (id, owner_id, card_id, created_at, received_at, expires_at, read_at, quarantined_at)
    select 'n' || n, 'ada', 'card-of-ada', n, n, 1, case when n % 50 = 0 then null else 1 end, case when n % 97 = 0 then 1 end
    from generate_series(1, ${count}::int) n`.execute(db);
  await sql`analyze lead`.execute(db);
}
