import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { ada, anyContact, names, nobody } from "#tests/support/contacts.ts";

import { contactFile } from "./contact-file.ts";
import type { Contact } from "./contact-file.ts";

test("a contact file says what the card says, in the order and the form of RFC 2426", () => {
  const lines = contactFile({ ...ada, photo: null })
    .replaceAll("\r\n ", "")
    .split("\r\n");
  expect(lines).toEqual([
    "BEGIN:VCARD",
    "VERSION:3.0",
    "N:Lovelace;Ada;;;",
    "FN:Ada Lovelace",
    String.raw`ORG:Analytical Engines\; Ltd.\, London`,
    "TITLE:Mathematician · Head of Research",
    "EMAIL;TYPE=INTERNET,WORK:ada@example.com",
    String.raw`TEL;TYPE=WORK,VOICE:+44 20 7946 0018\; ext 5`,
    "URL:https://meishi.example/card/3f0e7b9a-0000-4000-8000-000000000000",
    "URL:https://github.com/ada?a=1%2C2%3Bb=%5C3",
    String.raw`NOTE:I write programs\,\nand \\ notes\; in C:\\new\\n.\n\n12 years of experience`,
    "UID:urn:uuid:3f0e7b9a-0000-4000-8000-000000000000",
    "REV:20261121T023100Z",
    "END:VCARD",
    "",
  ]);
});

test("everything more stands where phones look for it, each with its kind", () => {
  const more = contactFile({
    ...ada,
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
  });
  const lines = more.replaceAll("\r\n ", "").split("\r\n");
  expect(lines.slice(2, 16)).toEqual([
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
    "URL:https://github.com/ada?a=1%2C2%3Bb=%5C3",
    String.raw`NOTE:I write programs\,\nand \\ notes\; in C:\\new\\n.\n\n12 years of experience\nPronouns: she/her`,
  ]);
});

test("a department without a company, and a phone without one of work, still have their places", () => {
  const file = contactFile({ ...nobody, department: "Mathematics", phones: [{ kind: "mobile", value: "+44 1" }] });
  expect(file).toContain("ORG:;Mathematics\r\n");
  expect(file).toContain("TEL;TYPE=CELL,VOICE:+44 1\r\n");
});

test("what has no value is left out, and a card without a name still has the two names that the standard asks for", () => {
  const least = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:;Professional;;;\r\nFN:Professional\r\nEND:VCARD\r\n";
  expect(contactFile(nobody)).toBe(least);
  expect(contactFile({ ...nobody, phone: " \0", bio: "\n", company: null, photo: "<script>", position: "" })).toBe(
    least,
  );
});

test("the same words are not said twice, and a year is no years", () => {
  const file = contactFile({
    ...nobody,
    profession: "Baker",
    position: "Baker",
    yearsExperience: 1,
    cardUrl: "https://a.example/",
  });
  expect(file).toContain("TITLE:Baker\r\n");
  expect(file).toContain("NOTE:1 year of experience\r\n");
  const linked = contactFile({ ...ada, links: [{ name: "Card", url: ada.cardUrl }] });
  expect(linked.match(/^URL/gm)).toHaveLength(1);
});

test("a link that no page would show is not in the file either", () => {
  const urls = ["javascript:alert(1)", "data:text/html,x", "", "not an address", "https://a.example/\r\nTEL:1"];
  expect(contactFile({ ...nobody, links: urls.map((url) => ({ name: "x", url })) })).not.toMatch(/URL|TEL|script/);
});

describe("lines are no longer than 75 octets, end in CRLF, and are nobody else's", () => {
  test.each(names)("for %j", (displayName) => {
    expect(faults({ ...ada, displayName, bio: displayName.repeat(3), company: displayName })).toEqual([]);
  });

  test("for any text in any field", () => {
    fc.assert(
      fc.property(anyContact, (card) => {
        expect(faults(card)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

/** What is wrong with the lines of a card's file. */
function faults(card: Contact): string[] {
  const file = contactFile(card);
  const lines = file.split("\r\n").slice(0, -1);
  const properties = lines
    .filter((line) => !line.startsWith(" "))
    .map((line) => /^[A-Z]+(?=[:;])/.exec(line)?.[0] ?? line);
  const once = properties.filter((name) => !["URL", "EMAIL", "TEL"].includes(name));
  const order = [
    "BEGIN",
    "VERSION",
    "N",
    "FN",
    "ORG",
    "TITLE",
    "EMAIL",
    "TEL",
    "ADR",
    "URL",
    "NOTE",
    "PHOTO",
    "UID",
    "REV",
    "END",
  ];
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
