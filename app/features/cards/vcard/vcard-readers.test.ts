import * as fc from "fast-check";
import ICAL from "ical.js";
import { expect, test } from "vitest";

import { isAllowedAddress } from "#app/features/links/rules.ts";
import { oneLine, paragraph } from "#app/services/base/plain-text.ts";
import { adaContact, anyContact, difficultNames, emptyContact } from "#tests/support/fixtures/contacts.ts";
import { hasVobject, readWithVobject } from "#tests/support/program/vobject.ts";

import { formatVCard } from "./vcard.ts";
import type { VCardContact } from "./vcard.ts";
import { structuredName } from "./structured-name.ts";

/** The same cards each time, so that failures are reproducible. */
const cards = [
  ...difficultNames.map((displayName) => ({ ...adaContact, displayName })),
  emptyContact,
  ...fc.sample(anyContact, { numRuns: 200, seed: 20_261_121 }),
];

test("ical.js reads every field of 200 cards", () => {
  for (const card of cards) expect(readByIcal(card)).toEqual(asIcalReads(expected(card)));
});

const script = `
import base64, json, sys, vobject
def read(text):
    card = vobject.readOne(text)
    card.validate(raiseException=True)
    values = lambda name: [line.value for line in card.contents.get(name, [])]
    kinds = lambda name: [",".join(line.params.get("TYPE", [])) for line in card.contents.get(name, [])]
    name = card.n.value
    return {"n": [name.family, name.given, name.additional, name.prefix, name.suffix],
            "org": [part for org in values("org") for part in org],
            "adr": [[a.box, a.extended, a.street, a.city, a.region, a.code, a.country] for a in values("adr")],
            "emailKinds": kinds("email"), "telKinds": kinds("tel"),
            "labels": [[line.group, line.value] for line in card.contents.get("x-ablabel", [])],
            "groups": [line.group or "" for line in card.contents.get("url", [])],
            "profiles": [[",".join(line.params["TYPE"]), line.value] for line in card.contents.get("x-socialprofile", [])],
            "photo": [base64.b64encode(photo).decode() for photo in values("photo")],
            **{key: values(key) for key in ("fn", "title", "email", "tel", "url", "note", "uid", "rev")}}
json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)`;

test.skipIf(!hasVobject)("a Python program (vobject) reads every field of 200 cards back", () => {
  expect(readWithVobject(script, JSON.stringify(cards.map(formatVCard)))).toEqual(cards.map(expected));
});

type Read = ReturnType<typeof expected>;

/** What a reader must find, derived from the card and not from the file. */
function expected(card: VCardContact) {
  const fn = oneLine(card.displayName) || "Professional";
  const prefix = oneLine(card.prefix ?? "");
  const suffix = oneLine(card.suffix ?? "");
  const org = [oneLine(card.company ?? ""), oneLine(card.department ?? "")];
  const emails = contactMethodsOf(card.email, card.emails);
  const phones = contactMethodsOf(card.phone, card.phones);
  return {
    n: [...structuredName(fn, { prefix, suffix })],
    fn: [[[prefix, fn].filter(Boolean).join(" "), suffix].filter(Boolean).join(", ")],
    org: org[1] ? org : org.filter(Boolean),
    adr: addressOf(card),
    email: emails.map(({ value }) => value),
    emailKinds: kindsOf(emails, { work: "INTERNET,WORK", mobile: "INTERNET,HOME", home: "INTERNET,HOME" }),
    tel: phones.map(({ value }) => value),
    telKinds: kindsOf(phones, { work: "WORK,VOICE", mobile: "CELL,VOICE", home: "HOME,VOICE" }),
    ...linksOf(card),
    note: noteOf(card),
    title: filledLines([...new Set([...filledLines([card.profession]), ...filledLines([card.position])])].join(" · ")),
    uid: card.uid ? [`urn:uuid:${card.uid}`] : [],
    rev: Number.isNaN(card.updatedAt) ? [] : [new Date(card.updatedAt).toISOString().replace(/[-:]|\.\d+/g, "")],
    photo: card.photo ? [card.photo] : [],
  };
}

function filledLines(texts: string | (string | null | undefined)[]): string[] {
  return [texts].flat().flatMap((one) => oneLine(one ?? "") || []);
}

function contactMethodsOf(own: string | null | undefined, more: VCardContact["phones"] = []) {
  return [{ kind: "work" as const, value: own ?? "" }, ...more]
    .map(({ kind, value }) => ({ kind, value: oneLine(value) }))
    .filter(({ value }) => value);
}

