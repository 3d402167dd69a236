import { maxLengths } from "#app/features/cards/card-fields.ts";
import { maxTextLengths } from "#app/features/cards/card-form.ts";
import type { CardFormValues, TextFieldName } from "#app/features/cards/card-form.ts";
import { messages } from "#app/features/cards/messages.ts";
import type { SaveRejection } from "#app/ui/forms/versioned-values.ts";

export type CardRejection = SaveRejection<CardFormValues>;

/** What the sections of the editor show: the values as typed, and why the last save was rejected. */
export type CardFormState = { values: CardFormValues; rejection: CardRejection | undefined };

/** The error of a field, until the field is changed. */
export function fieldError({ values, rejection }: CardFormState, name: TextFieldName): string | undefined {
  const limit = maxTextLengths[name];
  if (limit !== undefined && values[name].length > limit) return messages.tooLong(limit);
  return rejection?.sent?.values[name] === values[name] ? rejection.errors?.[name] : undefined;
}

/** The error of a link's field, whatever row the link has moved to since it was sent. */
export function linkError({ values, rejection }: CardFormState, id: string, field: "name" | "url"): string | undefined {
  const sent = rejection?.sent?.values.links ?? [];
  const row = sent.findIndex((link) => link.id === id);
  const current = values.links.find((link) => link.id === id);
  return current && sent[row]?.[field] === current[field] ? rejection?.errors?.[`links.${row}.${field}`] : undefined;
}

/** The error of an additional phone number or email address, as `linkError`. */
export function contactMethodError(
  { values, rejection }: CardFormState,
  list: "phones" | "emails",
  id: string,
): string | undefined {
  const current = values[list].find((method) => method.id === id);
  if (!current) return undefined;
  const limit = maxLengths[list === "phones" ? "phone" : "email"];
  if (current.value.length > limit) return messages.tooLong(limit);
  const sent = rejection?.sent?.values[list] ?? [];
  const row = sent.findIndex((method) => method.id === id);
  return sent[row]?.value === current.value ? rejection?.errors?.[`${list}.${row}.value`] : undefined;
}

export function errorNotice(text: string): NonNullable<CardRejection["notice"]> {
  return { title: "Error", text, tone: "error" };
}
