import { expressionBuilder, sql } from "kysely";
import type { Selectable } from "kysely";
import { z } from "zod";

import { mapFields } from "#app/services/base/form-fields.ts";
import type { Schema } from "#app/services/database/schema.ts";

import {
  addressFields,
  emailKinds,
  emptyOptionalFields,
  optionalTextNames,
  phoneKinds,
  visibilities,
  visibilityFields,
} from "./card-fields.ts";
import { readDesign } from "./card-design.ts";
import type { Card, CardInput } from "./schema.ts";

/** The columns that saving a card writes. */
export function toRow(card: CardInput) {
  return {
    card_name: card.cardName,
    profession: card.profession,
    company: card.company,
    position: card.position,
    email: card.email,
    phone: card.phone,
    years: card.yearsExperience,
    professional_links: JSON.stringify(card.links),
    is_public: card.isPublic ? (1 as const) : (0 as const),
    optional_fields: JSON.stringify(storedFields.parse(card)),
    ...card.design,
  };
}

export function toCard(row: Selectable<Schema["card"]>): Card {
  return {
    id: row.id,
    code: row.code,
    ownerId: row.owner_id,
    cardName: row.card_name,
    profession: row.profession,
    company: row.company,
    position: row.position,
    email: row.email,
    phone: row.phone,
    yearsExperience: row.years,
    links: storedLinks.parse(JSON.parse(row.professional_links)),
    isPublic: row.is_public === 1,
    ...storedFields.parse(JSON.parse(row.optional_fields)),
    design: readDesign(row),
    logoKey: row.logo_key_prefix,
    isPaused: row.is_paused === 1,
    listPosition: row.list_position,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

const storedLinks = z.array(z.object({ id: z.string(), name: z.string(), url: z.string() }));

const storedText = z.string().default("");
/** One that only a newer release knows keeps the field off the page: what the owner meant to hide must not become public. */
const storedVisibility = z.enum(visibilities).optional().catch("file");

/** A field that was added later has a default: no migration. */
const storedFields = z.object({
  ...mapFields(optionalTextNames, () => storedText),
  phones: z.array(contactMethod(phoneKinds)).default([]),
  emails: z.array(contactMethod(emailKinds)).default([]),
  address: z.object(mapFields(addressFields, () => storedText)).default(emptyOptionalFields().address),
  visibility: z.object(mapFields(visibilityFields, () => storedVisibility)).default({}),
});

function contactMethod<Kind extends string>(kinds: readonly [Kind, ...Kind[]]) {
  return z.object({ kind: z.enum(kinds).catch(kinds[0]), value: z.string(), visibility: storedVisibility });
}

/** Selects how many cards their owner created earlier as `older_cards`, in the order of `byAge`. */
export const olderCards = expressionBuilder<Schema, "card">()
  .selectFrom("card as older")
  .select((row) => row.fn.countAll<number>().as("count"))
  .whereRef("older.owner_id", "=", "card.owner_id")
  .where(sql<boolean>`(older.created_at, older.id) < (card.created_at, card.id)`)
  .as("older_cards");
