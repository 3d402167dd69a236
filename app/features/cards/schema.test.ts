import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  isSameForm,
  optionalTextFormFields,
  readFormValues,
  toFormErrors,
  toFormValues,
  toUncheckedCard,
} from "./card-form.ts";
import type { CardFormValues } from "./card-form.ts";
import { parseCard, readFormId } from "./schema.ts";
import { emptyOptionalFields, visibilityFields } from "./card-fields.ts";
import { defaultDesign } from "./card-design.ts";
import { newCard } from "./rules.ts";

describe("a card's form", () => {
  test("turns the form into a card", () => {
    const { change } = accepted({
      card_name: "  My\tcard ",
      email: " ada@example.com ",
      phone: "+44 20 7946 0000",
      years_experience: "12",
      links: [{ id: "a", name: "Site", url: "ada.example" }],
      is_public: false,
    });
    expect(change).toEqual({
      cardName: "My card",
      email: "ada@example.com",
      phone: "+44 20 7946 0000",
      profession: "",
      company: "",
      position: "",
      yearsExperience: 12,
      links: [{ id: "a", name: "Site", url: "https://ada.example" }],
      isPublic: false,
      design: defaultDesign,
      ...emptyOptionalFields(),
    });
  });

  test("takes a preset, the theme's or any color as the accent, and refuses other text next to it", () => {
    expect(accepted({ accent: "violet", layout: "cover", paper: "dark" }).change.design).toEqual({
      accent: "violet",
      layout: "cover",
      paper: "dark",
    });
    expect(accepted({ accent: "own", accent_color: "#3A5F8C" }).change.design.accent).toBe("#3a5f8c");
    for (const own of ["", "red", "#12", "#12345g", "}</style>"])
      expect(refused({ accent: "own", accent_color: own })).toEqual({ accent: "Choose a color such as #3a5f8c." });
    expect(refused({ accent: "plaid" })).toEqual({ accent: "Choose a color such as #3a5f8c." });
  });

  test("requires only the card's name", () => {
    expect(refused({ card_name: "\u200b" })).toEqual({ card_name: "Card name is required" });
    expect(refused({ card_name: " \u0000 " })).toEqual({ card_name: "Card name is required" });
    expect(accepted({}).change.yearsExperience).toBeNull();
  });

  test.each([
    [{ email: "ada" }, { email: "Invalid email" }],
    [{ email: "ada@example.com, eve@example.com" }, { email: "Invalid email" }],
    [{ years_experience: "101" }, { years_experience: "Years of experience must be a number from 0 to 100" }],
    [{ years_experience: "-1" }, { years_experience: "Years of experience must be a number from 0 to 100" }],
    [{ years_experience: "100.5" }, { years_experience: "Years of experience must be a number from 0 to 100" }],
    [{ years_experience: "eight" }, { years_experience: "Years of experience must be a number from 0 to 100" }],
    [{ phone: "n/a" }, { phone: "Enter a phone number with at least one digit." }],
    [{ card_name: "n".repeat(101) }, { card_name: "Use at most 100 characters." }],
    [{ company: "c".repeat(1_000_000) }, { company: "Use at most 100 characters." }],
  ] satisfies [Partial<CardFormValues>, object][])("reports the error of a field: %#", (text, errors) => {
    expect(refused(text)).toEqual(errors);
  });

  test("rejects a megabyte of accents quickly in every field", () => {
    const accents = "\u0316\u0301".repeat(500_000);
    const errors = refused({ card_name: accents, phone: accents, links: [{ id: "", name: accents, url: accents }] });
    expect(errors).toEqual({
      "links.0.name": "Use at most 60 characters for the name.",
      "links.0.url": "Invalid URL",
    });
    expect(refused({ card_name: accents, email: accents })).toEqual({
      card_name: "Use at most 100 characters.",
      email: "Use at most 254 characters.",
    });
  });

  test.each(["1-800-FLOWERS", "+44 (0)20 7946 0000 ext. 5", "٠٢٠ ٧٩٤٦", ""])("accepts the phone number %j", (phone) => {
    expect(accepted({ phone }).change.phone).toBe(phone);
  });

  test("accepts 0 to 100 years, with decimals", () => {
    expect(accepted({ years_experience: "0" }).change.yearsExperience).toBe(0);
    expect(accepted({ years_experience: " 2.5 " }).change.yearsExperience).toBe(2.5);
    expect(accepted({ years_experience: "2,25" }).change.yearsExperience).toBe(2.25);
    expect(accepted({ years_experience: "100" }).change.yearsExperience).toBe(100);
  });

  test("reports the row of an invalid link, even below empty rows", () => {
    const empty = { id: "", name: "", url: " " };
    const links = [empty, { id: "", name: "Site", url: "javascript:alert(1)" }, { id: "", name: "", url: "ada" }];
    expect(refused({ links })).toEqual({
      "links.1.url": "Invalid URL",
      "links.2.url": "Invalid URL",
    });
  });

  test("accepts eight links and rejects nine", () => {
    const link = { id: "", name: "Site", url: "https://ada.example" };
    expect(accepted({ links: Array.from({ length: 8 }, () => link) }).change.links).toHaveLength(8);
    const nine = refused({ links: Array.from({ length: 9 }, () => link) });
    expect(nine).toEqual({ links: "You can add a maximum of 8 links." });
  });

  test("keeps the ids of links and creates one for each new link", () => {
    const link = { name: "Site", url: "https://ada.example" };
    const { links } = accepted({
      links: [
        { id: "old", ...link },
        { id: "old", ...link },
        { id: "../x", ...link },
      ],
    }).change;
    expect(links[0]?.id).toBe("old");
    expect(new Set(links.map(({ id }) => id)).size).toBe(3);
    for (const { id } of links.slice(1)) expect(id).toMatch(/^[\da-f-]{36}$/);
  });

  test("replaces line breaks by spaces, so that text can't inject a header or a property", () => {
    expect(accepted({ company: "Example\r\nBcc: eve@example.com" }).change.company).toBe(
      "Example Bcc: eve@example.com",
    );
  });

  test("never throws, and accepts its own output unchanged", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "",
        "a@b.example",
        "7",
        "2.5",
        "007",
        "https://a.example",
        "a.example",
        "Ada \u200e",
        "a.example/e\u200e\u0301",
      ),
    );
    const link = fc.record({ id: text, name: text, url: text });
    const form = fc.record({
      display_name: fc.constant(""),
      card_name: text,
      email: text,
      phone: text,
      profession: text,
      company: text,
      position: text,
      years_experience: text,
      links: fc.array(link, { maxLength: 9 }),
      is_public: fc.boolean(),
      accent: fc.oneof(text, fc.constantFrom("violet", "own", "#3A5f8c")),
      accent_color: fc.oneof(text, fc.constantFrom("#3A5f8c", " #fff ")),
      layout: fc.oneof(text, fc.constantFrom("cover")),
      paper: fc.oneof(text, fc.constantFrom("dark")),
      ...moreText(text),
    });
    fc.assert(
      fc.property(form, (typed) => {
        const read = parseForm(typed);
        if (!("change" in read)) return Object.keys(read.errors).length > 0;
        expect(parseForm(toFormValues(read.change))).toEqual(read);
        return isSameForm(typed, toFormValues(read.change));
      }),
    );
  });
});

