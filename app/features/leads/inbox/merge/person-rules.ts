import type { ConsentPurpose, DetailName } from "#app/features/leads/rules.ts";
import { emailKey, phoneKey } from "#app/features/leads/rules.ts";
import type { Lead, LeadConsent } from "#app/features/leads/schema.ts";

/** A lead with what was merged into it, newest first. */
export type Person<One extends Lead = Lead> = One & { merged: readonly One[] };

/** How many leads can be merged into one, with that one. */
export const maxSubmissions = 50;

/** What all leads of a person say together: the main lead's details, and where it has none, those of the newest that has. */
export function combinedDetails({ merged, ...main }: Person): Record<DetailName | "note", string> {
  const valueOf = (name: DetailName) => [main, ...merged].find((lead) => lead[name] !== "")?.[name] ?? "";
  return {
    name: valueOf("name"),
    title: valueOf("title"),
    company: valueOf("company"),
    email: valueOf("email"),
    phone: valueOf("phone"),
    website: valueOf("website"),
    note: [main, ...merged]
      .map(({ note }) => note)
      .filter(Boolean)
      .join("\n\n"),
  };
}

/** The details of a field that differ from the combined one, each once, with those that the owner added. */
export function otherDetails(person: Person, name: DetailName): string[] {
  const keyOf = name === "email" ? emailKey : name === "phone" ? phoneKey : plainKey;
  const known = new Map([[keyOf(combinedDetails(person)[name]), ""]]);
  for (const lead of [person, ...person.merged])
    for (const value of [lead[name], ...addedDetails(lead, name)])
      if (value && !known.has(keyOf(value))) known.set(keyOf(value), value);
  return [...known.values()].filter(Boolean);
}

function addedDetails({ otherEmails, otherPhones }: Lead, name: DetailName): readonly string[] {
  if (name === "email") return otherEmails;
  return name === "phone" ? otherPhones : [];
}

function plainKey(text: string): string {
  return text.trim().toLowerCase();
}

/** The tags of all leads of a person, in alphabetical order. */
export function combinedTags({ tags, merged }: Person<Lead & { tags: readonly string[] }>): string[] {
  return [...new Set([...tags, ...merged.flatMap((lead) => lead.tags)])].toSorted();
}

type Consented = Pick<Lead, "email"> & {
  consents: readonly Pick<LeadConsent, "purpose" | "givenAt" | "withdrawnAt">[];
};

/**
 * What a person agrees to now. News goes to one address, so consent that was given with another one doesn't count; and of consenting and
 * withdrawing in two of their leads, what they did last.
 */
export function activePurposes(email: string, leads: readonly Consented[]): ConsentPurpose[] {
  const latest = new Map<ConsentPurpose, { at: number; isGiven: boolean }>();
  for (const lead of leads)
    for (const { purpose, givenAt, withdrawnAt } of lead.consents) {
      if (purpose === "newsletter" && emailKey(lead.email) !== emailKey(email)) continue;
      const at = withdrawnAt ?? givenAt;
      const known = latest.get(purpose);
      if (!known || at > known.at) latest.set(purpose, { at, isGiven: withdrawnAt === null });
    }
  return [...latest]
    .filter(([, { isGiven }]) => isGiven)
    .map(([purpose]) => purpose)
    .toSorted();
}

/** Whether each of these people shares an email address or a phone number with one before. */
export function shareContacts(people: readonly Person[]): boolean {
  const known = new Set<string>();
  return people.every((person, index) => {
    const leads = [person, ...person.merged];
    const keys = leads.flatMap(({ email, phone }) => [emailKey(email), phoneKey(phone)]).filter(Boolean);
    const isKnown = index === 0 || keys.some((key) => known.has(key));
    for (const key of keys) known.add(key);
    return isKnown;
  });
}
