import { z } from "zod";

import { messages as linkMessages } from "#app/features/links/messages.ts";
import { isAllowedAddress, withScheme } from "#app/features/links/rules.ts";
import { professionalLinks } from "#app/features/links/schema.ts";
import { isEmail, toAsciiDomain } from "#app/services/base/email-address.ts";
import { mapFields } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { firstErrors } from "#app/ui/forms/versioned-values.ts";
import type { FieldErrors } from "#app/ui/forms/versioned-values.ts";

import {
  addressFields,
  addressLines,
  cleanLine,
  emailKinds,
  maxContactMethods,
  maxLengths,
  maxTypedLength,
  maxYearsExperience,
  optionalTextFields,
  optionalTextNames,
  phoneKinds,
  visibilities,
  visibilityFields,
} from "./card-fields.ts";
import type { ContactMethod, OptionalTextField } from "./card-fields.ts";
import { layoutChoices, paperChoices, parseAccent } from "./card-design.ts";
import { messages } from "./messages.ts";

/** One line of text that may be empty. */
function singleLine(limit: number) {
  return z
    .string()
    .meta({ maxLength: limit })
    .transform(cleanLine)
    .pipe(z.string().max(limit, messages.tooLong(limit)));
}

/** An email address, or "". */
const email = singleLine(maxLengths.email).pipe(
  z
    .string()
    .transform(toAsciiDomain)
    .refine((text) => text === "" || isEmail(text), messages.invalidEmail),
);

/** A phone number as people write it: with letters, spaces or an extension, but with a digit. Or "". */
const phone = singleLine(maxLengths.phone).pipe(z.string().regex(/^$|\p{Nd}/u, messages.phoneWithoutDigit));

/** A name needs at least one visible character. */
const cardName = singleLine(maxLengths.cardName).pipe(
  z.string().regex(/[\p{L}\p{N}\p{P}\p{S}]/u, messages.cardNameRequired),
);

const yearsExperience = z
  .number(messages.yearsRange)
  .min(0, messages.yearsRange)
  .max(maxYearsExperience, messages.yearsRange)
  .nullable();

function optionalText({ maxLength, isWebAddress }: OptionalTextField) {
  const text = singleLine(maxLength);
  return isWebAddress ? text.pipe(webAddress) : text;
}

const webAddress = z
  .string()
  .transform((typed) => withScheme(typed))
  .refine((url) => url === "" || (/^https?:/.test(url) && isAllowedAddress(url)), linkMessages.invalidUrl);

/** Drops rows without a value; errors keep the index of their row in the list as it was sent. */
function contactMethods(kind: z.ZodType<ContactMethod["kind"]>, value: z.ZodType<string, string>, tooMany: string) {
  const row = z.object({ kind, value, visibility: z.enum(visibilities).optional() });
  return z.array(z.unknown()).transform((sent, context) => {
    const filled = sent.flatMap((item, index) => (isFilled(item) ? [{ item, index }] : []));
    if (filled.length > maxContactMethods) {
      context.addIssue({ code: "custom", message: tooMany });
      return z.NEVER;
    }
    return filled.flatMap(({ item, index }): ContactMethod[] => {
      const parsed = row.safeParse(item);
      if (parsed.success) return [parsed.data];
      for (const { message, path } of parsed.error.issues)
        context.addIssue({ code: "custom", message, path: [index, ...path] });
      return [];
    });
  });
}

const rowWithValue = z.object({ value: z.string() });

function isFilled(item: unknown): boolean {
  const parsed = rowWithValue.safeParse(item);
  return !parsed.success || cleanLine(parsed.data.value) !== "";
}

/** The texts of a card that the card dialog edits as well. */
export const cardDetailsSchema = z.object({
  email,
  phone,
  profession: singleLine(maxLengths.profession),
  company: singleLine(maxLengths.company),
  position: singleLine(maxLengths.position),
});

const design = z.object({
  accent: z.string().transform((typed, context) => {
    const accent = parseAccent(typed.trim());
    if (accent !== undefined) return accent;
    context.addIssue({ code: "custom", message: messages.invalidAccent });
    return z.NEVER;
  }),
  layout: z.enum(layoutChoices.map(({ id }) => id)),
  paper: z.enum(paperChoices.map(({ id }) => id)),
});

const cardSchema = cardDetailsSchema.extend({
  cardName,
  yearsExperience,
  links: professionalLinks,
  isPublic: z.boolean(),
  ...mapFields(optionalTextNames, (name) => optionalText(optionalTextFields[name])),
  phones: contactMethods(z.enum(phoneKinds), phone, messages.tooManyPhones),
  emails: contactMethods(z.enum(emailKinds), email, messages.tooManyEmails),
  address: z.object(mapFields(addressFields, (name) => singleLine(addressLines[name].maxLength))),
  visibility: z.partialRecord(z.enum(visibilityFields), z.enum(visibilities)),
  design,
});

/** The check of each field, for the API, which accepts some of them alone. */
export const cardFieldSchemas = cardSchema.shape;

/** What the owner of a card decides. Empty text is "". */
export type CardInput = z.output<typeof cardSchema>;

/** What the card dialog changes; the columns have the same names. */
export type CardDetails = z.output<typeof cardDetailsSchema>;

export type Card = CardInput & {
  id: string;
  /** The short address, `/c/{code}`. */
  code: string;
  ownerId: string;
  /** The storage key prefix of the company's logo; null without a logo. */
  logoKey: string | null;
  /** Hidden from visitors by its owner. */
  isPaused: boolean;
  /** Cards with a higher position come first in the owner's list. */
  listPosition: number;
  version: number;
  createdAt: number;
  updatedAt: number;
};

/** A card before it is checked. */
export type UncheckedCard = Record<keyof CardInput, unknown> & { links: readonly { name: string; url: string }[] };

/** Checks and normalizes a card. A link without an id gets one, because its clicks are counted by id. */
export function parseCard(card: UncheckedCard): { change: CardInput } | { errors: FieldErrors } {
  const tooLong = findTooLongLinks(card.links);
  if (tooLong) return { errors: tooLong };
  const parsed = cardSchema.safeParse(card);
  if (!parsed.success) return { errors: firstErrors(parsed.error) };
  const links = parsed.data.links.map((link) => ({ ...link, id: link.id || crypto.randomUUID() }));
  return { change: { ...parsed.data, links } };
}

function findTooLongLinks(links: UncheckedCard["links"]): FieldErrors | undefined {
  const errors: FieldErrors = {};
  for (const [row, { name, url }] of links.entries()) {
    if (name.length > maxTypedLength) errors[`links.${row}.name`] = linkMessages.nameTooLong;
    if (url.length > maxTypedLength) errors[`links.${row}.url`] = linkMessages.invalidUrl;
  }
  return Object.keys(errors).length > 0 ? errors : undefined;
}

const formIdSchema = z.uuid();

/** The id in the form for a new card, which creates one card however often it is sent. A random id where the form has none. */
export function readFormId(form: FormFields): string {
  const parsed = formIdSchema.safeParse(form.get("id"));
  return parsed.success ? parsed.data.toLowerCase() : crypto.randomUUID();
}
