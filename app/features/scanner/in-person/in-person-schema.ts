import { readDetail } from "#app/features/leads/public/form-schema.ts";
import { readTags, tagProblem } from "#app/features/leads/inbox/rules.ts";
import { leadFieldNames } from "#app/features/leads/rules.ts";
import type { LeadDetails } from "#app/features/leads/schema.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";

import { readTypedContact } from "./in-person-fields.ts";
import type { ContactErrors, TypedContact } from "./in-person-fields.ts";
import { inPersonMessages as messages } from "#app/features/scanner/messages.ts";

type ReadContact = {
  typed: TypedContact;
  errors: ContactErrors;
  details: LeadDetails;
  tags: string[];
};

/** Reads and checks the form. `cards` are the owner's. */
export function readContactForm(form: FormFields, cards: readonly { id: string }[]): ReadContact {
  const typed = readTypedContact(form);
  const errors: ContactErrors = {};
  const details: LeadDetails = { ...emptyDetails };
  for (const field of leadFieldNames) {
    const { value, error } = readDetail(field, typed[field], false);
    details[field] = value;
    if (error) errors[field] = error;
  }
  const tags = readTags(typed.tags);
  const wrongTags = tagProblem(tags);
  if (wrongTags) errors.tags = wrongTags;
  if (!details.name && !details.company) errors.name = messages.nameRequired;
  if (!details.email && !details.phone) errors.email ??= messages.noContact;
  if (!cards.some(({ id }) => id === typed.card)) errors.card = messages.cardRequired;
  if (!typed.agreed) errors.agreed = messages.agreedRequired;
  return { typed, errors, details, tags };
}

const emptyDetails = { name: "", email: "", phone: "", company: "", note: "", answers: [] };
