import { expressionBuilder } from "kysely";

import type { Plan } from "#app/features/billing/rules.ts";
import { noContactCard } from "#app/features/profile/rules.ts";
import type { Schema } from "#app/services/database/schema.ts";

/** The columns of a profile's query that `findContactCard` reads, null without such a card. */
export type ContactCards = { contact_card_id: string } & Record<
  | "first_open_id"
  | "first_open_code"
  | "oldest_open_id"
  | "oldest_open_code"
  | "first_form_id"
  | "first_form_code"
  | "oldest_form_id",
  string | null
>;

/** Selects, in a query of `profile`, the cards that Save Contact may open: one for each kind of plan. */
export const contactCardColumns = [
  firstOpenCard("id").as("first_open_id"),
  firstOpenCard("code").as("first_open_code"),
  oldestOpenCard("id").as("oldest_open_id"),
  oldestOpenCard("code").as("oldest_open_code"),
  firstOpenCard("id").where(hasLeadForm).as("first_form_id"),
  firstOpenCard("code").where(hasLeadForm).as("first_form_code"),
  oldestForm().as("oldest_form_id"),
] as const;

/**
 * The card whose contact file the profile offers: the one that its owner chose, or else the first in their order that visitors can open. A
 * plan with a limit shows only the oldest card. Undefined without a card to open, and when the owner chose none.
 */
export function findContactCard(plan: Pick<Plan, "maxCards">, row: ContactCards) {
  if (row.contact_card_id === noContactCard) return undefined;
  const isLimited = Number.isFinite(plan.maxCards);
  const id = isLimited ? row.oldest_open_id : row.first_open_id;
  const code = isLimited ? row.oldest_open_code : row.first_open_code;
  return id === null ? undefined : { id, code: code ?? "" };
}

/** The card whose form the profile offers, to share a contact: the first one with a form, by the same rules. */
export function findFormCard(plan: Pick<Plan, "maxCards">, row: ContactCards) {
  if (row.contact_card_id === noContactCard) return undefined;
  if (!Number.isFinite(plan.maxCards))
    return row.first_form_id === null ? undefined : { id: row.first_form_id, code: row.first_form_code ?? "" };
  const id = row.oldest_open_id;
  return id === null || row.oldest_form_id !== id ? undefined : { id, code: row.oldest_open_code ?? "" };
}

function firstOpenCard(column: "id" | "code") {
  return ownCards()
    .select(`card.${column} as value`)
    .where(isOpen)
    .orderBy((row) => row.case().when("card.id", "=", row.ref("profile.contact_card_id")).then(0).else(1).end())
    .orderBy("card.list_position", "desc")
    .orderBy("card.id", "desc")
    .limit(1);
}

/** By the rule of `findOldest`; null while visitors can't open that one. */
function oldestOpenCard(column: "id" | "code") {
  return ownCards()
    .select((row) =>
      row
        .case()
        .when(isOpen())
        .then(row.ref(`card.${column}`))
        .end()
        .as("value"),
    )
    .orderBy("card.created_at")
    .orderBy("card.id")
    .limit(1);
}

/** The oldest card's id where its form is on. */
function oldestForm() {
  return ownCards()
    .leftJoin("lead_form", (join) => join.onRef("lead_form.card_id", "=", "card.id").on("lead_form.is_on", "=", 1))
    .select("lead_form.card_id as value")
    .orderBy("card.created_at")
    .orderBy("card.id")
    .limit(1);
}

function hasLeadForm() {
  const { exists, selectFrom } = expressionBuilder<Schema, "card">();
  const form = selectFrom("lead_form").select("lead_form.card_id").whereRef("lead_form.card_id", "=", "card.id");
  return exists(form.where("lead_form.is_on", "=", 1));
}

function ownCards() {
  return expressionBuilder<Schema, "profile">().selectFrom("card").whereRef("card.owner_id", "=", "profile.owner_id");
}

function isOpen() {
  return expressionBuilder<Schema, "card">().and({ "card.is_public": 1, "card.is_paused": 0 });
}
