import { formatVCard } from "#app/features/cards/vcard/vcard.ts";
import { leadTitle } from "#app/features/leads/inbox-rules.ts";
import { combinedDetails, otherDetails } from "#app/features/leads/inbox/merge/person-rules.ts";
import type { Lead } from "#app/features/leads/schema.ts";

/** One contact for a person, with all addresses and numbers. */
export function toVCard(lead: Lead & { merged?: readonly Lead[] }): string {
  const person = { merged: [], ...lead };
  const { email, phone, company, title, website, note: bio, ...details } = combinedDetails(person);
  const home = (value: string) => ({ kind: "home" as const, value });
  return formatVCard({
    displayName: leadTitle({ ...details, email, phone, company }),
    email,
    emails: otherDetails(person, "email").map(home),
    phone,
    phones: otherDetails(person, "phone").map(home),
    company,
    position: title,
    bio,
    links: website ? [{ name: "Website", url: website }] : [],
    cardUrl: "",
    uid: person.id,
    updatedAt: person.createdAt,
  });
}
