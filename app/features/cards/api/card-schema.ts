import { z } from "zod";

import { layoutChoices, paperChoices } from "#app/features/cards/card-design.ts";
import {
  addressFields,
  emailKinds,
  optionalTextNames,
  phoneKinds,
  visibilities,
  visibilityFields,
} from "#app/features/cards/card-fields.ts";
import { cardPath } from "#app/features/cards/address-rules.ts";
import { cardFieldSchemas as fields } from "#app/features/cards/schema.ts";
import type { Card } from "#app/features/cards/schema.ts";
import { textOutput, timeOutput, toTime } from "#app/services/api/schemas.ts";
import { mapFields } from "#app/services/base/form-fields.ts";

const textNames = ["profession", "company", "position", "email", "phone", ...optionalTextNames] as const;

/** An empty text is sent as null or "". */
function emptyable<Schema extends z.ZodType<string>>(schema: Schema) {
  return schema.nullable().transform((text) => text ?? "");
}

const contactMethod = (kinds: readonly string[]) => ({
  type: "object",
  properties: {
    kind: { enum: kinds },
    value: { type: "string" },
    visibility: { enum: [...visibilities], description: "Where it appears; without one, everywhere." },
  },
  required: ["kind", "value"],
});

const linkItems = {
  type: "object",
  properties: {
    id: { type: "string", description: "Of an existing link, whose clicks are counted by it." },
    name: { type: "string", description: "Also accepted as `label`." },
    url: { type: "string" },
  },
  required: ["url"],
};

const changes = {
  ...mapFields(textNames, (name) => emptyable<z.ZodType<string>>(fields[name]).optional()),
  yearsExperience: fields.yearsExperience.optional(),
  links: fields.links.meta({ items: linkItems }).optional().describe("The complete list, in order."),
  isPublic: fields.isPublic.optional().describe("Whether anyone with the link can open the card."),
  phones: fields.phones.meta({ items: contactMethod(phoneKinds) }).optional(),
  emails: fields.emails.meta({ items: contactMethod(emailKinds) }).optional(),
  address: z
    .strictObject(mapFields(addressFields, (name) => emptyable(fields.address.shape[name]).optional()))
    .optional(),
  visibility: fields.visibility
    .optional()
    .describe("Fields that appear only on the page, or only in the contact file."),
  design: fields.design.partial().strict().optional(),
};

/** What a new card is made from. */
export const newCardBody = z
  .strictObject({
    userId: z.string().optional().describe("The owner's id. If it is sent, it must be the key's."),
    cardName: fields.cardName
      .optional()
      .describe("By default your name and “Business Card”, with a number if that is taken."),
    ...changes,
  })
  .meta({ examples: [{ cardName: "Work", links: [{ name: "Portfolio", url: "https://example.com" }] }] });

/** What may change. */
export const cardChangeBody = z
  .strictObject({
    cardName: fields.cardName.optional(),
    ...changes,
    isPaused: z.boolean().optional().describe("Hides the card from visitors."),
  })
  .meta({ examples: [{ position: "Engineer", address: { city: "London" } }] });

const methodOutput = (kinds: readonly [string, ...string[]]) =>
  z.array(z.object({ kind: z.enum(kinds), value: z.string(), visibility: z.enum(visibilities).nullable() }));

/** A card as the API returns it. */
export const cardOutput = z
  .object({
    id: z.string(),
    userId: z.string(),
    url: z.url().describe("The page that visitors open."),
    cardName: z.string(),
    ...mapFields(textNames, () => textOutput),
    yearsExperience: z.number().nullable(),
    links: z.array(z.object({ id: z.string(), name: z.string(), url: z.string() })),
    isPublic: z.boolean(),
    isPaused: z.boolean(),
    phones: methodOutput(phoneKinds),
    emails: methodOutput(emailKinds),
    address: z.object(mapFields(addressFields, () => textOutput)),
    visibility: z.partialRecord(z.enum(visibilityFields), z.enum(visibilities)),
    design: z.object({
      accent: z.string(),
      layout: z.enum(layoutChoices.map(({ id }) => id)),
      paper: z.enum(paperChoices.map(({ id }) => id)),
    }),
    version: z.int(),
    createdAt: timeOutput,
    updatedAt: timeOutput,
  })
  .meta({ id: "Card" });

/** Where visitors find a card. */
export const shareOutput = z
  .object({
    url: z.url(),
    qrCodeSvg: z.url(),
    qrCodePng: z.url(),
    contactFile: z.url(),
    isPublic: z.boolean().describe("Whether visitors can open these."),
  })
  .meta({ id: "ShareLinks" });

type CardOutput = z.input<typeof cardOutput>;

export function toCardOutput(card: Card, baseUrl: string): CardOutput {
  const orNull = (text: string) => text || null;
  const { logoKey: _, code: __, listPosition: ___, ownerId, createdAt, updatedAt, ...same } = card;
  const withVisibility = ({ visibility, ...method }: Card["phones"][number]) => ({
    ...method,
    visibility: visibility ?? null,
  });
  return {
    ...same,
    ...mapFields(textNames, (name) => orNull(card[name])),
    userId: ownerId,
    url: baseUrl + cardPath(card),
    phones: card.phones.map(withVisibility),
    emails: card.emails.map(withVisibility),
    address: mapFields(addressFields, (name) => orNull(card.address[name])),
    createdAt: toTime(createdAt),
    updatedAt: toTime(updatedAt),
  };
}
