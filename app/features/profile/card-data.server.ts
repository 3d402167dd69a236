import type { Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

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

/**
 * Stores the card that visitors find on a profile, `noContactCard`, or "" for the oldest public one. The profile's version stays the same,
 * because its form doesn't contain the choice.
 */
export async function chooseContactCard(
  trx: Trx,
  events: Services["events"],
  { ownerId, cardId }: { ownerId: string; cardId: string },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable("profile")
    .set({ contact_card_id: cardId })
    .where("owner_id", "=", ownerId)
    .where("contact_card_id", "!=", cardId)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await events.record(trx, { kind: "profile.saved", ownerId });
}
