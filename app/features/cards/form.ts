import { z } from "zod";

import { professionalLinks } from "#app/features/links/form.ts";
import { messages as linkMessages } from "#app/features/links/messages.ts";

import type { CardErrors, CardText } from "./card-text.ts";
import type { CardChange } from "./data.server.ts";
import { emailLine, line, phoneLine } from "./line-form.ts";
import { messages } from "./messages.ts";
import { moreForm, moreOf } from "./more-form.ts";
import { maxLengths, maxTyped, maxYearsExperience } from "./rules.ts";
import { cleaned } from "./sent-text.ts";

/** A name of signs that nobody can see is no name. */
const cardName = line(maxLengths.card_name).pipe(
  z.string().regex(/[\p{L}\p{N}\p{P}\p{S}]/u, messages.cardNameRequired),
);

const yearsExperience = z
  .string()
  .transform(cleaned)
  .pipe(z.string().regex(/^\d{0,3}$/, messages.yearsRange))
  .transform((digits) => (digits === "" ? null : Number(digits)))
  .refine((years) => years === null || years <= maxYearsExperience, messages.yearsRange);

/** The texts of a card that the card dialog edits as well. */
export const cardDetails = z.object({
  email: emailLine,
  phone: phoneLine,
  profession: line(maxLengths.profession),
  company: line(maxLengths.company),
  position: line(maxLengths.position),
});

const cardForm = cardDetails.extend({
  card_name: cardName,
  years_experience: yearsExperience,
  links: professionalLinks,
  is_public: z.boolean(),
  ...moreForm.shape,
});

/** The card that a form asks for, or what is wrong with it. A link without an id gets one: its clicks are counted by it. */
export function readCard(text: CardText): { change: CardChange } | { errors: CardErrors } {
  const tooLong = findTooLongLinks(text);
  if (tooLong) return { errors: tooLong };
  const read = cardForm.safeParse(text);
  if (!read.success) return { errors: errorsOf(read.error) };
  const { card_name, years_experience, links, is_public, ...rest } = read.data;
  const { email, phone, profession, company, position, ...more } = rest;
  return {
    change: {
      email,
      phone,
      profession,
      company,
      position,
      more: moreOf(more),
      cardName: card_name,
      yearsExperience: years_experience,
      links: links.map((link) => ({ ...link, id: link.id || crypto.randomUUID() })),
      isPublic: is_public,
    },
  };
}

/** The first thing that is wrong with each field. */
export function errorsOf(error: z.ZodError): CardErrors {
  const errors: CardErrors = {};
  for (const { path, message } of error.issues) errors[path.join(".")] ??= message;
  return errors;
}

function findTooLongLinks({ links }: CardText): CardErrors | undefined {
  const errors: CardErrors = {};
  for (const [row, { name, url }] of links.entries()) {
    if (name.length > maxTyped) errors[`links.${row}.name`] = linkMessages.nameTooLong;
    if (url.length > maxTyped) errors[`links.${row}.url`] = linkMessages.invalidUrl;
  }
  return Object.keys(errors).length > 0 ? errors : undefined;
}

const formId = z.uuid();

/** The id of a form for a new card: it makes one card however often it is sent. Another where it has none. */
export function readFormId(form: FormData): string {
  const read = formId.safeParse(form.get("id"));
  return read.success ? read.data.toLowerCase() : crypto.randomUUID();
}
