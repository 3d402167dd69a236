import { maxLinks } from "#app/features/links/rules.ts";

import { isBlankLink } from "./card-text.ts";
import type { CardText } from "./card-text.ts";

/** A contact as a card's form would have it, and in words what did not fit. */
export type ImportedContact = { text: CardText; left: string[] };

/** What the server says to a contact file: `total` counts the contacts that are not among `contacts` as well. */
export type ContactAnswer = { contacts: ImportedContact[]; total: number } | { problem: string };

/**
 * The form with what the contact says; what it is silent about stays as typed, and so do the links, behind which its own find room or
 * don't: then `isFull`. `newId` makes the ids of new links.
 */
export function filledFrom(
  typed: CardText,
  { text }: ImportedContact,
  newId: () => string,
): { text: CardText; isFull: boolean } {
  const said = Object.fromEntries(
    Object.entries(text).filter(([, value]) => typeof value === "string" && value !== ""),
  );
  const own = typed.links.filter((link) => !isBlankLink(link));
  const fresh = text.links
    .filter(({ url }) => !own.some((link) => link.url === url))
    .map((link) => ({ ...link, id: newId() }));
  const links = [...own, ...fresh].slice(0, maxLinks);
  const filled = {
    ...typed,
    ...said,
    links,
    phones: text.phones.length > 0 ? text.phones : typed.phones,
    emails: text.emails.length > 0 ? text.emails : typed.emails,
  };
  return { text: filled, isFull: own.length + fresh.length > maxLinks };
}
