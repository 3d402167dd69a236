import { withScheme } from "#app/features/links/rules.ts";
import { oneLine, withoutDirectionMarks } from "#app/services/plain-text.ts";

import type { Card, CardChange } from "./data.server.ts";
import type { PrintedCard } from "./paper-card.tsx";
import { maxTyped } from "./rules.ts";

/** A card as its form holds it, field by field and as typed: right or wrong, saved or not. */
export type CardText = {
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
  return inOneLine(name) === "" && inOneLine(url) === "";
}

/** The card as it would be printed, while it is being typed. */
export function printed(text: CardText, displayName: string): PrintedCard {
  const years = cleaned(text.years_experience);
  return {
    displayName,
    profession: cleaned(text.profession) || null,
    company: cleaned(text.company) || null,
    position: cleaned(text.position) || null,
    email: cleaned(text.email) || null,
    phone: cleaned(text.phone) || null,
    yearsExperience: /^\d{1,3}$/.test(years) ? Number(years) : null,
  };
}

/** The links that a save would keep, right or wrong, as it would keep them. */
export function linksAsSaved({ links }: CardText): LinkText[] {
  return links
    .filter((link) => !isBlankLink(link))
    .map(({ id, name, url }) => ({ id, name: inOneLine(name), url: withScheme(inOneLine(url)) }));
}

/** One line of a card as it is kept: without what can't be seen, could turn the writing around, or break the line. */
export function cleaned(typed: string): string {
  return inOneLine(withoutDirectionMarks(typed));
}

/** Whether a form asks for the card that is there already: it was sent twice, or two tabs meant the same. */
export function isSameCard(card: Card, change: CardChange): boolean {
  return isSameText(textOf(card), textOf(change));
}

const compared: [string, (text: CardText) => string][] = [
  ["Card Name", (text) => cleaned(text.card_name)],
  ["Email", (text) => cleaned(text.email)],
  ["Phone", (text) => cleaned(text.phone)],
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
  ["Privacy", (text) => (text.is_public ? "Public" : "Not public")],
];

function asSaved(text: CardText) {
  const links = linksAsSaved(text).map(({ name, url }) => [name, url]);
  return [...textFields.map((field) => cleaned(text[field])), text.is_public, links];
}

function readLinks(form: FormData): LinkText[] {
  const rows = new Set<number>();
  for (const name of form.keys()) {
    const row = linkField.exec(name)?.[1];
    if (row !== undefined) rows.add(Number(row));
  }
  return [...rows]
    .toSorted((one, other) => one - other)
    .map((row) => ({
      id: saidBy(form, `links.${row}.id`),
      name: saidBy(form, `links.${row}.name`),
      url: saidBy(form, `links.${row}.url`),
    }));
}

/** What is far too long stays as typed, and is refused for its length. */
function inOneLine(typed: string): string {
  return typed.length > maxTyped ? typed : oneLine(typed);
}

/** Two digits: our own form has eight rows at the most. */
const linkField = /^links\.(0|[1-9]\d?)\.(?:id|name|url)$/;

/** A file where words were asked for says nothing. */
function saidBy(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
