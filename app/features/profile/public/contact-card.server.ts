import { expressionBuilder } from "kysely";
import type { ExpressionBuilder, ExpressionWrapper } from "kysely";

import type { Plan } from "#app/features/billing/rules.ts";
import { noContactCard } from "#app/features/profile/rules.ts";
import type { Schema } from "#app/services/database/schema.ts";

/** The columns of a profile's query that `findContactCard` reads, null without such a card. */
export type ContactCards = { contact_card_id: string } & Record<
  "main_id" | "main_code" | "main_form" | "oldest_id" | "oldest_code" | "oldest_form",
  string | null
>;

/** Selects, in a query of `profile`, the cards that Save Contact may open: one for each kind of plan. */
export const contactCardColumns = [
  mainCard("id").as("main_id"),
  mainCard("code").as("main_code"),
  mainCard("form").as("main_form"),
  oldestCard("id").as("oldest_id"),
  oldestCard("code").as("oldest_code"),
  oldestCard("form").as("oldest_form"),
] as const;

/**
 * The card that the profile offers, by the rule of `findMainCard`: the one that its owner chose, or else the oldest that visitors can open.
 * A plan with a limit shows only the oldest card. Undefined without a card to open, and when the owner chose none.
 */
export function findContactCard(plan: Pick<Plan, "maxCards">, row: ContactCards) {
  if (row.contact_card_id === noContactCard) return undefined;
  const [id, code, form] = Number.isFinite(plan.maxCards)
    ? [row.oldest_id, row.oldest_code, row.oldest_form]
    : [row.main_id, row.main_code, row.main_form];
  return id === null ? undefined : { id, code: code ?? "", hasForm: form !== null };
}

/** Not by the owner's order, whose start a new card takes. */
function mainCard(column: CardColumn) {
  return ownCards()
    .select((row) => valueOf(row, column).as("value"))
    .where(isOpen)
    .orderBy((row) => row.case().when("card.id", "=", row.ref("profile.contact_card_id")).then(0).else(1).end())
    .orderBy("card.created_at")
    .orderBy("card.id")
    .limit(1);
}

/** By the rule of `findOldest`; null while visitors can't open that one. */
function oldestCard(column: CardColumn) {
  return ownCards()
    .select((row) => row.case().when(isOpen()).then(valueOf(row, column)).end().as("value"))
    .orderBy("card.created_at")
    .orderBy("card.id")
    .limit(1);
}

type CardColumn = "id" | "code" | "form";

/** For "form", the card's id where its contact form is on. */
function valueOf(
  row: ExpressionBuilder<Schema, "card">,
  column: CardColumn,
): ExpressionWrapper<Schema, "card", string | null> {
  if (column !== "form") return row.ref(`card.${column}`).$castTo<string | null>();
  const form = row.selectFrom("lead_form").select("lead_form.card_id").whereRef("lead_form.card_id", "=", "card.id");
  return row
    .case()
    .when(row.exists(form.where("lead_form.is_on", "=", 1)))
    .then(row.ref("card.id"))
    .end();
}

function ownCards() {
  return expressionBuilder<Schema, "profile">().selectFrom("card").whereRef("card.owner_id", "=", "profile.owner_id");
}

function isOpen() {
  return expressionBuilder<Schema, "card">().and({ "card.is_public": 1, "card.is_paused": 0 });
}
