import { formatVCard } from "#app/features/cards/vcard/vcard.ts";
import { leadTitle } from "#app/features/leads/inbox/rules.ts";
import type { Lead } from "#app/features/leads/schema.ts";

/** A lead as a contact file. */
export function toVCard(lead: Lead): string {
  const { id: uid, email, phone, company, note: bio, createdAt: updatedAt } = lead;
  return formatVCard({
    displayName: leadTitle(lead),
    email,
    phone,
    company,
    bio,
    links: [],
    cardUrl: "",
    uid,
    updatedAt,
  });
}
