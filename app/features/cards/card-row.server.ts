import { expressionBuilder } from "kysely";
import type { Selectable } from "kysely";
import { z } from "zod";

import type { Schema } from "#app/services/database/schema.ts";

import {
  addressFields,
  emailKinds,
  emptyOptionalFields,
  mapFields,
  optionalTextNames,
  phoneKinds,
  visibilities,
  visibilityFields,
} from "./card-fields.ts";
import type { ContactMethod, OptionalFields } from "./card-fields.ts";
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
    more: JSON.stringify(toStoredFields(card)),
    ...card.design,
  };
}

export function toCard(row: Selectable<Schema["card"]>): Card {
  return {
    id: row.id,
    code: row.code ?? "",
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
    ...readOptionalFields(row.more),
    design: readDesign(row),
    logoKey: row.logo_stem,
    isPaused: row.is_paused === 1,
    place: row.place,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

const storedLinks = z.array(z.object({ id: z.string(), name: z.string(), url: z.string() }));

/** The optional fields as JSON. Visibility is stored as `shown`. */
function toStoredFields(card: OptionalFields) {
  const toStoredRow = ({ kind, value, visibility }: ContactMethod) => ({ kind, value, shown: visibility });
  return {
    ...mapFields(optionalTextNames, (name) => card[name]),
    phones: card.phones.map(toStoredRow),
    emails: card.emails.map(toStoredRow),
    address: card.address,
    shown: card.visibility,
  };
}

/**
 * The optional fields of a row, which may predate some of them or come from a newer release with fields unknown here. Whatever is
 * unreadable is empty, so that the rest of the card stays readable.
 */
function readOptionalFields(json: string): OptionalFields {
  try {
    return storedFields.parse(JSON.parse(json));
  } catch (error) {
    if (error instanceof SyntaxError) return emptyOptionalFields();
    throw error;
  }
}

const storedText = z.string().catch("");
/** An unknown visibility keeps the field off the page: what the owner meant to hide must not become public. */
const storedVisibility = z.enum(visibilities).catch("file").optional();

const storedFields = z
  .object({
    ...mapFields(optionalTextNames, () => storedText),
    phones: storedContactMethods(z.enum(phoneKinds).catch("work")),
    emails: storedContactMethods(z.enum(emailKinds).catch("work")),
    address: z.object(mapFields(addressFields, () => storedText)).catch(() => emptyOptionalFields().address),
    shown: z.object(mapFields(visibilityFields, () => storedVisibility)).catch({}),
  })
  .transform(({ shown, ...fields }): OptionalFields => ({ ...fields, visibility: withoutUndefined(shown) }))
  .catch(emptyOptionalFields);

/** The readable rows that hold something. */
function storedContactMethods(kind: z.ZodType<ContactMethod["kind"]>) {
  const storedRow = z.object({ kind, value: z.string(), shown: storedVisibility });
  return z
    .array(z.unknown())
    .catch([])
    .transform((rows): ContactMethod[] =>
      rows.flatMap((row) => {
        const parsed = storedRow.safeParse(row);
        if (!parsed.success || parsed.data.value === "") return [];
        const { shown, ...method } = parsed.data;
        return [shown ? { ...method, visibility: shown } : method];
      }),
    );
}

function withoutUndefined(shown: Partial<OptionalFields["visibility"]>): OptionalFields["visibility"] {
  return Object.fromEntries(Object.entries(shown).filter(([, visibility]) => visibility !== undefined));
}

/** Selects the id of the owner's oldest card as `oldest_id`, by the rule of `findOldest`. */
export const oldestCardId = expressionBuilder<Schema, "card">()
  .selectFrom("card as oldest")
  .select("oldest.id")
  .whereRef("oldest.owner_id", "=", "card.owner_id")
  .orderBy("oldest.created_at")
  .orderBy("oldest.id")
  .limit(1)
  .as("oldest_id");
