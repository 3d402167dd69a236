import fc from "fast-check";
import { expect, test } from "vitest";

import { changeContacts } from "#app/features/leads/contact-data.server.ts";
import { deleteLeadsOfCard, eraseLeads, withdrawConsent } from "#app/features/leads/data.server.ts";
import { toOwnVCard } from "#app/features/leads/export/lead-vcard.ts";
import { listInbox } from "#app/features/leads/inbox/inbox-data.server.ts";
import { readFilter } from "#app/features/leads/inbox/filter-schema.ts";
import { saveDetails } from "#app/features/leads/inbox/edit/details-data.server.ts";
import {
  acceptLeads,
  deleteLeads,
  eraseDeleted,
  saveLeadNotes,
  tagLeads,
  undoDeletion,
} from "#app/features/leads/inbox/lead-data.server.ts";
import { mergeLeads, separateLead } from "#app/features/leads/inbox/merge/merge-data.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { listMigrations, migrate } from "#app/services/database/migrate.server.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";
import { describeOnEachDatabase, makeDatabase, migrationsFolder } from "#tests/support/database/databases.ts";
import { openLeadStore } from "#tests/support/database/leads.ts";
import { readSource, sourceFiles, tablesOf } from "#tests/support/sources.ts";

import { listChanges, readContacts } from "./contacts-data.server.ts";
import type { ContactChanges } from "./contacts-data.server.ts";

const ownerId = "ada";
const ids = ["lead-0", "lead-1", "lead-2", "lead-3"];

async function open(db: Db) {
  const store = await openLeadStore(db);
  let tags = 0;
  /** Whatever changes leads, with a lead and another one. A lead that isn't there or can't be changed so stays as it is. */
  const writes = {
    create: (id: string) => store.create({ id }),
    suspect: (id: string) => store.create({ id, spamReasons: ["honeypot"] }),
    accept: (id: string) => acceptLeads(store, { ownerId, ids: [id] }),
    tag: (id: string, other: string) => tagLeads(db, { ownerId, ids: [id, other], tags: [`tag ${++tags}`] }),
    note: (id: string) =>
      saveLeadNotes(db, {
        ownerId,
        id,
        notes: { status: "new", ownerNote: `note ${++tags}`, followUp: "", tags: [] },
        base: undefined,
        now: 1,
      }),
    edit: (id: string) =>
      saveDetails(db, {
        ownerId,
        id,
        details: { name: `name ${++tags}`, title: "", company: "", website: "", emails: ["a@example.com"], phones: [] },
      }),
    merge: (id: string, other: string) => mergeLeads(db, { ownerId, mainId: id, ids: [other], now: 1 }),
    separate: (id: string) => separateLead(db, { ownerId, id, now: 1 }),
    delete: async (id: string) => {
      store.time.now += 1;
      await deleteLeads(store, { ownerId, ids: [id] });
    },
    undo: () => undoDeletion(store, { ownerId, deletedAt: store.time.now }),
    eraseDeleted: () => eraseDeleted(store, { ownerId, deletedAt: store.time.now }),
    withdraw: (id: string) => withdrawConsent(store, { id, purposes: ["answer"] }),
    erase: (id: string) => eraseLeads(store, { ownerId, ids: [id] }),
    deleteCard: async () => {
      const form = await db.selectFrom("lead_form").selectAll().executeTakeFirstOrThrow();
      await transact(db, (trx) => deleteLeadsOfCard(trx, form.card_id));
      await db.insertInto("lead_form").values(form).execute();
    },
  };
  return { ...store, writes };
}

type Write = keyof Awaited<ReturnType<typeof open>>["writes"];

/** What devices should have: the contacts of the inbox, without those whose visitor withdrew. */
async function listExpected(db: Db): Promise<string[]> {
  const filter = readFilter(new URLSearchParams());
  const people = await listInbox(db, { ownerId, filter, today: "2026-12-24", limit: 100 });
  return people
    .filter(({ withdrawnAt }) => withdrawnAt === null)
    .map(toOwnVCard)
    .toSorted();
}

/** A device with what it fetched so far. */
function createClient(db: Db) {
  const vcards = new Map<string, string>();
  let since: number | undefined;
  const apply = async ({ revision, contacts, removed }: ContactChanges) => {
    since = revision;
    for (const name of removed) vcards.delete(name);
    for (const { name, vcard } of await readAll(
      db,
      contacts.map((contact) => contact.name),
    ))
      vcards.set(name, vcard);
  };
  return {
    vcards,
    sync: async () => {
      const changes = await listChanges(db, { ownerId, since });
      expect(changes).toBeDefined();
      if (changes) await apply(changes);
      return changes;
    },
  };
}

