import { expressionBuilder } from "kysely";
import type { ExpressionBuilder, ExpressionWrapper } from "kysely";

import { planList } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import { noContactCard } from "#app/features/profile/rules.ts";
import type { Schema } from "#app/services/database/schema.ts";

/** The columns of a profile's query that `findContactCard` reads, null without such a card. */
export type ContactCards = { contact_card_id: string } & { [Name in ColumnName]: string | null };

type ColumnName = `${CardColumn}_of_${number}`;

/** Selects, in a query of `profile`, the cards that Save Contact may open: one for each number of cards that plans have. */
export const contactCardColumns = [...new Set(planList.map(({ maxCards }) => maxCards))].flatMap((maxCards) =>
  (["id", "code", "form"] as const).map((column) => mainCard(column, maxCards).as(columnName(column, maxCards))),
);

/**
 * The card that the profile offers, by the rule of `findMainCard`: the one that its owner chose, or else the oldest that visitors can open.
 * Undefined without a card to open, and when the owner chose none.
 */
export function findContactCard({ maxCards }: Pick<Plan, "maxCards">, row: ContactCards) {
  if (row.contact_card_id === noContactCard) return undefined;
  const [id, code, form] = (["id", "code", "form"] as const).map((column) => row[columnName(column, maxCards)] ?? null);
  return id ? { id, code: code ?? "", hasForm: form !== null } : undefined;
}

/** `of_0`: a plan without a limit. */
function columnName(column: CardColumn, maxCards: number): ColumnName {
  return `${column}_of_${Number.isFinite(maxCards) ? maxCards : 0}`;
}

/** Not by the owner's order, whose start a new card takes. */
function mainCard(column: CardColumn, maxCards: number) {
  return (Number.isFinite(maxCards) ? oldestCards(maxCards) : ownCards())
    .select((row) => valueOf(row, column).as("value"))
    .where(isOpen)
    .orderBy((row) => row.case().when("card.id", "=", row.ref("profile.contact_card_id")).then(0).else(1).end())
    .orderBy("card.created_at")
    .orderBy("card.id")
    .limit(1);
}

/** By the rule of `idsBeyondPlan`. */
function oldestCards(count: number) {
  const oldest = ownCards().select("card.id").orderBy("card.created_at").orderBy("card.id").limit(count);
  return ownCards().where("card.id", "in", oldest);
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
