import { listConsents } from "#app/features/leads/consent-data.server.ts";
import { changeContacts } from "#app/features/leads/contact-data.server.ts";
import { agreedMonths } from "#app/features/leads/consent-text.ts";
import { announceLead } from "#app/features/leads/create-data.server.ts";
import { eraseInTransaction, findOwnLead, findRetentionMonths } from "#app/features/leads/data.server.ts";
import { toLead } from "#app/features/leads/lead-row.server.ts";
import { endOfRetention } from "#app/features/leads/rules.ts";
import type { LeadConsent } from "#app/features/leads/schema.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { listTagsOf, withMerged } from "./inbox-data.server.ts";
import type { TaggedLead } from "./inbox-data.server.ts";
import { mergeNotes } from "./lead/notes-rules.ts";
import type { LeadNotes, NotesField } from "./lead/notes-rules.ts";
import type { Person } from "./merge/person-rules.ts";
import { undoMs } from "#app/features/leads/inbox-rules.ts";
import { saveSearchText } from "./search-data.server.ts";

type OwnLead = { ownerId: string; id: string };
type OwnLeads = { ownerId: string; ids: readonly string[] };

export type InboxLead = { lead: Person<TaggedLead>; consents: LeadConsent[] };

/**
 * An owner's lead with the proof of its consents and what is merged into it; undefined for another owner's, a deleted one and an unknown id.
 */
export async function findInboxLead(db: Db, { ownerId, id }: OwnLead): Promise<InboxLead | undefined> {
  const found = await findOwnLead(db, { ownerId, id });
  if (!found || found.isDeleted) return undefined;
  const [lead] = await withMerged(db, [found.lead]);
  return lead && { lead, consents: found.consents };
}

/** Marks a lead as opened at `readAt`, or as unread. */
export async function markRead(db: Db, { ownerId, id, readAt }: OwnLead & { readAt: number | null }): Promise<void> {
  await db
    .updateTable("lead")
    .set({ read_at: readAt })
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .$if(readAt !== null, (query) => query.where("read_at", "is", null))
    .execute();
}

type NotesChange = OwnLead & {
  notes: LeadNotes;
  /** What the form was opened with; undefined replaces whatever is stored. */
  base: unknown;
  now: number;
};

export type SaveNotesResult =
  | { kind: "saved" }
  /** There is no such lead, or its visitor withdrew everything. */
  | { kind: "gone" }
  /** These fields were also changed elsewhere. Nothing was saved. */
  | { kind: "conflict"; fields: NotesField[]; merged: LeadNotes; stored: LeadNotes };

/** Saves what the owner wrote about a lead, merged with what another window or device saved meanwhile. */
export async function saveLeadNotes(db: Db, change: NotesChange): Promise<SaveNotesResult> {
  const { ownerId, id, now, base } = change;
  return transact(db, async (trx): Promise<SaveNotesResult> => {
    const stored = await lockNotes(trx, { ownerId, id });
    if (!stored) return { kind: "gone" };
    const merged = mergeNotes({ base: base ?? stored, mine: change.notes, other: stored });
    const { notes } = merged;
    if (merged.conflicts.length > 0) return { kind: "conflict", fields: merged.conflicts, merged: notes, stored };
    await trx
      .updateTable("lead")
      .set((row) => ({
        status: notes.status,
        owner_note: notes.ownerNote,
        follow_up: notes.followUp,
        ...(notes.followUp !== stored.followUp && {
          follow_up_changed_at: now,
          follow_up_changes: row("follow_up_changes", "+", 1),
        }),
      }))
      .where("id", "=", id)
      .where("owner_id", "=", ownerId)
      .execute();
    await trx.deleteFrom("lead_tag").where("lead_id", "=", id).execute();
    await addTag(trx, { ownerId, ids: [id], tags: notes.tags });
    return { kind: "saved" };
  });
}

