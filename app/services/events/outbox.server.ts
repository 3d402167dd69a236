import type { Selectable } from "kysely";

import { transactWithoutFsync } from "#app/services/database/database.server.ts";
import type { Db, OpenDatabase, Trx } from "#app/services/database/database.server.ts";
import type { EventTable } from "#app/services/database/schema.ts";

import { eventKinds } from "./event.ts";
import type { DomainEvent } from "./event.ts";

export type EventRow = Pick<Selectable<EventTable>, "id" | "payload" | "created_at">;

export async function insertEvent(trx: Trx, event: DomainEvent, now: number): Promise<void> {
  const { id, kind, ownerId } = event;
  await trx
    .insertInto("event")
    .values({ id, kind, owner_id: ownerId, payload: JSON.stringify(event), created_at: now })
    .execute();
}

/**
 * Leases events that were recorded before `before` and that no other process delivers, oldest first. Of two processes that find the same
 * event, one gets it. Kinds of another version are left to processes that know them.
 */
export async function claimEvents(
  db: Db,
  { before, now, until }: { before: number; now: number; until: number },
): Promise<EventRow[]> {
  const found = await db
    .selectFrom("event")
    .select("id")
    .where("created_at", "<=", before)
    .where("leased_until", "<=", now)
    .where("kind", "in", eventKinds)
    .orderBy("created_at")
    .limit(maxClaimed)
    .execute();
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const rows = await db
    .updateTable("event")
    .set({ leased_until: until })
    .where("id", "in", ids)
    .where("leased_until", "<=", now)
    .returning(["id", "payload", "created_at"])
    .execute();
  return rows.toSorted((one, other) => one.created_at - other.created_at);
}

/** Doesn't wait for the disk: an event that comes back after a power cut is delivered again. */
export async function deleteEvents(database: Pick<OpenDatabase, "db" | "engine">, ids: readonly string[]) {
  await transactWithoutFsync(database, async (trx) => {
    for (let at = 0; at < ids.length; at += maxClaimed) {
      await trx
        .deleteFrom("event")
        .where("id", "in", ids.slice(at, at + maxClaimed))
        .execute();
    }
  });
}

export async function deleteEventsBefore(db: Db, time: number): Promise<void> {
  await db.deleteFrom("event").where("created_at", "<", time).execute();
}

const maxClaimed = 100;
