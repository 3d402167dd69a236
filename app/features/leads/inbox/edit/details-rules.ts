import { readOwnDetail } from "#app/features/leads/details-schema.ts";
import { maxContactMethods } from "#app/features/leads/rules.ts";
import type { SentDetails } from "#app/features/leads/schema.ts";
import { fieldText, mapFields } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";

/** What an owner can correct and add in a lead. The first email and the first phone are the main ones. */
export type OwnDetails = Record<TextName, string> & Record<ListName, string[]>;

export const textNames = ["name", "title", "company", "website"] as const;
type TextName = (typeof textNames)[number];
export const listNames = ["emails", "phones"] as const;
export type ListName = (typeof listNames)[number];

/** "emails.1": "Enter a valid email address…" */
export type DetailErrors = Partial<Record<string, string>>;

type StoredDetails = SentDetails & { otherEmails: readonly string[]; otherPhones: readonly string[] };

export function toOwnDetails(lead: StoredDetails): OwnDetails {
  return {
    ...mapFields(textNames, (name) => lead[name]),
    emails: [lead.email, ...lead.otherEmails].filter(Boolean),
    phones: [lead.phone, ...lead.otherPhones].filter(Boolean),
  };
}

/** What was typed, as it was typed; an empty field of a list stays in its place. */
export function readTypedDetails(form: FormFields): OwnDetails {
  const rows = (list: ListName) =>
    Array.from({ length: maxContactMethods }, (_, index) => `${list}.${index}`)
      .filter((name) => form.has(name))
      .map((name) => fieldText(form, name));
  return { ...mapFields(textNames, (name) => fieldText(form, name)), ...mapFields(listNames, rows) };
}

/** The details to store, each address and number once, or the error of each field. */
export function checkDetails(typed: OwnDetails): { details: OwnDetails } | { errors: DetailErrors } {
  const errors: DetailErrors = {};
  const read = (name: Parameters<typeof readOwnDetail>[0], text: string, field: string = name) => {
    const { value, error } = readOwnDetail(name, text);
    if (error) errors[field] = error;
    return value;
  };
  const readAll = (list: ListName, name: "email" | "phone") =>
    [...new Set(typed[list].map((text, index) => read(name, text, `${list}.${index}`)))].filter(Boolean);
  const details = {
    ...mapFields(textNames, (name) => read(name, typed[name])),
    emails: readAll("emails", "email"),
    phones: readAll("phones", "phone"),
  };
  const { name, company, emails, phones } = details;
  if (Object.keys(errors).length === 0 && !name && !company && emails.length === 0 && phones.length === 0)
    errors["name"] = "Enter a name, a company, an email address or a phone number.";
  return Object.keys(errors).length > 0 ? { errors } : { details };
}
