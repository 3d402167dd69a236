import type { Trx } from "./database.server.ts";

/**
 * Makes other writes of this owner wait until the transaction ends. A write to a card takes this lock before it: recording its event
 * locks the owner's profile too, and two writes that lock card and profile in different orders would deadlock.
 */
export async function lockOwner(trx: Trx, ownerId: string): Promise<void> {
  // An update that changes nothing works on both engines; SQLite has no "for update".
  await trx
    .updateTable("profile")
    .set((expression) => ({ cards_owned: expression.ref("cards_owned") }))
    .where("owner_id", "=", ownerId)
    .execute();
}