function kindsOf(
  methods: ReturnType<typeof contactMethodsOf>,
  names: Record<"work" | "mobile" | "home", string>,
): string[] {
  return methods.map(({ kind }, at) => names[kind] + (at === 0 && methods.length > 1 ? ",PREF" : ""));
}

function addressOf({ address }: VCardContact): string[][] {
  if (!address) return [];
  const { street, city, region, postcode, country } = address;
  const parts = [street, city, region, postcode, country].map((part) => oneLine(part));
  return parts.some(Boolean) ? [["", "", ...parts]] : [];
}

/** Characters that readers could take for an escape are percent-encoded. The first label of an address counts. */
function linksOf({ cardUrl, website = "", links }: VCardContact) {
  const named = [{ url: cardUrl, name: "" }, { url: website, name: "" }, ...links]
    .filter(({ url }) => isAllowedAddress(url))
    .map(({ url, name }) => ({ name: oneLine(name), url: encoded(new URL(url).href) }));
  const own = named.filter(({ url }, at) => named.findIndex((one) => one.url === url) === at);
  const labeled = own.filter(({ name }) => name);
  return {
    url: own.map(({ url }) => url),
    groups: own.map((link) => (link.name ? `item${labeled.indexOf(link) + 1}` : "")),
    labels: labeled.map(({ name }, at) => [`item${at + 1}`, name]),
    profiles: labeled
      .filter(({ url }) => /^https?:\/\/(?:www\.)?(?:github|linkedin)\.com[/:]/.test(url))
      .map(({ url }) => [url.includes("linkedin") ? "linkedin" : "github", url]),
  };
}

function encoded(url: string): string {
  return url.replaceAll("\\", "%5C").replaceAll(",", "%2C").replaceAll(";", "%3B").replaceAll(" ", "%20");
}

function noteOf({ bio, yearsExperience: years, pronouns }: VCardContact): string[] {
  const hasYears = years !== null && years !== undefined;
  const facts = [
    ...(hasYears ? [years === 1 ? "1 year of experience" : `${years} years of experience`] : []),
    ...filledLines([pronouns]).map((text) => `Pronouns: ${text}`),
  ].join("\n");
  const note = [paragraph(bio ?? ""), facts].filter(Boolean).join("\n\n");
  return note ? [note] : [];
}

function readByIcal(card: VCardContact) {
  const component = new ICAL.Component(ICAL.parse(formatVCard(card)));
  const values = (name: string) => component.getAllProperties(name).map((property) => property.getFirstValue());
  // It keeps "\\;" in plain text, which RFC 2426 §5 escapes like a comma.
  const texts = (name: string) => values(name).map((value) => String(value).replaceAll(String.raw`\;`, ";"));
  const kinds = (name: string) =>
    component.getAllProperties(name).map((property) => [property.getParameter("type")].flat().join(","));
  return {
    n: partsByIcal(values("n").flat()),
    fn: texts("fn"),
    org: partsByIcal(values("org").flat()),
    adr: values("adr").map((parts) => partsByIcal([parts].flat())),
    email: texts("email"),
    emailKinds: kinds("email"),
    tel: values("tel").map(String),
    telKinds: kinds("tel"),
    url: texts("url"),
    groups: component.getAllProperties("url").map((property) => property.getFirstParameter("group") ?? ""),
    labels: component
      .getAllProperties("x-ablabel")
      .map((property) => [property.getFirstParameter("group"), unescaped(String(property.getFirstValue()))]),
    profiles: component
      .getAllProperties("x-socialprofile")
      .map((property) => [property.getFirstParameter("type"), property.getFirstValue()]),
    note: texts("note"),
    title: texts("title"),
    uid: texts("uid"),
    rev: texts("rev"),
    photo: texts("photo"),
  };
}

/** It returns a property that it doesn't know as it stands in the file. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gs, "$1");
}

/** How it reads phone numbers and times: it drops every backslash of a number, and formats a time with separators. */
function asIcalReads(read: Read): Read {
  const withSeparators = (rev: string) => rev.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5");
  return {
    ...read,
    n: partsByIcal(read.n),
    org: partsByIcal(read.org),
    adr: read.adr.map(partsByIcal),
    tel: read.tel.map((number) => number.replaceAll("\\", "")),
    rev: read.rev.map(withSeparators),
  };
}

/** It takes a trailing backslash of a part for an escaped semicolon, so only the whole value can be compared. */
function partsByIcal(parts: unknown[]): string[] {
  const texts = parts.map(String);
  return texts.some((text) => text.includes("\\")) ? [texts.join(";")] : texts;
}
