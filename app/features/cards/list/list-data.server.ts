import type { Plan } from "#app/features/billing/rules.ts";
import { transact } from "#app/services/database/database.server.ts";
import { lockOwner } from "#app/services/database/owner-lock.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { deriveCardId } from "#app/features/cards/code-data.server.ts";
import { createCard, findOwnCard, setPaused } from "#app/features/cards/data.server.ts";
import type { CreateCardResult } from "#app/features/cards/data.server.ts";
import type { Card } from "#app/features/cards/schema.ts";
import { copyName } from "#app/features/cards/rules.ts";

import { moveInOrder } from "./order-rules.ts";
import type { CardMove } from "./order-rules.ts";

/** What a write needs: its transaction also records the event. */
type WriteDeps = Pick<Services, "db" | "events">;

/** Hides a card from visitors, or shows it again, and returns it; undefined when the owner has no such card. */
export async function pauseCard(
  { db, events }: WriteDeps,
  { ownerId, id, isPaused }: { ownerId: string; id: string; isPaused: boolean },
): Promise<Card | undefined> {
  return transact(db, async (trx) => {
    await lockOwner(trx, ownerId);
    await setPaused(trx, events, { ownerId, id, isPaused });
    return findOwnCard(trx, { ownerId, id });
  });
}

/** Moves a card within the current order of its owner's cards. False when the owner has no such card. */
export async function moveCard(
  { db, events }: WriteDeps,
  { ownerId, ...move }: CardMove & { ownerId: string },
): Promise<boolean> {
  return transact(db, async (trx) => {
    // Two concurrent moves would otherwise each write half of a different order.
    await lockOwner(trx, ownerId);
    const cards = await trx
      .selectFrom("card")
      .select(["id", "list_position"])
      .where("owner_id", "=", ownerId)
      .orderBy("list_position", "desc")
      .orderBy("id", "desc")
      .execute();
    if (!cards.some(({ id }) => id === move.id)) return false;
    const ids = moveInOrder(
      cards.map(({ id }) => id),
      move,
    );
    const changed = ids ? changedPositions(ids, cards) : [];
    for (const { id, list_position } of changed)
      await trx
        .updateTable("card")
        .set({ list_position })
        .where("id", "=", id)
        .where("owner_id", "=", ownerId)
        .execute();
    if (changed.length > 0) await events.record(trx, { kind: "card.saved", ownerId, cardId: move.id });
    return true;
  });
}

/** Creates a private copy of a card without its logo, once per form. Undefined when the owner has no such card. */
export async function duplicateCard(
  deps: WriteDeps & Pick<Services, "rateLimits">,
  copy: { ownerId: string; plan: Plan; id: string; formId: string; now: number },
): Promise<(Exclude<CreateCardResult, { kind: "gone" }> & { hadLogo: boolean }) | undefined> {
  const { ownerId, plan, id, formId, now } = copy;
  const original = await findOwnCard(deps.db, { ownerId, id });
  if (!original) return undefined;
  const links = original.links.map((link) => ({ ...link, id: crypto.randomUUID() }));
  const change = { ...original, cardName: copyName(original.cardName), isPublic: false, links };
  const copyId = deriveCardId(ownerId, `copy\n${formId}\n${id}`);
  const result = await createCard(deps, { ownerId, plan, id: copyId, change, now });
  if (result.kind === "gone") return undefined;
  return { ...result, hadLogo: original.logoKey !== null };
}

/**
 * The positions that change when the cards are in the order of `ids`. The existing positions are reused, so that a new card still
 * comes first, and made distinct, because equal positions would be ordered by id.
 */
function changedPositions(ids: readonly string[], cards: readonly { id: string; list_position: number }[]) {
  const positions: number[] = [];
  for (const { list_position } of cards.toReversed())
    positions.push(Math.max(list_position, (positions.at(-1) ?? -1) + 1));
  const before = new Map(cards.map(({ id, list_position }) => [id, list_position]));
  return ids
    .toReversed()
    .map((id, index) => ({ id, list_position: positions[index] ?? 0 }))
    .filter(({ id, list_position }) => before.get(id) !== list_position);
}
