import { formatVCard } from "#app/features/cards/vcard/vcard.ts";
import { leadTitle } from "#app/features/leads/inbox-rules.ts";
import { combinedDetails, combinedTags, otherDetails } from "#app/features/leads/inbox/merge/person-rules.ts";
import type { Person } from "#app/features/leads/inbox/merge/person-rules.ts";
import type { Lead } from "#app/features/leads/schema.ts";

/** One contact for a person, with all addresses and numbers. */
export function toVCard(lead: Lead & { merged?: readonly Lead[] }): string {
  return formatPerson({ merged: [], ...lead });
}

/** The same for the owner's own devices: with what the owner noted, and the tags. */
export function toOwnVCard(person: Person<Lead & { tags: readonly string[] }>): string {
  const notes = [person, ...person.merged].map(({ ownerNote }) => ownerNote).filter(Boolean);
  return formatPerson(person, { notes, categories: combinedTags(person) });
}

function formatPerson(person: Person, own: { notes: string[]; categories: string[] } = { notes: [], categories: [] }) {
  const { email, phone, company, title, website, note, ...details } = combinedDetails(person);
  const home = (value: string) => ({ kind: "home" as const, value });
  return formatVCard({
    displayName: leadTitle({ ...details, email, phone, company }),
    email,
    emails: otherDetails(person, "email").map(home),
    phone,
    phones: otherDetails(person, "phone").map(home),
    company,
    position: title,
    bio: [note, ...own.notes].filter(Boolean).join("\n\n"),
    links: website ? [{ name: "Website", url: website }] : [],
    categories: own.categories,
    cardUrl: "",
    uid: person.id,
    updatedAt: person.createdAt,
  });
}
