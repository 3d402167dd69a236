import { expressionBuilder } from "kysely";

import type { Schema } from "#app/services/schema.ts";

/** As `oldest_id`, beside a selected card: the id of its owner's first one, by the rule of `oldestOf`. */
export const oldestCardId = expressionBuilder<Schema, "card">()
  .selectFrom("card as oldest")
  .select("oldest.id")
  .whereRef("oldest.user_id", "=", "card.user_id")
  .orderBy("oldest.created_at")
  .orderBy("oldest.id")
  .limit(1)
  .as("oldest_id");
