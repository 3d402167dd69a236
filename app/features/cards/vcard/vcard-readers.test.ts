import * as fc from "fast-check";
import ICAL from "ical.js";
import { expect, test } from "vitest";

import { isAllowedAddress } from "#app/features/links/rules.ts";
import { oneLine, paragraph } from "#app/services/base/plain-text.ts";
import { adaContact, anyContact, difficultNames, emptyContact } from "#tests/support/fixtures/contacts.ts";

import { formatVCard } from "./vcard.ts";
import type { VCardContact } from "./vcard.ts";
import { structuredName } from "./structured-name.ts";

/** The same cards each time, so that failures are reproducible. */
const cards = [
  ...difficultNames.map((displayName) => ({ ...adaContact, displayName })),
  emptyContact,
  ...fc.sample(anyContact, { numRuns: 500, seed: 20_261_121 }),
];

test("ical.js reads every text of 500 cards as it was typed", () => {
  for (const card of cards) expect(readByIcal(card)).toEqual(expected(card));
});

/** What a reader must find, derived from the card and not from the file. */
function expected(card: VCardContact) {
  const fn = oneLine(card.displayName) || "Professional";
  const [family, given, additional, , titles] = structuredName(fn);
  const texts = [card.prefix, card.suffix, card.company, card.department, card.pronouns];
  const [prefix = "", suffix = "", company = "", department = "", pronouns = ""] = texts.map((one) =>
    oneLine(one ?? ""),
  );
  const { street = "", city = "", region = "", postcode = "", country = "" } = card.address ?? {};
  const address = [street, city, region, postcode, country].map(oneLine);
  const years = card.yearsExperience ?? undefined;
  const facts = [
    years !== undefined && (years === 1 ? "1 year of experience" : `${years} years of experience`),
    pronouns && `Pronouns: ${pronouns}`,
  ];
  const note = [paragraph(card.bio ?? ""), facts.filter(Boolean).join("\n")].filter(Boolean).join("\n\n");
  return {
    n: plain([family, given, additional, prefix, [titles, suffix].filter(Boolean).join(", ")]),
    fn: [[[prefix, fn].filter(Boolean).join(" "), suffix].filter(Boolean).join(", ")],
    org: plain(department ? [company, department] : [company]),
    adr: address.some(Boolean) ? [plain(["", "", ...address])] : [],
    email: valuesOf(card.email, card.emails),
    tel: valuesOf(card.phone, card.phones).map((number) => plain([number])),
    url: urlsOf(card),
    note: note ? [note] : [],
    uid: card.uid ? [`urn:uuid:${card.uid}`] : [],
    photo: card.photo ? [card.photo] : [],
  };
}

function valuesOf(own: string | null | undefined, more: VCardContact["phones"] = []): string[] {
  return [own ?? "", ...more.map(({ value }) => value)].map(oneLine).filter(Boolean);
}

/** Each address once. Characters that readers could take for an escape are percent-encoded. */
function urlsOf({ cardUrl, website = "", links }: VCardContact): string[] {
  const urls = [cardUrl, website, ...links.map(({ url }) => url)].filter(isAllowedAddress);
  return [...new Set(urls.map((url) => new URL(url).href.replaceAll(/[\\,; ]/g, encodeURIComponent)))];
}

function readByIcal(card: VCardContact) {
  const component = new ICAL.Component(ICAL.parse(formatVCard(card)));
  const values = (name: string) => component.getAllProperties(name).map((property) => property.getFirstValue());
  // It keeps "\\;" in plain text, which RFC 2426 §5 escapes like a comma.
  const texts = (name: string) => values(name).map((value) => String(value).replaceAll(String.raw`\;`, ";"));
  return {
    n: plain(values("n").flat()),
    fn: texts("fn"),
    org: plain(values("org").flat()),
    adr: values("adr").map((parts) => plain([parts].flat())),
    email: texts("email"),
    tel: values("tel").map((number) => plain([number])),
    url: texts("url"),
    note: texts("note"),
    uid: texts("uid"),
    photo: texts("photo"),
  };
}

/** It drops backslashes of numbers, and takes one at the end of a part for an escaped semicolon. */
function plain(parts: unknown[]): string {
  return parts.join(";").replaceAll("\\", "");
}
