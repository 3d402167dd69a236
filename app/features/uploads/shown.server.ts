import type { Trx } from "#app/services/database.server.ts";

import { cardOf } from "./rules.ts";
import type { Slot } from "./rules.ts";

/** What a slot shows from now on; null: nothing. */
export type Shown = { stem: string; filename: string; avatarOptions: string | null } | null;

type Change = { ownerId: string; slot: Slot; shown: Shown; now: number };

/**
 * Writes into the profile or the card what it shows. Not a save of the form: `version` stays, so that an editor that is open meanwhile
 * can still be saved. False when there is no such profile, or no such card of this owner.
 */
export async function setShown(trx: Trx, { ownerId, slot, shown, now }: Change): Promise<boolean> {
  const cardId = cardOf(slot);
  const query =
    cardId === undefined
      ? trx
          .updateTable("profile")
          .set({ ...profileColumns(slot, shown), updated_at: now })
          .where("user_id", "=", ownerId)
      : trx
          .updateTable("card")
          .set({ logo_stem: shown?.stem ?? null, updated_at: now })
          .where("id", "=", cardId)
          .where("user_id", "=", ownerId);
  const { numUpdatedRows } = await query.executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** All that is uploaded hangs on its owner's profile; who deleted their account has none. */
export async function hasProfile(trx: Trx, ownerId: string): Promise<boolean> {
  const row = await trx.selectFrom("profile").select("user_id").where("user_id", "=", ownerId).executeTakeFirst();
  return row !== undefined;
}

function profileColumns(slot: Slot, shown: Shown) {
  const stem = shown?.stem ?? null;
  if (slot === "avatar") return { avatar_stem: stem, avatar_options: shown?.avatarOptions ?? null };
  if (slot === "banner") return { banner_stem: stem };
  return { resume_stem: stem, resume_filename: shown?.filename ?? "" };
}
