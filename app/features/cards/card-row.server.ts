import type { Selectable } from "kysely";
import { z } from "zod";

import type { Schema } from "#app/services/schema.ts";

import type { Card, CardChange } from "./data.server.ts";
import { emailKinds, noMore, phoneKinds, placedFields, places } from "./more-fields.ts";
import type { CardMore, Reach } from "./more-fields.ts";

/** What a change writes, column by column. */
export function toRow(change: CardChange) {
  return {
    card_name: change.cardName,
    profession: change.profession,
    company: change.company,
    position: change.position,
    email: change.email,
    phone: change.phone,
    years_experience: change.yearsExperience,
    professional_links: JSON.stringify(change.links),
    is_public: change.isPublic ? (1 as const) : (0 as const),
    more: JSON.stringify(change.more),
  };
}

export function toCard(row: Selectable<Schema["card"]>): Card {
  return {
    id: row.id,
    userId: row.user_id,
    cardName: row.card_name,
    profession: row.profession,
    company: row.company,
    position: row.position,
    email: row.email,
    phone: row.phone,
    yearsExperience: row.years_experience,
    links: storedLinks.parse(JSON.parse(row.professional_links)),
    isPublic: row.is_public === 1,
    more: readMore(row.more),
    logoStem: row.logo_stem,
    isPaused: row.is_paused === 1,
    place: row.place,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

const storedLinks = z.array(z.object({ id: z.string(), name: z.string(), url: z.string() }));

/**
 * The further fields of a row, whoever wrote it: a card from before they were there, a newer program's with fields that this one does
 * not know. What can't be read is empty, because it must not take the whole card with it.
 */
function readMore(json: string): CardMore {
  try {
    return storedMore.parse(JSON.parse(json));
  } catch (error) {
    if (error instanceof SyntaxError) return noMore();
    throw error;
  }
}

const text = z.string().catch("");
/** A place that is not known here keeps the field from the page: what was meant to be hidden must not come out. */
const place = z.enum(places).catch("file").optional();

const storedMore = z
  .object({
    prefix: text,
    suffix: text,
    pronouns: text,
    department: text,
    website: text,
    phones: reaches(z.enum(phoneKinds).catch("work")),
    emails: reaches(z.enum(emailKinds).catch("work")),
    address: z
      .object({ street: text, city: text, region: text, postcode: text, country: text })
      .catch(() => noMore().address),
    shown: z.object(Object.fromEntries(placedFields.map((field) => [field, place]))).catch({}),
  })
  .catch(noMore);

/** Those that can be read. */
function reaches(kind: z.ZodType<Reach["kind"]>) {
  const reach = z.object({ kind, value: z.string(), shown: place });
  return z
    .array(z.unknown())
    .catch([])
    .transform((rows): Reach[] =>
      rows.flatMap((row) => {
        const read = reach.safeParse(row);
        return read.success && read.data.value !== "" ? [read.data] : [];
      }),
    );
}
