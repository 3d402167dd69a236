import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

import * as fc from "fast-check";
import ICAL from "ical.js";
import { describe, expect, test } from "vitest";

import { oneLine, paragraph } from "#app/services/plain-text.ts";

import { contactFile } from "./contact-file.ts";
import type { Contact } from "./contact-file.ts";

const ada: Contact = {
  displayName: "Ada Lovelace",
  profession: "Mathematician",
  company: "Analytical Engines; Ltd., London",
  position: "Head of Research",
  email: "ada@example.com",
  phone: "+44 20 7946 0018; ext 5",
  yearsExperience: 12,
  bio: "I write programs,\nand \\ notes; in C:\\new\\n.",
  links: [{ name: "GitHub", url: "https://github.com/ada?a=1,2;b=\\3" }],
  cardUrl: "https://meishi.example/card/3f0e7b9a-0000-4000-8000-000000000000",
  uid: "3f0e7b9a-0000-4000-8000-000000000000",
  updatedAt: Date.UTC(2026, 10, 21, 2, 31),
  photo: Buffer.alloc(4000, "photo").toString("base64"),
};
const nobody: Contact = { displayName: "", links: [], cardUrl: "", uid: "", updatedAt: Number.NaN };

const names = [
  `O'Neil; "Ann", PhD`,
  "山田 太郎",
  "ひらがな・カタカナ・漢字のとても長い名前を持っている名刺交換が大好きな人",
  "محمد بن موسى الخوارزمي",
  "👩‍👩‍👧‍👦👨🏽‍🚀 Família 🏴󠁧󠁢󠁳󠁣󠁴󠁿",
  "m".repeat(60),
  "ab\\,;\\n\\\\",
  "Ada\r\nTEL:+1\u2028EMAIL:eve@example.com\0",
];

// The text of any program: control characters, half surrogates, unassigned code points, and what vCard itself is written in.
const unit = fc.oneof(
  { arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }), weight: 6 },
  fc.constantFrom(
    "\r\n",
    "\n",
    "\r",
    "\0",
    "\\",
    "\\n",
    ";",
    ",",
    ":",
    '"',
    " ",
    "\t",
    "\ud83d",
    "👩‍👩‍👧‍👦",
    "é",
    "名",
    "END:VCARD",
    "=0D=0A",
  ),
);
const anyText = fc.array(unit, { maxLength: 60 }).map((units) => units.join(""));
const maybe = fc.option(anyText, { nil: null });
const contact: fc.Arbitrary<Contact> = fc.record({
  displayName: anyText,
  profession: maybe,
  company: maybe,
  position: maybe,
  email: maybe,
  phone: maybe,
  yearsExperience: fc.option(fc.integer({ min: 0, max: 100 }), { nil: null }),
  bio: maybe,
  links: fc.array(fc.record({ name: anyText, url: fc.oneof(anyText, fc.webUrl({ withQueryParameters: true })) }), {
    maxLength: 8,
  }),
  cardUrl: fc.webUrl(),
  uid: fc.uuid(),
  updatedAt: fc.integer({ min: 0, max: 4e12 }),
  photo: fc.option(
    fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("base64")),
    { nil: null },
  ),
});

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
      fc.property(contact, (card) => {
        expect(faults(card)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

test("a JavaScript program (ical.js) reads back the same values, whatever they are", () => {
  const read = (written: Contact) => {
    const card = new ICAL.Component(ICAL.parse(contactFile(written)));
    const all = (name: string) => card.getAllProperties(name).map((property) => String(property.getFirstValue()));
    // ical.js leaves "\\;" in plain texts and takes a telephone number as it stands; RFC 2426 §5 escapes both like any text.
    const texts = (name: string) => all(name).map((text) => text.replaceAll(String.raw`\;`, ";"));
    return {
      ...Object.fromEntries(["fn", "title", "email", "note", "uid"].map((name) => [name, texts(name)])),
      org: all("org"),
      tel: all("tel"),
      photo: all("photo"),
    };
  };
  // It drops every backslash of a telephone number.
  const found = (written: Contact) => {
    const { tel, ...rest } = expected(written);
    return { ...rest, tel: tel.map((text) => text.replaceAll("\\", "")) };
  };
  for (const displayName of names) expect(read({ ...ada, displayName })).toEqual(found({ ...ada, displayName }));
  fc.assert(
    fc.property(contact, (written) => {
      expect(read(written)).toEqual(found(written));
    }),
    { numRuns: 300 },
  );
});

const python = ["/usr/bin/python3", "python3"].find(
  (path) => (path === "python3" || existsSync(path)) && spawnSync(path, ["-c", "import vobject"]).status === 0,
);
if (!python) console.warn("SKIPPED: contact files were not read by vobject; Debian's package python3-vobject has it.");

test("where the build says that it ran everything, vobject was there", () => {
  expect(Boolean(python) || !process.env["CI"]).toBe(true);
});

test.skipIf(!python)("a Python program (vobject) reads back the same values, whatever they are", () => {
  const written = [...names.map((displayName) => ({ ...ada, displayName })), nobody, ...fc.sample(contact, 200)];
  const script = `
import base64, json, sys, vobject
def read(text):
    card = vobject.readOne(text)
    card.validate(raiseException=True)
    values = lambda name: [line.value for line in card.contents.get(name, [])]
    name = card.n.value
    return {"n": [name.family, name.given, name.additional, name.prefix, name.suffix],
            "org": [part for org in values("org") for part in org],
            "photo": [base64.b64encode(photo).decode() for photo in values("photo")],
            **{key: values(key) for key in ("fn", "title", "email", "tel", "url", "note", "uid")}}
json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)`;
  const { stdout, stderr } = spawnSync(python ?? "", ["-c", script], {
    input: JSON.stringify(written.map(contactFile)),
    encoding: "utf8",
    env: { PYTHONIOENCODING: "utf-8" },
    maxBuffer: 1e8,
  });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual(written.map((one) => expect.objectContaining(expected(one))));
});

/** What a reader has to find, said from the card and not from the file. */
function expected(card: Contact) {
  const said = (text: string | null | undefined, cleaned = oneLine) =>
    [cleaned(text ?? "")].filter((value) => value !== "");
  const title = [...new Set([...said(card.profession), ...said(card.position)])].join(" · ");
  const fn = oneLine(card.displayName) || "Professional";
  const years = card.yearsExperience === 1 ? "1 year of experience" : `${card.yearsExperience} years of experience`;
  const hasYears = card.yearsExperience !== null && card.yearsExperience !== undefined;
  const note = [...said(card.bio, paragraph), ...(hasYears ? [years] : [])].join("\n\n");
  return {
    fn: [fn],
    org: said(card.company),
    email: said(card.email),
    tel: said(card.phone),
    note: said(note, paragraph),
    title: said(title),
    uid: card.uid ? [`urn:uuid:${card.uid}`] : [],
    photo: card.photo ? [card.photo] : [],
  };
}

/** What is wrong with the lines of a card's file. */
function faults(card: Contact): string[] {
  const file = contactFile(card);
  const lines = file.split("\r\n").slice(0, -1);
  const properties = lines
    .filter((line) => !line.startsWith(" "))
    .map((line) => /^[A-Z]+(?=[:;])/.exec(line)?.[0] ?? line);
  const once = properties.filter((name) => name !== "URL");
  const order = [
    "BEGIN",
    "VERSION",
    "N",
    "FN",
    "ORG",
    "TITLE",
    "EMAIL",
    "TEL",
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