/** What is stored. No one else changes it until the transaction ends. */
async function lockNotes(trx: Trx, { ownerId, id }: OwnLead): Promise<LeadNotes | undefined> {
  const row = await trx
    .updateTable("lead")
    .set((lead) => ({ status: lead.ref("status") }))
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .where("withdrawn_at", "is", null)
    .where("deleted_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (!row) return undefined;
  const { status, ownerNote, followUp } = toLead(row);
  return { status, ownerNote, followUp, tags: (await listTagsOf(trx, [id])).get(id) ?? [] };
}

/** Adds tags to leads of an owner that are there. Returns to how many. */
export async function tagLeads(db: Db, tagging: OwnLeads & { tags: readonly string[] }): Promise<number> {
  return transact(db, (trx) => addTag(trx, tagging));
}

async function addTag(trx: Trx, { ownerId, ids, tags }: OwnLeads & { tags: readonly string[] }): Promise<number> {
  if (ids.length === 0) return 0;
  // Locks them, so that two changes at the same moment both get into the text that is searched.
  const leads = await trx
    .updateTable("lead")
    .set((lead) => ({ status: lead.ref("status") }))
    .where("owner_id", "=", ownerId)
    .where("id", "in", ids)
    .where("withdrawn_at", "is", null)
    .where("deleted_at", "is", null)
    .returning("id")
    .execute();
  const rows = leads.flatMap(({ id }) => tags.map((tag) => ({ lead_id: id, tag, owner_id: ownerId })));
  if (rows.length > 0)
    await trx
      .insertInto("lead_tag")
      .values(rows)
      .onConflict((conflict) => conflict.columns(["lead_id", "tag"]).doNothing())
      .execute();
  await saveSearchText(
    trx,
    leads.map(({ id }) => id),
  );
  return leads.length;
}

type AcceptDeps = Pick<Services, "db" | "events">;

/** Takes leads out of quarantine: from now on they are counted and announced like others. Returns how many there were. */
export async function acceptLeads({ db, events }: AcceptDeps, { ownerId, ids }: OwnLeads): Promise<number> {
  if (ids.length === 0) return 0;
  return transact(db, async (trx) => {
    const months = await findRetentionMonths(trx, ownerId);
    const leads = await trx
      .updateTable("lead")
      .set({ quarantined_at: null })
      .where("owner_id", "=", ownerId)
      .where("id", "in", ids)
      .where("quarantined_at", "is not", null)
      .where("deleted_at", "is", null)
      .returning(["id", "card_id", "source", "created_at"])
      .execute();
    for (const { id, card_id: cardId, source, created_at: createdAt } of leads) {
      await trx
        .updateTable("lead")
        .set({ expires_at: endOfRetention(createdAt, agreedMonths(await listConsents(trx, id), months)) })
        .where("id", "=", id)
        .execute();
      await announceLead(trx, events, { id, ownerId, cardId, source, hour: Math.floor(createdAt / 3_600_000) });
    }
    await changeContacts(trx, { ownerId, ids: leads.map(({ id }) => id) });
    return leads.length;
  });
}

export const eraseJob = "erase deleted leads";
export type EraseJob = { ownerId: string; deletedAt: number };

type DeleteDeps = Pick<Services, "db" | "jobs" | "clock">;

/** Hides leads, with those merged into them, and erases them when it can't be undone any more. */
export async function deleteLeads(
  { db, jobs, clock }: DeleteDeps,
  { ownerId, ids }: OwnLeads,
): Promise<{ count: number; deletedAt: number }> {
  const deletedAt = clock();
  if (ids.length === 0) return { count: 0, deletedAt };
  return transact(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("lead")
      .set({ deleted_at: deletedAt })
      .where("owner_id", "=", ownerId)
      .where("id", "in", ids)
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) {
      await trx
        .updateTable("lead")
        .set({ deleted_at: deletedAt })
        .where("owner_id", "=", ownerId)
        .where("merged_into", "in", ids)
        .where("deleted_at", "is", null)
        .execute();
      await changeContacts(trx, { ownerId, ids });
      await jobs.schedule(trx, { kind: eraseJob, payload: { ownerId, deletedAt }, runAt: deletedAt + undoMs });
    }
    return { count: Number(numUpdatedRows), deletedAt };
  });
}

/** Brings back what was deleted at that time. Returns of how many people; 0 when it is too late. */
export async function undoDeletion(
  { db, clock }: Pick<Services, "db" | "clock">,
  { ownerId, deletedAt }: EraseJob,
): Promise<number> {
  if (clock() >= deletedAt + undoMs) return 0;
  return transact(db, async (trx) => {
    const rows = await trx
      .updateTable("lead")
      .set({ deleted_at: null })
      .where("owner_id", "=", ownerId)
      .where("deleted_at", "=", deletedAt)
      .returning(["id", "merged_into"])
      .execute();
    const isDeleted = trx
      .selectFrom("lead")
      .select("id")
      .where("owner_id", "=", ownerId)
      .where("deleted_at", "is not", null);
    // Its main lead was deleted later than itself.
    await trx
      .updateTable("lead")
      .set({ merged_into: null, merge_parent: null, merge_filled: "[]" })
      .where("id", "in", [...rows.map(({ id }) => id), ""])
      .where("merged_into", "in", isDeleted)
      .execute();
    await changeContacts(trx, { ownerId, ids: rows.flatMap(({ id, merged_into }) => [id, merged_into]) });
    return countPeople(rows);
  });
}

function countPeople(rows: readonly { id: string; merged_into: string | null }[]): number {
  return new Set(rows.map(({ id, merged_into }) => merged_into ?? id)).size;
}

/** Of how many people leads were deleted at that time that can still be brought back. */
export async function countDeleted(
  { db, clock }: Pick<Services, "db" | "clock">,
  { ownerId, deletedAt }: EraseJob,
): Promise<number> {
  if (clock() >= deletedAt + undoMs) return 0;
  const rows = await db
    .selectFrom("lead")
    .select(["id", "merged_into"])
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "=", deletedAt)
    .execute();
  return countPeople(rows);
}

type EraseDeps = Pick<Services, "db" | "events" | "sign" | "clock">;

/** Erases for good what was deleted at that time and not brought back. */
export async function eraseDeleted(services: EraseDeps, { ownerId, deletedAt }: EraseJob): Promise<void> {
  for (;;) {
    const count = await transact(services.db, async (trx) => {
      const some = trx
        .selectFrom("lead")
        .select("id")
        .where("owner_id", "=", ownerId)
        .where("deleted_at", "=", deletedAt)
        .limit(100);
      // Locks them: an undo at the same moment either comes first or finds nothing.
      const rows = await trx
        .updateTable("lead")
        .set({ deleted_at: deletedAt })
        .where("id", "in", some)
        .where("deleted_at", "=", deletedAt)
        .returning("id")
        .execute();
      await eraseInTransaction(trx, services, { ownerId, ids: rows.map(({ id }) => id) });
      return rows.length;
    });
    if (count === 0) return;
  }
}
