import { toOwnVCard } from "#app/features/leads/export/lead-vcard.ts";
import { withMerged } from "#app/features/leads/inbox/inbox-data.server.ts";
import { leadTitle } from "#app/features/leads/inbox-rules.ts";
import {
  activePurposes,
  combinedDetails,
  combinedTags,
  otherDetails,
} from "#app/features/leads/inbox/merge/person-rules.ts";
import { allowsServices } from "#app/features/leads/consent-text.ts";
import { listConsents } from "#app/features/leads/consent-data.server.ts";
import { toLead } from "#app/features/leads/lead-row.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

import type { Contact, Destination } from "./destination.ts";

/**
 * An owner's contact as it may be sent to a service now, by its name in the address book. Of a person with several leads, only those whose
 * visitors agreed to services count. Undefined for a contact that is gone, and without the consent that the service needs.
 */
export async function findContact(
  db: Db,
  { ownerId, name }: { ownerId: string; name: string },
  audience: Destination["audience"],
): Promise<Contact | undefined> {
  const row = await db
    .selectFrom("address_book_entry as entry")
    .innerJoin("lead", "lead.id", "entry.lead_id")
    .selectAll("lead")
    .where("entry.owner_id", "=", ownerId)
    .where("entry.name", "=", name)
    .where("quarantined_at", "is", null)
    .where("deleted_at", "is", null)
    .where("withdrawn_at", "is", null)
    .where("merged_into", "is", null)
    .executeTakeFirst();
  const [person] = row ? await withMerged(db, [toLead(row)]) : [];
  if (!person) return undefined;
  const { merged, ...main } = person;
  const all = [];
  for (const lead of [main, ...merged]) all.push({ ...lead, consents: await listConsents(db, lead.id) });
  const leads = all.filter(({ withdrawnAt, consents }) => withdrawnAt === null && allowsServices(consents));
  const [first, ...others] = leads;
  if (!first) return undefined;
  const allowed = { ...first, merged: others };
  const details = combinedDetails(allowed);
  // News was agreed to together with services, and by nothing that the person said later withdrawn.
  const wantsNews = [leads, all].every((of) => activePurposes(details.email, of).includes("newsletter"));
  if (audience === "newsletter" && !(details.email && wantsNews)) return undefined;
  const { firstName, lastName } = splitName(details.name || leadTitle(details));
  const { email, phone, company, title, website } = details;
  return {
    firstName,
    lastName,
    email,
    phone,
    company,
    title,
    website,
    emails: [email, ...otherDetails(allowed, "email")].filter(Boolean),
    phones: [phone, ...otherDetails(allowed, "phone")].filter(Boolean),
    note: [details.note, ...leads.map(({ ownerNote }) => ownerNote)].filter(Boolean).join("\n\n"),
    tags: combinedTags(allowed),
    vcard: toOwnVCard(allowed),
  };
}

/** "Ada King Lovelace" -> "Ada King", "Lovelace". One word is a first name. */
export function splitName(name: string): { firstName: string; lastName: string } {
  const words = name.trim().split(/\s+/);
  const lastName = words.length > 1 ? (words.pop() ?? "") : "";
  return { firstName: words.join(" "), lastName };
}
