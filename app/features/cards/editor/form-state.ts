import { maxLengths } from "#app/features/cards/card-fields.ts";
import type { CardFormValues, TextFieldName } from "#app/features/cards/card-form.ts";
import { messages } from "#app/features/cards/messages.ts";
import type { SaveRejection } from "#app/ui/forms/versioned-values.ts";

export type CardRejection = SaveRejection<CardFormValues>;

/** What the sections of the editor show: the values as typed, and why the last save was rejected. */
export type CardFormState = { values: CardFormValues; rejection: CardRejection | undefined };

/** The error of a field, until the field is changed. */
export function fieldError({ values, rejection }: CardFormState, name: TextFieldName): string | undefined {
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

/** The first parts of the names of all fields that still have an error of the last save: "email", "links". */
function openErrors(state: CardFormState): string[] {
  const { values, rejection } = state;
  return Object.keys(rejection?.errors ?? {}).flatMap((path) => {
    const [field = "", row, name] = path.split(".");
    const sent = rejection?.sent?.values;
    if (field === "links" && row && (name === "name" || name === "url"))
      return linkError(state, sent?.links[Number(row)]?.id ?? "", name) ? [field] : [];
    if ((field === "phones" || field === "emails") && row)
      return contactMethodError(state, field, sent?.[field][Number(row)]?.id ?? "") ? [field] : [];
    return JSON.stringify(valueOf(sent, field)) === JSON.stringify(valueOf(values, field)) ? [field] : [];
  });
}

function valueOf(values: object | undefined, field: string): unknown {
  return values && Object.entries(values).find(([name]) => name === field)?.[1];
}

/** Whether the last save reported an error of one of these fields that is not corrected yet. */
export function hasOpenErrors(state: CardFormState, fields?: readonly string[]): boolean {
  return openErrors(state).some((field) => !fields || fields.includes(field));
}

/** Why something is unsaved. What was refused counts until its last field is corrected. */
export function saveStatus(state: CardFormState): string {
  const { rejection } = state;
  if (!rejection || (rejection.errors && !hasOpenErrors(state))) return messages.unsaved;
  if (rejection.errors) return messages.refused;
  if (rejection.failure === "offline") return messages.notSavedOffline;
  return rejection.conflict ? messages.undecided : messages.notSaved;
}

export function errorNotice(text: string): NonNullable<CardRejection["notice"]> {
  return { title: "Error", text, tone: "error" };
}
