import { setImmediate } from "node:timers/promises";

import { toOwnVCard } from "#app/features/leads/export/lead-vcard.ts";
import { withMerged } from "#app/features/leads/inbox/inbox-data.server.ts";
import { toLead } from "#app/features/leads/lead-row.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

/** A contact under the name in its address. The revision is that of its last change. */
export type ListedContact = { name: string; revision: number };
export type Contact = ListedContact & { vcard: string };

export type ContactChanges = {
  /** Of the whole address book. */
  revision: number;
  contacts: ListedContact[];
  removed: string[];
};

/** The revision of an owner's contacts; 0 before the first lead. */
export async function findRevision(db: Db, ownerId: string): Promise<number> {
  const row = await db.selectFrom("address_book").select("revision").where("owner_id", "=", ownerId).executeTakeFirst();
  return row?.revision ?? 0;
}

/**
 * What has changed after a revision of an owner's contacts; without one, all that are there. Undefined for a revision that the owner's contacts
 * never had, or that is too old. One query, so that everything is of the same moment.
 */
export async function listChanges(
  db: Db,
  { ownerId, since }: { ownerId: string; since?: number | undefined },
): Promise<ContactChanges | undefined> {
  const rows = await queryChanges(db, { ownerId, since: since ?? 0 }).execute();
  const { book = 0, oldest = 0 } = rows[0] ?? {};
  if (since !== undefined && (since > book || since < oldest)) return undefined;
  const changed = rows.flatMap(({ name, revision, leadId }) =>
    name === null || revision === null ? [] : [{ name, revision, isRemoved: leadId === null }],
  );
  return {
    revision: book,
    contacts: changed.flatMap(({ name, revision, isRemoved }) => (isRemoved ? [] : [{ name, revision }])),
    removed: since === undefined ? [] : changed.flatMap(({ name, isRemoved }) => (isRemoved ? [name] : [])),
  };
}

/** Its query, whose plan a test reads. */
export function queryChanges(db: Db, { ownerId, since }: { ownerId: string; since: number }) {
  return db
    .selectFrom("address_book")
    .leftJoin("address_book_entry as entry", (join) =>
      join.onRef("entry.owner_id", "=", "address_book.owner_id").on("entry.revision", ">", since),
    )
    .leftJoin("lead", (join) =>
      join
        .onRef("lead.id", "=", "entry.lead_id")
        .on("quarantined_at", "is", null)
        .on("deleted_at", "is", null)
        .on("withdrawn_at", "is", null)
        .on("merged_into", "is", null),
    )
    .select([
      "address_book.revision as book",
      "oldest_revision as oldest",
      "entry.name",
      "entry.revision",
      "lead.id as leadId",
    ])
    .where("address_book.owner_id", "=", ownerId)
    .orderBy("entry.revision");
}

/** The contacts of an owner with these names, in pages. Others, and those that are gone, are left out. */
export async function* readContacts(db: Db, ownerId: string, names: readonly string[]): AsyncGenerator<Contact[]> {
  for (let at = 0; at < names.length; at += pageSize) {
    const rows = await db
      .selectFrom("address_book_entry as entry")
      .innerJoin("lead", "lead.id", "entry.lead_id")
      .selectAll("lead")
      .select(["entry.name as entryName", "entry.revision"])
      .where("entry.owner_id", "=", ownerId)
      .where("entry.name", "in", names.slice(at, at + pageSize))
      .where("quarantined_at", "is", null)
      .where("deleted_at", "is", null)
      .where("withdrawn_at", "is", null)
      .where("merged_into", "is", null)
      .execute();
    const people = await withMerged(db, rows.map(toLead));
    yield rows.flatMap(({ entryName, revision }, index) => {
      const person = people[index];
      return person ? [{ name: entryName, revision, vcard: toOwnVCard(person) }] : [];
    });
    // SQLite answers at once: other requests get their turn.
    await setImmediate();
  }
}

const pageSize = 100;
