import { maxLengths } from "#app/features/cards/card-fields.ts";
import { decodeTextFile } from "#app/features/links/import-file.ts";
import { linkedInMessages, readLinkedInFile } from "#app/features/linkedin/export-file.server.ts";
import type { LinkedInProfile } from "#app/features/linkedin/export-file.server.ts";
import { shortened } from "#app/services/base/plain-text.ts";

import type { ContactImportResult } from "./import-result.ts";
import { contactToForm, readContactFile } from "./vcard-import.server.ts";
import type { VCardProperty } from "./vcard-parser.ts";

/** The owner in LinkedIn data, or else the contacts of a vCard file, as `readContactFile` returns them. */
export async function readImportedFile(bytes: Uint8Array): Promise<ContactImportResult> {
  const file = decodeTextFile(bytes);
  const profile = await readLinkedInFile(bytes, "text" in file ? file.text : "");
  if (!profile) return readContactFile(bytes);
  if ("problem" in profile) return profile;
  const skipped = new Set([
    ...(profile.title && profile.headline ? ["headline"] : []),
    ...(profile.summary ? ["summary"] : []),
  ]);
  const contact = contactToForm({ properties: toProperties(profile), skipped, unreadable: new Set() });
  return contact ? { contacts: [contact], total: 1 } : { problem: linkedInMessages.empty };
}

/** As a contact file would have it. Without a current position, the headline is the title. */
function toProperties(profile: LinkedInProfile): VCardProperty[] {
  const { city, region, country } = splitLocation(profile.location);
  const title = profile.title || shortened(profile.headline, maxLengths.profession);
  const one = (name: string, ...parts: string[]): VCardProperty => ({ name, group: "", kinds: [], parts });
  return [
    one("fn", profile.name),
    one("org", profile.company),
    one("title", title),
    one("email", profile.email),
    { ...one("tel", profile.phone), kinds: [profile.phoneType] },
    one("adr", "", "", profile.address, city, region, profile.postcode, country),
    ...profile.websites.flatMap(({ label, url }, index) => [
      { ...one("url", url), group: `site${index}` },
      { ...one("x-ablabel", label), group: `site${index}` },
    ]),
  ];
}

/** "Austin, Texas, United States" -> three parts; "Berlin, Germany" -> city and country; "Austin, TX" -> city and region. */
function splitLocation(location: string): { city: string; region: string; country: string } {
  const [city = "", ...rest] = location.split(/,\s*/);
  const country = /^[A-Z]{2}$/.test(rest.at(-1) ?? "") ? "" : (rest.pop() ?? "");
  return { city, region: rest.join(", "), country };
}
