import { isAllowedAddress, withScheme } from "#app/features/links/rules.ts";

import type { Card, CardChange } from "./data.server.ts";
import { placedFields } from "./more-fields.ts";
import {
  addressAsSaved,
  comparedMore,
  moreAsSaved,
  moreTextOf,
  placeOf,
  reachAsSaved,
  readMoreText,
  websiteAsSaved,
  withPlace,
} from "./more-text.ts";
import type { MoreText } from "./more-text.ts";
import { cleaned, rowsOf, saidBy } from "./sent-text.ts";

/** A card as its form holds it, field by field and as typed: right or wrong, saved or not. */
export type CardText = MoreText & {
  card_name: string;
  email: string;
  phone: string;
  profession: string;
  company: string;
  position: string;
  years_experience: string;
  links: LinkText[];
  is_public: boolean;
};

export type LinkText = { id: string; name: string; url: string };

/** What is wrong, by the name of the field: "card_name", "links.2.url" for the third row, "links" for all of them. */
export type CardErrors = Record<string, string>;

/** The fields of a card's form that hold one line of text. */
const textFields = [
  "card_name",
  "email",
  "phone",
  "profession",
  "company",
  "position",
  "years_experience",
] as const satisfies (keyof CardText)[];

/** A saved card, or one to start with, as the form shows it. */
export function textOf(card: CardChange): CardText {
  return {
    card_name: card.cardName,
    email: card.email,
    phone: card.phone,
    profession: card.profession,
    company: card.company,
    position: card.position,
    years_experience: card.yearsExperience === null ? "" : String(card.yearsExperience),
    links: card.links,
    is_public: card.isPublic,
    ...moreTextOf(card.more),
  };
}

/** What a form says: in the browser on each keystroke, on the server when it is sent. Fields it has not are "". */
export function readText(form: FormData): CardText {
  const said = (name: string) => saidBy(form, name);
  return {
    card_name: said("card_name"),
    email: said("email"),
    phone: said("phone"),
    profession: said("profession"),
    company: said("company"),
    position: said("position"),
    years_experience: said("years_experience"),
    links: readLinks(form),
    is_public: said("is_public") !== "",
    ...readMoreText(form),
  };
}

/** Whether saving one would leave the same card as saving the other: spaces around and empty links make no difference. */
export function isSameText(one: CardText, other: CardText): boolean {
  return JSON.stringify(asSaved(one)) === JSON.stringify(asSaved(other));
}

/** What would be saved differently, in words, in the order of the form. */
export function differences(mine: CardText, other: CardText): { field: string; mine: string; other: string }[] {
  return compared
    .map(([field, words]) => ({ field, mine: words(mine), other: words(other) }))
    .filter((row) => row.mine !== row.other);
}

export function isBlankLink({ name, url }: LinkText): boolean {
  return cleaned(name) === "" && cleaned(url) === "";
}

/** The card as it would be saved, while it is being typed: what is no number or address yet is left out. */
export function changeOf(text: CardText): CardChange {
  const website = websiteAsSaved(text);
  return {
    cardName: cleaned(text.card_name),
    profession: cleaned(text.profession),
    company: cleaned(text.company),
    position: cleaned(text.position),
    email: cleaned(text.email),
    phone: cleaned(text.phone),
    yearsExperience: yearsAsSaved(text),
    links: linksAsSaved(text).filter(({ url }) => isAllowedAddress(url)),
    isPublic: text.is_public,
    more: {
      prefix: cleaned(text.prefix),
      suffix: cleaned(text.suffix),
      pronouns: cleaned(text.pronouns),
      department: cleaned(text.department),
      website: isAllowedAddress(website) ? website : "",
      phones: reachAsSaved(text, "phones"),
      emails: reachAsSaved(text, "emails"),
      address: addressAsSaved(text),
      shown: Object.fromEntries(placedFields.map((field) => [field, placeOf(text.shown[field])])),
    },
  };
}

/** "7" and "007" are the same years; what is no number is none. */
function yearsAsSaved(text: CardText): number | null {
  const years = cleaned(text.years_experience);
  return /^\d{1,3}$/.test(years) ? Number(years) : null;
}

/** The links that a save would keep, right or wrong, as it would keep them. */
export function linksAsSaved({ links }: CardText): LinkText[] {
  return links
    .filter((link) => !isBlankLink(link))
    .map(({ id, name, url }) => ({ id, name: cleaned(name), url: withScheme(cleaned(url)) }));
}

/** Whether a form asks for the card that is there already: it was sent twice, or two tabs meant the same. */
export function isSameCard(card: Card, change: CardChange): boolean {
  return isSameText(textOf(card), textOf(change));
}

const compared: [string, (text: CardText) => string][] = [
  ["Card Name", (text) => cleaned(text.card_name)],
  ["Email", (text) => withPlace(cleaned(text.email), text.shown.email)],
  ["Phone", (text) => withPlace(cleaned(text.phone), text.shown.phone)],
  ["Profession", (text) => cleaned(text.profession)],
  ["Company", (text) => cleaned(text.company)],
  ["Position", (text) => cleaned(text.position)],
  ["Years of Experience", (text) => cleaned(text.years_experience)],
  [
    "Professional Links",
    (text) =>
      linksAsSaved(text)
        .map(({ name, url }) => `${name}: ${url}`)
        .join("\n"),
  ],
  ...comparedMore,
  ["Privacy", (text) => (text.is_public ? "Public" : "Not public")],
];

function asSaved(text: CardText) {
  const links = linksAsSaved(text).map(({ name, url }) => [name, url]);
  // What is no number is still something that was typed.
  const years = yearsAsSaved(text) ?? cleaned(text.years_experience);
  const lines = textFields.map((field) => (field === "years_experience" ? years : cleaned(text[field])));
  return [...lines, text.is_public, links, moreAsSaved(text)];
}

function readLinks(form: FormData): LinkText[] {
  return rowsOf(form, "links").map((row) => ({
    id: saidBy(form, `links.${row}.id`),
    name: saidBy(form, `links.${row}.name`),
    url: saidBy(form, `links.${row}.url`),
  }));
}
