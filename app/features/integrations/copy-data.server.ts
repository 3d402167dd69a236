import type { Selectable } from "kysely";
import { sql } from "kysely";

import { listChanges } from "#app/features/address-book/contacts-data.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { CopyState, IntegrationSchema } from "#app/services/database/webhook-schema.ts";
import { deleteInParts } from "#app/services/jobs/long-work.server.ts";

import type { RemoteContact } from "./destination.ts";
import { formatRemote, logMs, nextAttemptTime, parseRemote } from "./rules.ts";
import type { RemoteState } from "./rules.ts";

type StoredRow = Selectable<IntegrationSchema["integration_contact"]>;

/** A contact in the queue of an integration. */
export type CopyRow = Omit<StoredRow, "remote_id"> & { remote: RemoteState };

function toCopyRow({ remote_id, ...row }: StoredRow): CopyRow {
  return { ...row, remote: parseRemote(remote_id) };
}

/** Owners' integrations that haven't seen their latest changes, unless they are paused. Also of blocked owners: consents end. */
export async function listBehind(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("integration")
    .innerJoin("address_book", "address_book.owner_id", "integration.owner_id")
    .select("integration.id")
    .where("state", "=", "on")
    .whereRef("address_book.revision", ">", "seen_revision")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

type Behind = { id: string; ownerId: string; seenRevision: number };

/** Adds what has changed in the owner's contacts to what is left to do. */
export async function addChanges(db: Db, { id, ownerId, seenRevision }: Behind, now: number): Promise<void> {
  const since = await listChanges(db, { ownerId, since: seenRevision });
  // After a restore the changes aren't known: then everything is compared.
  const changes = since ?? (await listChanges(db, { ownerId }));
  if (!changes || changes.revision === seenRevision) return;
  await transact(db, async (trx) => {
    if (!since) await due(trx, { id, now }).execute();
    for (const names of inParts(changes.contacts.map(({ name }) => name)))
      await trx
        .insertInto("integration_contact")
        .values(names.map((name) => ({ integration_id: id, owner_id: ownerId, name, ...waiting(now) })))
        .onConflict((conflict) => conflict.columns(["integration_id", "name"]).doUpdateSet(waiting(now)))
        .execute();
    for (const names of inParts(changes.removed)) await due(trx, { id, now }).where("name", "in", names).execute();
    await trx.updateTable("integration").set({ seen_revision: changes.revision }).where("id", "=", id).execute();
  });
}

function waiting(now: number) {
  const fresh = { attempts: 0, first_attempt_at: null, next_attempt_at: now, updated_at: now };
  return { state: "waiting" as const, ...fresh };
}

function due(trx: Trx, { id, now }: { id: string; now: number }) {
  return trx.updateTable("integration_contact").set(waiting(now)).where("integration_id", "=", id);
}

function* inParts<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += partSize) yield all.slice(at, at + partSize);
}

const partSize = 500;
const dayMs = 24 * 3_600_000;

/** What is due, the oldest first. */
export async function listDue(db: Db, { id, now, limit }: { id: string; now: number; limit: number }) {
  const rows = await db
    .selectFrom("integration_contact")
    .selectAll()
    .where("integration_id", "=", id)
    .where("next_attempt_at", "<=", now)
    .orderBy("next_attempt_at")
    .limit(limit)
    .execute();
  return rows.map(toCopyRow);
}

/** The row as it is now; undefined when nothing is left to do for it. */
export async function findDue(db: Db, { integration_id, name }: CopyRow): Promise<CopyRow | undefined> {
  const row = await db
    .selectFrom("integration_contact")
    .selectAll()
    .where("integration_id", "=", integration_id)
    .where("name", "=", name)
    .where("next_attempt_at", "is not", null)
    .executeTakeFirst();
  return row && toCopyRow(row);
}

export async function findNextTime(db: Db, id: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("integration_contact")
    .select("next_attempt_at")
    .where("integration_id", "=", id)
    .where("next_attempt_at", "is not", null)
    .orderBy("next_attempt_at")
    .limit(1)
    .executeTakeFirst();
  return row?.next_attempt_at ?? undefined;
}

/** Notes what the other side is known to have now. Returns the row as it is then. */
export async function saveRemote(db: Db, row: CopyRow, remote: RemoteState): Promise<CopyRow> {
  await db
    .updateTable("integration_contact")
    .set({ remote_id: formatRemote(remote) })
    .where("integration_id", "=", row.integration_id)
    .where("name", "=", row.name)
    .execute();
  return { ...row, remote };
}

type Finished = {
  now: number;
  state: Exclude<CopyState, "waiting">;
  /** What is there. */
  contact?: RemoteContact | undefined;
  hash?: string;
  status?: number | undefined;
  answer?: string;
};

