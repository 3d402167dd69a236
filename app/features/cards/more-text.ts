import { withScheme } from "#app/features/links/rules.ts";

import { cleaned, rowsOf, saidBy } from "./sent-text.ts";
import {
  addressLines,
  addressWords,
  emailKinds,
  moreLines,
  phoneKinds,
  placedFields,
  reachNames,
} from "./more-fields.ts";
import type { CardMore, Place, Reach } from "./more-fields.ts";

/** The further fields of a card as its form holds them, as typed. */
export type MoreText = Record<(typeof moreTextFields)[number], string> & {
  phones: ReachText[];
  emails: ReachText[];
  /** For each field "page", "file", or anything else for both. */
  shown: Record<(typeof placedFields)[number], string>;
};

/** `id` tells the rows of a form apart; it is not kept. */
export type ReachText = { id: string; kind: string; value: string; shown: string };

/** Those that hold one line of text. */
export const moreTextFields = [...moreLines, ...addressLines] as const;

export const placeWords = { "": "Page and file", page: "Page only", file: "Contact file only" } as const;

/** The saved fields, or those to start with, as the form shows them. */
export function moreTextOf(more: CardMore): MoreText {
  const { phones, emails, address, shown, ...lines } = more;
  return {
    ...lines,
    ...address,
    phones: phones.map(reachTextOf),
    emails: emails.map(reachTextOf),
    shown: placed((field) => shown[field] ?? ""),
  };
}

export function readMoreText(form: FormData): MoreText {
  return {
    prefix: saidBy(form, "prefix"),
    suffix: saidBy(form, "suffix"),
    pronouns: saidBy(form, "pronouns"),
    department: saidBy(form, "department"),
    website: saidBy(form, "website"),
    street: saidBy(form, "street"),
    city: saidBy(form, "city"),
    region: saidBy(form, "region"),
    postcode: saidBy(form, "postcode"),
    country: saidBy(form, "country"),
    phones: readReach(form, "phones"),
    emails: readReach(form, "emails"),
    shown: placed((field) => saidBy(form, `shown.${field}`)),
  };
}

/** What a save would keep of it: to be compared, not to be shown. */
export function moreAsSaved(text: MoreText) {
  const lines = moreTextFields.map((field) => (field === "website" ? websiteAsSaved(text) : cleaned(text[field])));
  const reach = (["phones", "emails"] as const).map((list) =>
    reachAsSaved(text, list).map(({ kind, value, shown }) => [kind, value, shown]),
  );
  return [lines, reach, placedFields.map((field) => placeOf(text.shown[field]))];
}

/** The rows that hold something, as a save would keep them. */
export function reachAsSaved(text: MoreText, list: "phones" | "emails"): Reach[] {
  const kinds = list === "phones" ? phoneKinds : emailKinds;
  return text[list].flatMap(({ kind, value, shown }) => {
    const words = cleaned(value);
    if (!words) return [];
    return { kind: kinds.find((known) => known === kind) ?? "work", value: words, shown: placeOf(shown) };
  });
}

/** While it is typed. What is no address yet stays as it is. */
export function websiteAsSaved(text: MoreText): string {
  return withScheme(cleaned(text.website));
}

/** Whether there is anything in it: then the form shows it open. */
export function hasMore(text: MoreText): boolean {
  const isFilled = (words: string) => words.trim() !== "";
  return moreTextFields.some((field) => isFilled(text[field])) || text.phones.length > 0 || text.emails.length > 0;
}

/** undefined: in both places. */
export function placeOf(said: string): Place | undefined {
  return said === "page" || said === "file" ? said : undefined;
}

/** One field in words, with where it is shown when that is not everywhere: "ada@example.com (page only)". */
export function withPlace(words: string, said: string): string {
  const place = placeOf(said);
  return place ? `${words} (${placeWords[place].toLowerCase()})`.trim() : words;
}

/** What is compared when two tabs saved one card, in the order of the form. */
export const comparedMore: [string, (text: MoreText) => string][] = [
  ["Phones", (text) => reachWords(text, "phones")],
  ["Emails", (text) => reachWords(text, "emails")],
  ["Prefix", (text) => withPlace(cleaned(text.prefix), text.shown.prefix)],
  ["Suffix", (text) => withPlace(cleaned(text.suffix), text.shown.suffix)],
  ["Pronouns", (text) => withPlace(cleaned(text.pronouns), text.shown.pronouns)],
  ["Department", (text) => withPlace(cleaned(text.department), text.shown.department)],
  ["Website", (text) => withPlace(websiteAsSaved(text), text.shown.website)],
  ["Address", (text) => withPlace(addressWords(addressAsSaved(text)).join("\n"), text.shown.address)],
];

export function addressAsSaved(text: MoreText): CardMore["address"] {
  const { street, city, region, postcode, country } = text;
  return {
    street: cleaned(street),
    city: cleaned(city),
    region: cleaned(region),
    postcode: cleaned(postcode),
    country: cleaned(country),
  };
}

function reachWords(text: MoreText, list: "phones" | "emails"): string {
  return reachAsSaved(text, list)
    .map(({ kind, value, shown }) => withPlace(`${reachNames[kind]}: ${value}`, shown ?? ""))
    .join("\n");
}

function reachTextOf({ kind, value, shown }: Reach, row: number): ReachText {
  return { id: `saved-${row}`, kind, value, shown: shown ?? "" };
}

function readReach(form: FormData, list: "phones" | "emails"): ReachText[] {
  return rowsOf(form, list).map((row) => ({
    id: saidBy(form, `${list}.${row}.id`),
    kind: saidBy(form, `${list}.${row}.kind`),
    value: saidBy(form, `${list}.${row}.value`),
    shown: saidBy(form, `${list}.${row}.shown`),
  }));
}

function placed(value: (field: (typeof placedFields)[number]) => string): MoreText["shown"] {
  return {
    email: value("email"),
    phone: value("phone"),
    prefix: value("prefix"),
    suffix: value("suffix"),
    pronouns: value("pronouns"),
    department: value("department"),
    website: value("website"),
    address: value("address"),
  };
}
