import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

import { maxNotesPerDay } from "./note-schema.ts";
import type { DayNote } from "./note-schema.ts";

type NewNote = { ownerId: string; day: number; text: string; now: number };

/**
 * "full" when the day has its most notes, "gone" when the account was deleted meanwhile. The same note twice, as from a form that was sent
 * twice, is one.
 */
export async function addNote(db: Db, { ownerId, day, text, now }: NewNote): Promise<"added" | "full" | "gone"> {
  return transact(db, async (trx) => {
    if (!(await lockUser(trx, ownerId))) return "gone";
    const notes = await trx
      .selectFrom("day_note")
      .select(["slot", "text"])
      .where("owner_id", "=", ownerId)
      .where("day", "=", day)
      .execute();
    if (notes.some((note) => note.text === text)) return "added";
    const slots = Array.from({ length: maxNotesPerDay }, (_, slot) => slot);
    const slot = slots.find((free) => !notes.some((note) => note.slot === free));
    if (slot === undefined) return "full";
    await trx.insertInto("day_note").values({ owner_id: ownerId, day, slot, text, created_at: now }).execute();
    return "added";
  });
}

type NoteKey = { ownerId: string; day: number; slot: number };

/** False when the note is gone. */
export async function changeNote(db: Db, { text, ...key }: NoteKey & { text: string }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("day_note")
    .set({ text })
    .where("owner_id", "=", key.ownerId)
    .where("day", "=", key.day)
    .where("slot", "=", key.slot)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deleteNote(db: Db, { ownerId, day, slot }: NoteKey): Promise<void> {
  await db
    .deleteFrom("day_note")
    .where("owner_id", "=", ownerId)
    .where("day", "=", day)
    .where("slot", "=", slot)
    .execute();
}

/** All notes of an owner, or those of some days, both included. */
export async function listNotes(
  db: Db,
  { ownerId, from, to }: { ownerId: string; from?: number; to?: number },
): Promise<DayNote[]> {
  const rows = await db
    .selectFrom("day_note")
    .select(["day", "slot", "text"])
    .where("owner_id", "=", ownerId)
    .$if(from !== undefined, (query) => query.where("day", ">=", from ?? 0))
    .$if(to !== undefined, (query) => query.where("day", "<=", to ?? 0))
    .orderBy("day")
    .orderBy("slot")
    .execute();
  return rows.map(({ day, slot, text }) => ({ id: `${day}-${slot}`, day, text }));
}