async function readAll(db: Db, names: readonly string[]) {
  const contacts = [];
  for await (const page of readContacts(db, ownerId, names)) contacts.push(...page);
  return contacts;
}

describeOnEachDatabase("changes of contacts", (makeDb, engine) => {
  test("a device that synchronizes after any writes has the contacts of the inbox", async () => {
    const { writes, ...store } = await open(await makeDb());
    const { db } = store;
    const names = Object.keys(writes) as Write[];
    const id = fc.constantFrom(...ids);
    const step = fc.tuple(fc.constantFrom<Write>("create", "create", "merge", ...names), id, id, fc.boolean());
    const check = async (steps: readonly [Write, string, string, boolean][]) => {
      await eraseLeads(store, { ownerId, ids });
      await db.deleteFrom("erased_lead").execute();
      await db.deleteFrom("attempt").execute();
      for (const lead of ids) await writes.create(lead);
      const client = createClient(db);
      await client.sync();
      expect(client.vcards.size).toBe(ids.length);
      for (const [name, one, other, synchronizes] of steps) {
        await writes[name](one, other);
        if (!synchronizes) continue;
        await client.sync();
        expect([...client.vcards.values()].toSorted()).toEqual(await listExpected(db));
      }
    };
    const runs = engine === "sqlite" ? 60 : 8;
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), check), { numRuns: runs });
  });
});

describeOnEachDatabase("revisions of contacts", (makeDb, engine) => {
  // SQLite has one writer at a time.
  test.runIf(engine === "postgres")("become visible in their order, however long a transaction takes", async () => {
    const { db, writes } = await open(await makeDb());
    for (const id of ["lead-0", "lead-1"]) await writes.create(id);
    const client = createClient(db);
    await client.sync();
    const [hasChanged, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = transact(db, async (trx) => {
      await changeContacts(trx, { ownerId, ids: ["lead-0"] });
      hasChanged.resolve();
      await mayCommit.promise;
    });
    await hasChanged.promise;
    let isFastDone = false;
    const fast = writes.tag("lead-1", "lead-1").then(() => (isFastDone = true));
    for (let n = 0; n < 5; n++) expect((await client.sync())?.contacts).toEqual([]);
    expect(isFastDone).toBe(false);
    mayCommit.resolve();
    await Promise.all([slow, fast]);
    expect((await client.sync())?.contacts).toHaveLength(2);
  });

  test("of leads from before are made by the migration", async () => {
    const { db } = await makeDatabase(engine, { migrated: false });
    const names = listMigrations(migrationsFolder);
    const before = names.slice(0, names.indexOf("0022-address-books"));
    await migrate(db, engine, { folder: migrationsFolder, names: before });
    const times = { created_at: 1, received_at: 1, expires_at: 1 };
    const lead = { owner_id: ownerId, card_id: "card", ...times };
    await insertRows(
      { db },
      {
        lead: [
          { ...lead, id: "a" },
          { ...lead, id: "b", merged_into: "a" },
          { ...lead, id: "c" },
        ],
      },
    );
    await insertRows(
      { db },
      {
        lead: [
          { ...lead, id: "d", quarantined_at: 1 },
          { ...lead, id: "e", owner_id: "eve" },
        ],
      },
    );
    await migrate(db, engine, migrationsFolder);
    expect(await listChanges(db, { ownerId })).toEqual({
      revision: 1,
      contacts: [
        { name: "1-1", revision: 1 },
        { name: "1-2", revision: 1 },
      ],
      removed: [],
    });
    expect((await listChanges(db, { ownerId: "eve" }))?.contacts).toHaveLength(1);
  });
});

test("each file that writes leads or their tags also gives their contacts a new revision", () => {
  const writers = sourceFiles.filter((file) => ["lead", "lead_tag"].some((table) => tablesOf(file).written.has(table)));
  const silent = writers.filter((file) => !/\b(?:changeContacts|saveSearchText)\(/.test(readSource(file)));
  // They write when leads end, whether replies were sent, or only lock them.
  expect(silent).toEqual([
    "app/features/leads/form-data.server.ts",
    "app/features/leads/inbox/merge/duplicates-data.server.ts",
    "app/features/leads/inbox/reply/reply-data.server.ts",
    "app/features/leads/retention/expiry-data.server.ts",
    "app/features/leads/services-data.server.ts",
  ]);
});
