import { isBlankLink } from "#app/features/cards/card-form.ts";
import type { CardFormValues } from "#app/features/cards/card-form.ts";

/** A contact as the values of a card's form, and as text what a card has no field for. */
export type ImportedContact = { values: CardFormValues; leftOut: string[] };

/** The server's response to a contact file; `total` also counts the contacts that are not in `contacts`. */
export type ContactImportResult = { contacts: ImportedContact[]; total: number } | { problem: string };

/**
 * The form with the contact's values. Fields that the contact leaves empty stay as typed. Links are kept, and the contact's links follow
 * as far as the limit allows; otherwise `isFull` is true. `newId` returns ids for new links.
 */
export function fillForm(
  typed: CardFormValues,
  { values }: ImportedContact,
  { newId, maxLinks }: { newId: () => string; maxLinks: number },
): { values: CardFormValues; isFull: boolean } {
  const texts = Object.fromEntries(
    Object.entries(values).filter(([, value]) => typeof value === "string" && value !== ""),
  );
  const ownLinks = typed.links.filter((link) => !isBlankLink(link));
  const newLinks = values.links
    .filter(({ url }) => !ownLinks.some((link) => link.url === url))
    .map((link) => ({ ...link, id: newId() }));
  const filled = {
    ...typed,
    ...texts,
    links: [...ownLinks, ...newLinks].slice(0, maxLinks),
    phones: values.phones.length > 0 ? values.phones : typed.phones,
    emails: values.emails.length > 0 ? values.emails : typed.emails,
  };
  return { values: filled, isFull: ownLinks.length + newLinks.length > maxLinks };
}
