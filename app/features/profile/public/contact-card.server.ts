import { expressionBuilder } from "kysely";

import type { Plan } from "#app/features/billing/rules.ts";
import type { Schema } from "#app/services/database/schema.ts";

/** The cards that Save Contact may open, for a query of `profile`: one for each kind of plan, null without such a card. */
export const contactCardColumns = (() => {
  const card = expressionBuilder<Schema, "profile">()
    .selectFrom("card")
    .whereRef("card.owner_id", "=", "profile.owner_id");
  const isOpen = expressionBuilder<Schema, "card">().and({ "card.is_public": 1, "card.is_paused": 0 });
  return [
    card
      .select("card.id")
      .where(isOpen)
      .orderBy((row) => row.case().when("card.id", "=", row.ref("profile.contact_card_id")).then(0).else(1).end())
      .orderBy("card.place", "desc")
      .orderBy("card.id", "desc")
      .limit(1)
      .as("first_open_id"),
    // By the rule of `findOldest`; null while visitors can't open that one.
    card
      .select((row) => row.case().when(isOpen).then(row.ref("card.id")).end().as("id"))
      .orderBy("card.created_at")
      .orderBy("card.id")
      .limit(1)
      .as("oldest_open_id"),
  ] as const;
})();

/**
 * The id of the card whose contact file the profile offers: the one that its owner chose, or else the first in their order that visitors
 * can open. A plan with a limit shows only the oldest card. Undefined without a card to open.
 */
export function contactCardId(
  plan: Pick<Plan, "maxCards">,
  row: { first_open_id: string | null; oldest_open_id: string | null },
): string | undefined {
  return (Number.isFinite(plan.maxCards) ? row.oldest_open_id : row.first_open_id) ?? undefined;
}
