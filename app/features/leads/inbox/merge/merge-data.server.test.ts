import type { Insertable } from "kysely";
import { expect, test } from "vitest";

import { deleteLeadsOfCard, eraseLeads, withdrawConsent } from "#app/features/leads/data.server.ts";
import { readFilter } from "#app/features/leads/inbox/filter-schema.ts";
import { countUnread, listInbox } from "#app/features/leads/inbox/inbox-data.server.ts";
import { countDeleted, deleteLeads, eraseDeleted, undoDeletion } from "#app/features/leads/inbox/lead-data.server.ts";
import { saveSearchText } from "#app/features/leads/inbox/search-data.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { LeadTable } from "#app/services/database/lead-schema.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { openAssetStore } from "#tests/support/storage/asset-store.ts";

import { findDuplicates, listDuplicateIds, markDistinct } from "./duplicates-data.server.ts";
import { findMergeable, mergeLeads, separateLead } from "./merge-data.server.ts";
import { maxSubmissions } from "./person-rules.ts";

const ownerId = "ada";

const now = 1_000_000;

describeOnEachDatabase("merging leads", (makeDb) => {
  async function open() {
    const store = await openAssetStore(await makeDb());
    const { db } = store;
    let time = 1_000;
    /** Each is newer than those before. */
    const insert = async (id: string, lead: Partial<Insertable<LeadTable>> = {}) => {
      const at = (time += 1_000);
      const times = { created_at: at, received_at: at, expires_at: at + 1e12 };
      const row = { id, owner_id: ownerId, card_id: "card-of-ada", ...times, ...lead };
      await db.insertInto("lead").values(row).execute();
      const proof = { text_id: "t", text_version: 1, text_hash: "h", source: "form", given_at: at };
      const consent = { lead_id: id, owner_id: ownerId, purpose: "answer", ...proof };
      await db.insertInto("lead_consent").values(consent).execute();
    };
    const merge = async (mainId: string, ...ids: string[]) =>
      (await mergeLeads(db, { ownerId, mainId, ids, now })).kind;
    const list = async (query = "") => {
      const filter = readFilter(new URLSearchParams(query));
      const people = await listInbox(db, { ownerId, filter, today: "", limit: 50 });
      return people.map(({ id, merged }) => [id, ...merged.map((lead) => lead.id)].join("+"));
    };
    const rowOf = (id: string) => db.selectFrom("lead").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    return { ...store, deps: store, insert, merge, list, rowOf };
  }

  test("finds leads of the same owner with the same email or phone, in any spelling that has the same key", async () => {
    const { db, insert } = await open();
    await insert("old", { email_key: "grace@example.com" });
    await insert("phone", { phone_key: "15550100" });
    await insert("new", { email_key: "grace@example.com", phone_key: "15550100" });
    await insert("extension-1", { phone_key: "12" });
    await insert("extension-2", { phone_key: "12" });
    await insert("spam", { email_key: "grace@example.com", quarantined_at: 1 });
    await insert("deleted", { email_key: "grace@example.com", deleted_at: 1 });
    await insert("of-eda", { email_key: "grace@example.com", owner_id: "eda" });
    const ids = ["old", "phone", "new", "extension-1", "extension-2", "of-eda"];
    expect([...(await listDuplicateIds(db, ownerId, ids))].toSorted()).toEqual(["new", "old", "phone"]);
    const found = await findDuplicates(db, { ownerId, id: "new" });
    expect(found.map(({ id }) => id)).toEqual(["phone", "old"]);
    expect(await findDuplicates(db, { ownerId, id: "spam" })).toEqual([]);
  });

  test("finds no duplicates within one person, but by the address of a merged lead", async () => {
    const { db, insert, merge } = await open();
    await insert("work", { email_key: "grace@work.example" });
    await insert("main", { email_key: "grace@example.com" });
    await insert("again", { email_key: "grace@example.com" });
    await merge("main", "work", "again");
    expect([...(await listDuplicateIds(db, ownerId, ["main"]))]).toEqual([]);
    await insert("third", { email_key: "grace@work.example" });
    expect([...(await listDuplicateIds(db, ownerId, ["main", "third"]))].toSorted()).toEqual(["main", "third"]);
    expect((await findDuplicates(db, { ownerId, id: "third" })).map(({ id }) => id)).toEqual(["main"]);
  });

  test("doesn't ask again about people that the owner knows to be different", async () => {
    const { db, deps, insert } = await open();
    for (const id of ["a", "b"]) await insert(id, { phone_key: "15550100" });
    await markDistinct(db, { ownerId: "eda", id: "a", otherId: "b" });
    expect((await listDuplicateIds(db, ownerId, ["a", "b"])).size).toBe(2);
    await markDistinct(db, { ownerId, id: "a", otherId: "b" });
    expect((await listDuplicateIds(db, ownerId, ["a", "b"])).size).toBe(0);
    await insert("c", { phone_key: "15550100" });
    expect((await listDuplicateIds(db, ownerId, ["a", "b"])).size).toBe(2);
    await eraseLeads(deps, { ownerId, ids: ["b"] });
    expect(await db.selectFrom("lead_distinct").selectAll().execute()).toEqual([]);

    // Also while they are erased.
    const others = Array.from({ length: 20 }, (_, n) => `other-${n}`);
    for (const id of others) await insert(id);
    const mark = (otherId: string) => markDistinct(db, { ownerId, id: "a", otherId });
    await Promise.all(others.flatMap((id) => [mark(id), eraseLeads(deps, { ownerId, ids: [id] })]));
    expect(await db.selectFrom("lead_distinct").selectAll().execute()).toEqual([]);
  });

  test("lists one person, found by what any of their leads says", async () => {
    const { db, insert, merge, list } = await open();
    await insert("old", { name: "Grace Murray", source: "qr", card_id: "other", note: "Booth 4" });
    await insert("new", { name: "Grace Hopper", source: "nfc" });
    await insert("stranger", { name: "Eda" });
    await db.insertInto("lead_tag").values({ lead_id: "old", tag: "Fair", owner_id: ownerId }).execute();
    await transact(db, (trx) => saveSearchText(trx, ["old", "new"]));
    expect(await merge("new", "old")).toBe("merged");
    expect(await list()).toEqual(["stranger", "new+old"]);
    expect(await countUnread(db, ownerId)).toBe(2);
    const texts = ["q=murray", "q=hopper", "q=booth", "tag=Fair"];
    for (const query of [...texts, "source=qr", "source=nfc", "card=other", "q=murray&source=nfc"])
      expect([query, await list(query)]).toEqual([query, ["new+old"]]);
    expect(await list("q=nobody")).toEqual([]);
  });

  test("takes the status and the follow-up date that the main lead doesn't have, and gives them back", async () => {
    const { db, insert, merge, rowOf } = await open();
    await insert("a", { status: "contacted", follow_up: "2026-12-01", owner_note: "Tall" });
    await insert("b", { status: "won", owner_note: "Kind" });
    await insert("main", { owner_note: "New" });
    await insert("undated");
    await merge("main", "a", "b");
    // Calendars count the changes of the date.
    const dated = { follow_up: "2026-12-01", follow_up_changed_at: now, follow_up_changes: 1 };
    expect(await rowOf("main")).toMatchObject({ ...dated, status: "won", owner_note: "New" });
    await merge("main", "undated");
    expect(await rowOf("main")).toMatchObject(dated);
    expect(await rowOf("a")).toMatchObject({ status: "contacted", follow_up: "2026-12-01", owner_note: "Tall" });
    await db.updateTable("lead").set({ follow_up: "2026-12-24" }).where("id", "=", "main").execute();
    for (const id of ["a", "b"]) expect(await separateLead(db, { now, ownerId, id })).toBe(true);
    // What was typed since stays.
    expect(await rowOf("main")).toMatchObject({ status: "new", follow_up: "2026-12-24", owner_note: "New" });
    expect(await rowOf("b")).toMatchObject({ status: "won", owner_note: "Kind", merged_into: null });
    expect(await separateLead(db, { now, ownerId, id: "b" })).toBe(false);
    await insert("other");
    await merge("other", "a");
    await separateLead(db, { now: now + 1, ownerId, id: "a" });
    expect(await rowOf("other")).toMatchObject({ follow_up: "", follow_up_changed_at: now + 1, follow_up_changes: 2 });
    expect(await rowOf("a")).toMatchObject({ follow_up: "2026-12-01", follow_up_changes: 0 });
  });

  test("separates a lead with what had been merged into it before", async () => {
    const { db, insert, merge, list } = await open();
    for (const id of ["a", "b", "c", "d"]) await insert(id);
    await merge("b", "a");
    await merge("c", "b");
    await merge("d", "c");
    expect(await list()).toEqual(["d+c+b+a"]);
    expect(await separateLead(db, { now, ownerId: "eda", id: "c" })).toBe(false);
    await separateLead(db, { now, ownerId, id: "c" });
    expect(await list()).toEqual(["d", "c+b+a"]);
    await separateLead(db, { now, ownerId, id: "b" });
    expect(await list()).toEqual(["d", "c", "b+a"]);
  });

  test("refuses other owners' leads, and those in quarantine, deleted, withdrawn or merged", async () => {
    const { insert, merge, list } = await open();
    await insert("main");
    await insert("of-eda", { owner_id: "eda" });
    await insert("spam", { quarantined_at: 1 });
    await insert("deleted", { deleted_at: 1 });
    await insert("withdrawn", { withdrawn_at: 1 });
    for (const id of ["of-eda", "spam", "deleted", "withdrawn", "unknown", "main"]) {
      expect([id, await merge("main", id), await merge(id, "main")]).toEqual([id, "changed", "changed"]);
    }
    expect(await merge("main")).toBe("changed");
    expect(await list()).toEqual(["withdrawn", "main"]);
  });

  test("bounds how many submissions one person has", async () => {
    const { db, insert, merge } = await open();
    await insert("main");
    await insert("other");
    for (let n = 0; n < maxSubmissions - 2; n++) await insert(`m${n}`, { merged_into: "main", merge_parent: "main" });
    await insert("one-more");
    expect(await merge("main", "other", "one-more")).toBe("too-many");
    expect(await merge("main", "other")).toBe("merged");
    expect(await findMergeable(db, { ownerId, ids: ["other", "one-more", "m1"] })).toHaveLength(2);
  });

  test("at the same time as another change makes one person, and hides no one", async () => {
    const { deps, insert, merge, list } = await open();
    for (let round = 0; round < 4; round++) {
      const [a, b, main, other] = ["a", "b", "main", "other"].map((id) => `${id}${round}`) as [
        string,
        string,
        string,
        string,
      ];
      for (const id of [a, b, main, other]) await insert(id);
      const kinds = await Promise.all([merge(a, b), merge(b, a)]);
      expect(kinds.toSorted()).toEqual(["changed", "merged"]);
      const gone = round % 2 === 0 ? main : other;
      const erased = () => eraseLeads(deps, { ownerId, ids: [gone] });
      const withdrawn = () => withdrawConsent(deps, { id: gone, purposes: ["answer"] });
      await Promise.all([merge(main, other), round < 2 ? erased() : withdrawn()]);
    }
    // Of the first pairs each is one person; of the others one is erased, or stands alone.
    expect((await list()).map((group) => group.split("+").length).toSorted()).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 2, 2]);
  });

  test("erased at the same time, the main lead and one merged into it, leave the third", async () => {
    const { deps, insert, merge, list } = await open();
    for (let round = 0; round < 5; round++) {
      const [a = "", b = "", c = ""] = ["a", "b", "c"].map((id) => `${id}${round}`);
      for (const id of [a, b, c]) await insert(id);
      await merge(c, a, b);
      await Promise.all([eraseLeads(deps, { ownerId, ids: [c] }), eraseLeads(deps, { ownerId, ids: [b] })]);
    }
    expect(await list()).toEqual(["a4", "a3", "a2", "a1", "a0"]);
  });

  test("keeps the others together when the main lead is erased, or its retention ends", async () => {
    const { db, deps, insert, merge, list } = await open();
    for (const id of ["a", "b", "c", "d"]) await insert(id);
    await merge("b", "a");
    await merge("d", "b", "c");
    await eraseLeads(deps, { ownerId, ids: ["d"] });
    expect(await list()).toEqual(["c+b+a"]);
    await eraseLeads(deps, { ownerId, ids: ["b"] });
    expect(await list()).toEqual(["c+a"]);
    await separateLead(db, { now, ownerId, id: "a" });
    expect(await list()).toEqual(["c", "a"]);
  });

  test("releases a lead whose visitor withdrew, and removes exactly what that one says", async () => {
    const { deps, insert, merge, list, rowOf } = await open();
    await insert("old", { name: "Grace Murray", owner_note: "Old note" });
    await insert("older", { name: "Murray" });
    await insert("new", { name: "Grace Hopper", owner_note: "New note" });
    await merge("new", "older", "old");
    await withdrawConsent(deps, { id: "new", purposes: ["answer"] });
    expect(await list()).toEqual(["new", "older+old"]);
    expect(await rowOf("new")).toMatchObject({ name: "", owner_note: "", merged_into: null });
    await withdrawConsent(deps, { id: "old", purposes: ["answer"] });
    expect(await list()).toEqual(["new", "older", "old"]);
    expect(await rowOf("older")).toMatchObject({ name: "Murray", merge_parent: null });
  });

  test("keeps what was merged from another card when a card is deleted", async () => {
    const { db, insert, merge, list } = await open();
    await insert("a", { card_id: "other" });
    await insert("b", { card_id: "other" });
    await insert("main");
    await insert("single");
    await merge("main", "a", "b");
    await transact(db, (trx) => deleteLeadsOfCard(trx, "card-of-ada"));
    expect(await list()).toEqual(["b+a"]);
  });

  test("deletes a person as a whole, and brings them back as a whole", async () => {
    const { deps, insert, merge, list, time } = await open();
    for (const id of ["a", "b", "main", "kept"]) await insert(id);
    await merge("main", "a", "b");
    const { deletedAt, count } = await deleteLeads(deps, { ownerId, ids: ["main"] });
    expect([count, await countDeleted(deps, { ownerId, deletedAt }), await list()]).toEqual([1, 1, ["kept"]]);
    expect(await undoDeletion(deps, { ownerId, deletedAt })).toBe(1);
    expect(await list()).toEqual(["kept", "main+b+a"]);
    time.now += 1;
    const again = await deleteLeads(deps, { ownerId, ids: ["main"] });
    await eraseDeleted(deps, { ownerId, deletedAt: again.deletedAt });
    expect(await deps.db.selectFrom("lead").select("id").execute()).toEqual([{ id: "kept" }]);
  });

  test("deletes one submission alone, which comes back also when the others were deleted after it", async () => {
    const { deps, insert, merge, list, time } = await open();
    for (const id of ["a", "main"]) await insert(id);
    await merge("main", "a");
    const one = await deleteLeads(deps, { ownerId, ids: ["a"] });
    expect([await countDeleted(deps, { ownerId, deletedAt: one.deletedAt }), await list()]).toEqual([1, ["main"]]);
    time.now += 1;
    const all = await deleteLeads(deps, { ownerId, ids: ["main"] });
    expect(await undoDeletion(deps, { ownerId, deletedAt: one.deletedAt })).toBe(1);
    expect(await list()).toEqual(["a"]);
    await eraseDeleted(deps, { ownerId, deletedAt: all.deletedAt });
    expect(await list()).toEqual(["a"]);
  });
});