/** Notes that nothing is left to do for a contact, unless it was made due again meanwhile. */
export async function finishCopy(db: Db, row: CopyRow, finished: Finished): Promise<void> {
  const { now, state, contact, hash = "", status = null, answer = "" } = finished;
  const remote_id = formatRemote({ contact, isUnanswered: false });
  const copy = { remote_id, sent_hash: hash, status, answer, updated_at: now };
  await db
    .updateTable("integration_contact")
    .set((column) => ({
      ...copy,
      state: column
        .case()
        .when("next_attempt_at", "=", row.next_attempt_at)
        .then(state)
        .else(column.ref("state"))
        .end(),
      next_attempt_at: sql<number | null>`nullif(next_attempt_at, ${row.next_attempt_at})`,
    }))
    .where("integration_id", "=", row.integration_id)
    .where("name", "=", row.name)
    .execute();
}

/** `isRemoval`: the consent has ended, so that is tried for as long as the integration exists. */
type Failure = { now: number; status: number | undefined; answer: string; isRejected: boolean; isRemoval: boolean };

/** Notes a failed attempt: it is repeated for a day, unless the other side doesn't want the contact. */
export async function failCopy(db: Db, row: CopyRow, { now, ...failure }: Failure): Promise<void> {
  const attempts = row.attempts + 1;
  const first = row.first_attempt_at ?? now;
  const wanted = failure.isRejected ? undefined : nextAttemptTime({ attempts, firstAttemptAt: first, now });
  const next = wanted ?? (failure.isRemoval ? now + dayMs : undefined);
  await db
    .updateTable("integration_contact")
    .set({
      state: next === undefined ? "given-up" : "waiting",
      attempts,
      first_attempt_at: first,
      next_attempt_at: next ?? null,
      status: failure.status ?? null,
      answer: failure.answer,
      updated_at: now,
    })
    .where("integration_id", "=", row.integration_id)
    .where("name", "=", row.name)
    .execute();
}

/**
 * Whether another of the owner's contacts is the same one at the other side: two people with one address. Then that one is sent again instead
 * of deleting it there, and is ours if this one was.
 */
export async function handOver(
  db: Db,
  row: CopyRow,
  { contact, now }: { contact: RemoteContact; now: number },
): Promise<boolean> {
  const remoteOf = (isOurs: boolean) => formatRemote({ contact: { ...contact, isOurs }, isUnanswered: false });
  const { numUpdatedRows } = await db
    .updateTable("integration_contact")
    .set({ ...waiting(now), sent_hash: "", ...(contact.isOurs && { remote_id: remoteOf(true) }) })
    .where("integration_id", "=", row.integration_id)
    .where("remote_id", "in", [remoteOf(true), remoteOf(false)])
    .where("name", "<>", row.name)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The latest of the log, with the lead while there is one, and how many are in each state. */
export async function readLog(db: Db, { id, limit }: { id: string; limit: number }) {
  const rows = await db
    .selectFrom("integration_contact as copy")
    .leftJoin("address_book_entry as entry", (join) =>
      join.onRef("entry.owner_id", "=", "copy.owner_id").onRef("entry.name", "=", "copy.name"),
    )
    .leftJoin("lead", "lead.id", "entry.lead_id")
    .select(["copy.name as copyName", "copy.state", "copy.status", "copy.answer", "copy.updated_at as updatedAt"])
    .select(["copy.next_attempt_at as nextAt", "copy.attempts", "lead.id as leadId"])
    .select(["lead.name", "lead.company", "lead.email", "lead.phone", "lead.withdrawn_at as withdrawnAt"])
    .where("copy.integration_id", "=", id)
    .orderBy("copy.updated_at", "desc")
    .orderBy("copy.name", "desc")
    .limit(limit)
    .execute();
  const counts = await db
    .selectFrom("integration_contact")
    .select(["state", sql<number>`count(*)`.as("count")])
    .where("integration_id", "=", id)
    .groupBy("state")
    .execute();
  const shown = rows.map(({ leadId, name, company, email, phone, withdrawnAt, ...row }) => {
    const isThere = leadId !== null && withdrawnAt === null;
    const details = { name: name ?? "", company: company ?? "", email: email ?? "", phone: phone ?? "" };
    return { ...row, lead: isThere ? { id: leadId, ...details } : undefined };
  });
  const { there } = await db
    .selectFrom("integration_contact")
    .select((row) => row.fn.countAll<number>().as("there"))
    .where("integration_id", "=", id)
    .where(
      "remote_id",
      "not in",
      [true, false].map((isUnanswered) => formatRemote({ isUnanswered })),
    )
    .executeTakeFirstOrThrow();
  return {
    rows: shown,
    there,
    counts: new Map(counts.map(({ state, count }) => [state, count])),
  };
}

/** Deletes what is over from the log, for contacts that aren't at the other side. */
export function deleteOldCopies(db: Db, now: number): Promise<number> {
  const where = sql`next_attempt_at is null and remote_id = '' and updated_at < ${now - logMs}`;
  return deleteInParts(db, { from: "integration_contact", key: ["integration_id", "name"], where });
}
