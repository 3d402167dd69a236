import * as fc from "fast-check";
import { expect, test } from "vitest";

import { adaContact, anyContact, difficultNames, emptyContact } from "#tests/support/fixtures/contacts.ts";

import { formatVCard } from "./vcard.ts";
import type { VCardContact } from "./vcard.ts";

test("formats all fields of a card as RFC 2426 requires, where phones look for them, with their types", () => {
  const file = formatVCard({
    ...adaContact,
    displayName: "Ada Lovelace, MBA",
    prefix: "Dr.",
    suffix: "PhD",
    pronouns: "she/her",
    department: "Numbers; Notes",
    emails: [{ kind: "home", value: "ada@home.example" }],
    phones: [
      { kind: "mobile", value: "+44 7700 900123" },
      { kind: "home", value: "+44 20 7946 0999" },
    ],
    website: "https://engines.example/",
    address: { street: "12, St James's Sq", city: "London", region: "", postcode: "SW1Y 4JH", country: "UK" },
    photo: null,
    categories: ["Fair, Berlin", "Board"],
  });
  expect(file.replaceAll("\r\n ", "").split("\r\n")).toEqual([
    "BEGIN:VCARD",
    "VERSION:3.0",
    String.raw`N:Lovelace;Ada;;Dr.;MBA\, PhD`,
    String.raw`FN:Dr. Ada Lovelace\, MBA\, PhD`,
    String.raw`ORG:Analytical Engines\; Ltd.\, London;Numbers\; Notes`,
    "TITLE:Mathematician · Head of Research",
    "EMAIL;TYPE=INTERNET,WORK,PREF:ada@example.com",
    "EMAIL;TYPE=INTERNET,HOME:ada@home.example",
    String.raw`TEL;TYPE=WORK,VOICE,PREF:+44 20 7946 0018\; ext 5`,
    "TEL;TYPE=CELL,VOICE:+44 7700 900123",
    "TEL;TYPE=HOME,VOICE:+44 20 7946 0999",
    String.raw`ADR;TYPE=WORK:;;12\, St James's Sq;London;;SW1Y 4JH;UK`,
    "URL:https://meishi.example/card/3f0e7b9a-0000-4000-8000-000000000000",
    "URL:https://engines.example/",
    "item1.URL:https://github.com/ada?a=1%2C2%3Bb=%5C3",
    "item1.X-ABLabel:GitHub",
    "X-SOCIALPROFILE;TYPE=github:https://github.com/ada?a=1%2C2%3Bb=%5C3",
    String.raw`NOTE:I write programs\,\nand \\ notes\; in C:\\new\\n.\n\n12 years of experience\nPronouns: she/her`,
    String.raw`CATEGORIES:Fair\, Berlin,Board`,
    "UID:urn:uuid:3f0e7b9a-0000-4000-8000-000000000000",
    "REV:20261121T023100Z",
    "END:VCARD",
    "",
  ]);
});

test("labels links in groups of their own, and names the network of social profiles", () => {
  const file = formatVCard({
    ...emptyContact,
    cardUrl: "https://meishi.example/c/abc",
    website: "https://studio.example/",
    links: [
      { name: "Studio again", url: "https://studio.example" },
      { name: "Notes; drafts, \\ and 📝", url: "https://notes.example/" },
      { name: " ", url: "https://plain.example/" },
      { name: "مدونتي", url: "https://x.com/ada" },
    ],
  });
  expect(file.split("\r\n").slice(4, -2)).toEqual([
    "URL:https://meishi.example/c/abc",
    "URL:https://studio.example/",
    "item1.URL:https://notes.example/",
    String.raw`item1.X-ABLabel:Notes\; drafts\, \\ and 📝`,
    "URL:https://plain.example/",
    "item2.URL:https://x.com/ada",
    "item2.X-ABLabel:مدونتي",
    "X-SOCIALPROFILE;TYPE=twitter:https://x.com/ada",
  ]);
});

test("formats a department without a company, a phone number without one of work, and no text twice", () => {
  const file = formatVCard({
    ...emptyContact,
    department: "Mathematics",
    email: "ada@example.com",
    phones: [{ kind: "mobile", value: "+44 1" }],
    profession: "Baker",
    position: "Baker",
    yearsExperience: 1,
  });
  const methods = ["EMAIL;TYPE=INTERNET,WORK:ada@example.com", "TEL;TYPE=CELL,VOICE:+44 1"];
  const rows = ["ORG:;Mathematics", ...methods, "TITLE:Baker", "NOTE:1 year of experience"];
  for (const row of rows) expect(file.split("\r\n")).toContain(row);
  const linked = formatVCard({ ...adaContact, links: [{ name: "Card", url: adaContact.cardUrl }] });
  expect(linked.match(/^URL/gm)).toHaveLength(1);
});

test("leaves out empty fields, except the two names that the standard requires", () => {
  const least = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:;Professional;;;\r\nFN:Professional\r\nEND:VCARD\r\n";
  expect(formatVCard(emptyContact)).toBe(least);
  const blank = { phone: " \0", bio: "\n", company: null, photo: "<script>", position: "" };
  expect(formatVCard({ ...emptyContact, ...blank })).toBe(least);
});

test("leaves out links that no page would show", () => {
  const urls = ["javascript:alert(1)", "data:text/html,x", "", "not an address", "https://a.example/\r\nTEL:1"];
  const links = urls.map((url) => ({ name: "x", url }));
  expect(formatVCard({ ...emptyContact, links })).not.toMatch(/URL|TEL|script/);
});

test("lines have at most 75 octets, end in CRLF, and can't be injected: difficult names", () => {
  for (const displayName of difficultNames)
    expect(faults({ ...adaContact, displayName, bio: displayName.repeat(3), company: displayName })).toEqual([]);
});

test("lines have at most 75 octets, end in CRLF, and can't be injected: any text in any field", () => {
  const hasNone = fc.property(anyContact, (card) => faults(card).length === 0);
  fc.assert(hasNone, { numRuns: 200 });
});

/** The errors in the lines of a contact file. */
function faults(card: VCardContact): string[] {
  const file = formatVCard(card);
  const lines = file.split("\r\n").slice(0, -1);
  const properties = lines
    .filter((line) => !line.startsWith(" "))
    // A label and a social profile follow the address that they belong to.
    .map((line) => line.replace(/^(?:item\d\.X-ABLabel|X-SOCIALPROFILE|item\d\.URL)(?=[:;])/, "URL"))
    .map((line) => /^[A-Z]+(?=[:;])/.exec(line)?.[0] ?? line);
  const once = properties.filter((name) => !["URL", "EMAIL", "TEL"].includes(name));
  const order = "BEGIN VERSION N FN ORG TITLE EMAIL TEL ADR URL NOTE PHOTO UID REV END".split(" ");
  const places = properties.map((name) => order.indexOf(name));
  return [
    ...lines.filter((line) => Buffer.byteLength(line) > 75 || !line.isWellFormed()),
    ...properties.filter((name) => !order.includes(name)),
    ...(file.endsWith("END:VCARD\r\n") ? [] : ["its end is missing"]),
    ...(/\p{Cc}|[\u2028\u2029]/u.test(file.replaceAll("\r\n", "")) ? ["a control character"] : []),
    ...(new Set(once).size === once.length ? [] : ["a property twice"]),
    ...(places.every((place, at) => place >= (places[at - 1] ?? 0)) ? [] : ["out of order"]),
  ];
}
