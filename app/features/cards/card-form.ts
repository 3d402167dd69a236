import { isAllowedAddress, withScheme } from "#app/features/links/rules.ts";
import { countCharacters } from "#app/services/base/plain-text.ts";
import { fieldText, mapFields, namesOf } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import type { FieldLimit } from "#app/ui/forms/field.tsx";
import type { FieldErrors } from "#app/ui/forms/versioned-values.ts";

import {
  addressFields,
  addressLines,
  cleanLine,
  emailKinds,
  optionalTextFields,
  optionalTextNames,
  optionalTexts,
  ownTextFields,
  phoneKinds,
  visibilityFields,
} from "./card-fields.ts";
import type {
  AddressField,
  ContactMethod,
  ContactMethodKind,
  OptionalTextName,
  TextField,
  Visibility,
  VisibilityField,
} from "./card-fields.ts";
import { designFormFields, toDesign, toDesignValues } from "./card-design-form.ts";
import type { CardInput } from "./schema.ts";

/** A card as its form holds it: the text of each field as typed, valid or not, by the field's name in the form. */
export type CardFormValues = Record<TextFieldName, string> & {
  links: LinkValues[];
  phones: ContactMethodValues[];
  emails: ContactMethodValues[];
  /** "page", "file", or any other text for both. */
  visibility: Record<VisibilityField, string>;
  is_public: boolean;
  /** Whether the owner's other cards get the values that they share with this one. No part of a card. */
  all_cards: boolean;
};

/** Of a text that is typed. */
export type TypedFieldName = keyof typeof declaredFields;
export type TextFieldName = TypedFieldName | (typeof designFormFields)[number];
export type LinkValues = { id: string; name: string; url: string };
/** `id` tells the rows of a form apart and is not stored. */
export type ContactMethodValues = { id: string; kind: string; value: string; visibility: string };

const { displayName, cardName, ...sameNames } = ownTextFields;
const declaredFields = {
  display_name: displayName,
  card_name: cardName,
  ...sameNames,
  years_experience: { label: "Years of experience" },
  ...optionalTextFields,
  ...addressLines,
};
/** The texts whose names are the same in the form and the card, but for the address. */
const cardTextNames = ["email", "phone", "profession", "company", "position", ...optionalTextNames] as const;
/** The texts that are typed, by the names of the form. */
export const textFields: Record<TypedFieldName, TextField> = declaredFields;
const textFieldNames: readonly TextFieldName[] = [...namesOf(textFields), ...designFormFields];

/** The fields under "More" in the form: those that hold one line of text, and the lists. */
export const optionalTextFormFields: readonly (OptionalTextName | AddressField)[] = [
  ...optionalTextNames,
  ...addressFields,
];

export const visibilityLabels = { "": "Show on page and in contact", page: "Page only", file: "Contact only" } as const;

/** The limit of a field, for its counter. */
export function fieldLimit(name: TypedFieldName): FieldLimit | undefined {
  const { maxLength: max } = textFields[name];
  if (max === undefined) return undefined;
  return name === "display_name" ? { max, count: (text) => countCharacters(cleanLine(text)) } : { max };
}

/** The values of the form for a saved card, or for a new one. The name is the one of the owner's profile. */
export function toFormValues(card: CardInput, displayName = ""): CardFormValues {
  const { cardName, yearsExperience, isPublic, links, address, visibility, design } = card;
  return {
    ...mapFields(cardTextNames, (name) => card[name]),
    ...address,
    display_name: displayName,
    card_name: cardName,
    years_experience: yearsExperience === null ? "" : String(yearsExperience),
    links,
    phones: card.phones.map(toRowValues),
    emails: card.emails.map(toRowValues),
    visibility: mapFields(visibilityFields, (field) => visibility[field] ?? ""),
    is_public: isPublic,
    all_cards: false,
    ...toDesignValues(design),
  };
}

/** Reads the form: in the browser after each input, on the server when it is sent. Missing fields are "". */
export function readFormValues(form: FormFields): CardFormValues {
  return {
    ...mapFields(textFieldNames, (name) => fieldText(form, name)),
    links: rowNumbers(form, "links").map((row) => readRow(form, `links.${row}`, ["id", "name", "url"])),
    phones: readContactMethods(form, "phones"),
    emails: readContactMethods(form, "emails"),
    visibility: mapFields(visibilityFields, (field) => fieldText(form, `visibility.${field}`)),
    is_public: fieldText(form, "is_public") !== "",
    all_cards: fieldText(form, "all_cards") !== "",
  };
}

/** The card that the form describes, row by row, so that errors keep their row. Text that isn't a number of years stays text. */
export function toUncheckedCard(values: CardFormValues) {
  const years = cleanLine(values.years_experience);
  return {
    ...mapFields(cardTextNames, (name) => normalizeText(name, values)),
    cardName: cleanLine(values.card_name),
    yearsExperience: years === "" ? null : parseYears(years),
    links: values.links.map(({ id, name, url }) => ({ id, name: cleanLine(name), url: withScheme(cleanLine(url)) })),
    phones: values.phones.map((row) => toContactMethod(row, phoneKinds)),
    emails: values.emails.map((row) => toContactMethod(row, emailKinds)),
    address: mapFields(addressFields, (field) => cleanLine(values[field])),
    visibility: toVisibility(values),
    design: toDesign(values),
    isPublic: values.is_public,
  };
}