describe("reading the form", () => {
  test("reads each link's name, URL and id from its row", () => {
    const form = new FormData();
    for (const row of [10, 2]) {
      form.append(`links.${row}.id`, `id-${row}`);
      form.append(`links.${row}.name`, `name-${row}`);
      form.append(`links.${row}.url`, `url-${row}`);
    }
    expect(readFormValues(form).links).toEqual([
      { id: "id-2", name: "name-2", url: "url-2" },
      { id: "id-10", name: "name-10", url: "url-10" },
    ]);
  });

  test("reads missing fields and files as empty", () => {
    const form = new FormData();
    form.append("card_name", new File(["x"], "card.txt"));
    form.append("links.0.name", "Only a name");
    expect(readFormValues(form)).toMatchObject({ card_name: "", email: "", is_public: false });
    expect(readFormValues(form).links).toEqual([{ id: "", name: "Only a name", url: "" }]);
  });

  test("keeps the id of a new card's form and replaces any other text", () => {
    const id = "0f8b5c9e-6a43-4d7e-9a56-1f6a2f4c1b11";
    expect(readFormId(formOf({ id: id.toUpperCase() }))).toBe(id);
    for (const bad of ["demo-card", "", "../../etc"]) expect(readFormId(formOf({ id: bad }))).toMatch(/^[\da-f-]{36}$/);
  });
});

/** Any text in each optional field. */
function moreText(text: fc.Arbitrary<string>) {
  const each = <Name extends string>(names: readonly Name[]) =>
    Object.fromEntries(names.map((name) => [name, text])) as Record<Name, fc.Arbitrary<string>>;
  const reach = fc.record({ id: text, kind: text, value: text, shown: fc.constantFrom("", "page", "file", "x") });
  return {
    ...each(optionalTextFormFields),
    phones: fc.array(reach, { maxLength: 6 }),
    emails: fc.array(reach, { maxLength: 6 }),
    shown: fc.record(each(visibilityFields)),
  };
}

function formOf(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

const blank = toFormValues(newCard({ displayName: "", links: [] }));

function accepted(text: Partial<CardFormValues>) {
  const read = parseForm({ ...blank, ...text });
  if ("errors" in read) throw new Error(JSON.stringify(read.errors));
  return read;
}

function refused(text: Partial<CardFormValues>) {
  const read = parseForm({ ...blank, ...text });
  return "errors" in read ? read.errors : undefined;
}

/** The card that a form describes, or its errors by the names of the form's fields. */
function parseForm(values: CardFormValues) {
  const parsed = parseCard(toUncheckedCard(values));
  return "errors" in parsed ? { errors: toFormErrors(parsed.errors) } : parsed;
}
