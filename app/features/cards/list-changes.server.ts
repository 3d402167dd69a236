import type { Plan } from "#app/features/billing/rules.ts";
import { transact } from "#app/services/database.server.ts";
import type { Db } from "#app/services/database.server.ts";

import { cardIdOf } from "./card-id.server.ts";
import { createCard, findOwnCard } from "./data.server.ts";
import type { Card, CreateCardResult } from "./data.server.ts";
import { movedTo } from "./card-moves.ts";
import type { Move } from "./card-moves.ts";
import { copyName } from "./rules.ts";

/**
 * Takes an own card out of the public for a while, or shows it again. Not a version of the card: a form that is open elsewhere can
 * still be saved. The card as it is now, or undefined where there is none.
 */
export async function pauseCard(
  db: Db,
  { ownerId, id, isPaused }: { ownerId: string; id: string; isPaused: boolean },
): Promise<Card | undefined> {
  const { numUpdatedRows } = await db
    .updateTable("card")
    .set({ is_paused: isPaused ? 1 : 0 })
    .where("id", "=", id)
    .where("user_id", "=", ownerId)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? findOwnCard(db, { ownerId, id }) : undefined;
}

/** Puts an own card to another place in the order, as the order is now. False when there is no such own card. */
export async function moveCard(db: Db, { ownerId, ...move }: Move & { ownerId: string }): Promise<boolean> {
  return transact(db, async (trx) => {
    // Changes nothing but waits for its turn: two tabs that read one order would each write their own half of another.
    await trx
      .updateTable("profile")
      .set((expression) => ({ cards_owned: expression.ref("cards_owned") }))
      .where("user_id", "=", ownerId)
      .execute();
    const cards = await trx
      .selectFrom("card")
      .select(["id", "place"])
      .where("user_id", "=", ownerId)
      .orderBy("place", "desc")
      .orderBy("id", "desc")
      .execute();
    if (!cards.some(({ id }) => id === move.id)) return false;
    const ids = movedTo(
      cards.map(({ id }) => id),
      move,
    );
    for (const { id, place } of ids ? placed(ids, cards) : []) {
      await trx.updateTable("card").set({ place }).where("id", "=", id).where("user_id", "=", ownerId).execute();
    }
    return true;
  });
}

/** Makes a private copy of an own card, without its logo, once for each form. Undefined where there is no such own card. */
export async function duplicateCard(
  db: Db,
  copy: { ownerId: string; plan: Plan; id: string; formId: string; now: number },
): Promise<(Exclude<CreateCardResult, { kind: "gone" }> & { hadLogo: boolean }) | undefined> {
  const { ownerId, plan, id, formId, now } = copy;
  const original = await findOwnCard(db, { ownerId, id });
  if (!original) return undefined;
  const links = original.links.map((link) => ({ ...link, id: crypto.randomUUID() }));
  const change = { ...original, cardName: copyName(original.cardName), isPublic: false, links };
  const made = await createCard(db, { ownerId, plan, id: cardIdOf(ownerId, `copy\n${formId}\n${id}`), change, now });
  if (made.kind === "gone") return undefined;
  return { ...made, hadLogo: original.logoStem !== null };
}

/**
 * The places that put cards into the order of `ids`: those that they have already, so that a new card still comes first. No two
 * alike, or their order would be that of their ids. Only cards whose place changes.
 */
function placed(ids: readonly string[], cards: readonly { id: string; place: number }[]) {
  const places: number[] = [];
  for (const { place } of cards.toReversed()) places.push(Math.max(place, (places.at(-1) ?? -1) + 1));
  const before = new Map(cards.map(({ id, place }) => [id, place]));
  return ids
    .toReversed()
    .map((id, at) => ({ id, place: places[at] ?? 0 }))
    .filter(({ id, place }) => before.get(id) !== place);
}