/** "2.5" and "2,5" -> 2.5. Text that isn't a number, or has more than two decimals, stays text. */
function parseYears(text: string): number | string {
  return /^\d{1,3}(?:[.,]\d{1,2})?$/.test(text) ? Number(text.replace(",", ".")) : text;
}

/** The card as it would be saved now: without what is not yet a number, an address or a filled row. For the live preview. */
export function toPreviewCard(values: CardFormValues): CardInput {
  const card = toUncheckedCard(values);
  const invalid = optionalTexts.filter(({ name, isWebAddress }) => isWebAddress && !isAllowedAddress(card[name]));
  return {
    ...card,
    ...Object.fromEntries(invalid.map(({ name }) => [name, ""])),
    yearsExperience: typeof card.yearsExperience === "number" ? card.yearsExperience : null,
    links: card.links.filter(({ url }) => isAllowedAddress(url)),
    phones: card.phones.filter(hasValue),
    emails: card.emails.filter(hasValue),
  };
}

function hasValue({ value }: ContactMethod): boolean {
  return value !== "";
}

/** The errors of `parseCard` by the names of the form's fields: "cardName" -> "card_name", "address.city" -> "city". */
export function toFormErrors(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([path, message]) => [renamedFields[path] ?? path.replace(/^address\./, ""), message]),
  );
}

const renamedFields: Partial<Record<string, string>> = {
  cardName: "card_name",
  yearsExperience: "years_experience",
  isPublic: "is_public",
  "design.accent": "accent",
};

/** Whether saving either would store the same card: spaces around text and empty rows make no difference. */
export function isSameForm(one: CardFormValues, other: CardFormValues): boolean {
  return storedContent(one) === storedContent(other);
}

/** Whether a form asks for the card as it is stored: it was sent twice, or two tabs made the same change. */
export function isSameCard(card: CardInput, change: CardInput): boolean {
  return isSameForm(toFormValues(card), toFormValues(change));
}

function storedContent(values: CardFormValues): string {
  const card = toUncheckedCard(values);
  return JSON.stringify({
    ...card,
    displayName: cleanLine(values.display_name),
    links: card.links.filter((link) => !isBlankLink(link)).map(({ name, url }) => [name, url]),
    phones: card.phones.filter(hasValue),
    emails: card.emails.filter(hasValue),
  });
}

export function isBlankLink({ name, url }: LinkValues): boolean {
  return cleanLine(name) === "" && cleanLine(url) === "";
}

/** Whether a field under "More" is filled in: the form then shows them open. */
export function hasOptionalFields(values: CardFormValues): boolean {
  const hasText = optionalTextFormFields.some((field) => values[field].trim() !== "");
  return hasText || values.phones.length > 0 || values.emails.length > 0;
}

/** An id for a new row of a form. Unlike crypto.randomUUID, this also works without https. */
export function newRowId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join("-");
}

function normalizeText(name: TypedFieldName, values: CardFormValues): string {
  const text = cleanLine(values[name]);
  return textFields[name].isWebAddress ? withScheme(text) : text;
}

function toVisibility(values: CardFormValues): CardInput["visibility"] {
  return Object.fromEntries(
    visibilityFields.flatMap((field) => {
      const visibility = parseVisibility(values.visibility[field]);
      return visibility ? [[field, visibility]] : [];
    }),
  );
}

/** Undefined: on the page and in the contact file. */
function parseVisibility(text: string): Visibility | undefined {
  return text === "page" || text === "file" ? text : undefined;
}

function toContactMethod(row: ContactMethodValues, kinds: readonly ContactMethodKind[]): ContactMethod {
  const kind = kinds.find((known) => known === row.kind) ?? "work";
  const visibility = parseVisibility(row.visibility);
  return { kind, value: cleanLine(row.value), ...(visibility && { visibility }) };
}

/** The same value has the same id in every version of a card, so that a merge recognizes its row. A repeated value has another one. */
function toRowValues(
  { kind, value, visibility }: ContactMethod,
  row: number,
  all: ContactMethod[],
): ContactMethodValues {
  const isRepeated = all.findIndex((method) => method.value === value) < row;
  return { id: isRepeated ? `saved-${row}-${value}` : `saved-${value}`, kind, value, visibility: visibility ?? "" };
}

function readContactMethods(form: FormFields, list: "phones" | "emails"): ContactMethodValues[] {
  return rowNumbers(form, list).map((row) => readRow(form, `${list}.${row}`, ["id", "kind", "value", "visibility"]));
}

function readRow<Name extends string>(form: FormFields, row: string, names: readonly Name[]): Record<Name, string> {
  return mapFields(names, (name) => fieldText(form, `${row}.${name}`));
}

/** The row numbers of a list in a form, ascending: "links.0.url" and "links.10.name" -> [0, 10]. */
function rowNumbers(form: FormFields, list: string): number[] {
  const rows = new Set<number>();
  for (const name of form.keys()) {
    const [first, row, field] = name.split(".");
    // Two digits: our own form has eight rows at most.
    if (first === list && field && row && /^(?:0|[1-9]\d?)$/.test(row)) rows.add(Number(row));
  }
  return [...rows].toSorted((one, other) => one - other);
}
