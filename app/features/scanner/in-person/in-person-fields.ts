import { detailNames } from "#app/features/leads/rules.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";

/** What the form asks about the person, in its order. */
export const personFields = [...detailNames, "note"] as const;
export type PersonField = (typeof personFields)[number];

/** The fields of the form with which owners add a lead. `agreed` is the hash of the text that the owner confirms. */
const inPersonFields = [...personFields, "tags", "card", "agreed"] as const;
export type InPersonField = (typeof inPersonFields)[number];

export type TypedContact = Record<InPersonField, string>;
export type ContactErrors = Partial<Record<InPersonField, string>>;

/** What the owner confirms, with its SHA-256. */
export type ContactConsent = { text: string; hash: string };

/** A form that wasn't saved: what was typed, its errors, the token to send it with, and the text as it is now if the server was reached. */
export type ContactRejection = {
  typed: TypedContact;
  errors: ContactErrors;
  notice?: string;
  formToken: string;
  consent?: ContactConsent;
};

export const emptyContact: TypedContact = {
  name: "",
  title: "",
  company: "",
  email: "",
  phone: "",
  website: "",
  note: "",
  tags: "",
  card: "",
  agreed: "",
};

/** What was typed, as it was typed. */
export function readTypedContact(form: FormFields): TypedContact {
  const typed = { ...emptyContact };
  for (const field of inPersonFields) typed[field] = fieldText(form, field);
  return typed;
}
