import * as fc from "fast-check";

import type { Contact } from "#app/features/cards/contact-file.ts";
import { phoneKinds } from "#app/features/cards/more-fields.ts";

/** A card with every field that every card has, and what vCard is written in among its words. */
export const ada: Contact = {
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
/** A card that says nothing. */
export const nobody: Contact = { displayName: "", links: [], cardUrl: "", uid: "", updatedAt: Number.NaN };

/** Names that programs stumble over. */
export const names = [
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
const someText = fc.option(anyText, { nil: undefined });
const reaches = fc.array(fc.record({ kind: fc.constantFrom(...phoneKinds), value: anyText }), { maxLength: 5 });
/** Any card. */
export const anyContact: fc.Arbitrary<Contact> = fc.record({
  displayName: anyText,
  profession: maybe,
  company: maybe,
  position: maybe,
  email: maybe,
  phone: maybe,
  prefix: someText,
  suffix: someText,
  pronouns: someText,
  department: someText,
  emails: reaches,
  phones: reaches,
  website: fc.oneof(anyText, fc.webUrl({ withFragments: true })),
  address: fc.option(
    fc.record({ street: anyText, city: anyText, region: anyText, postcode: anyText, country: anyText }),
    { nil: undefined },
  ),
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
