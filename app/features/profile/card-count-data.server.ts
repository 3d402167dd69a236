import type { Trx } from "#app/services/database/database.server.ts";

/** Adds to the number of an owner's cards, or takes one off. False for an owner without a profile, and at the limit. */
export async function countCard(
  trx: Trx,
  { ownerId, by, limit = Infinity }: { ownerId: string; by: 1 | -1; limit?: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("profile")
    .set((expression) => ({ cards_owned: expression("cards_owned", "+", by) }))
    .where("owner_id", "=", ownerId)
    .$if(Number.isFinite(limit), (query) => query.where("cards_owned", "<", limit))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
