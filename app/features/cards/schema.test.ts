import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { timeInScans } from "#tests/support/measurements.ts";

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
import { newCard } from "./rules.ts";

const site = { id: "", name: "Site", url: "https://ada.example" };
const invalidYears = { years_experience: "Years of experience must be a number from 0 to 100" };

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
      ...newCard({ displayName: "", links: [] }),
      cardName: "My card",
      email: "ada@example.com",
      phone: "+44 20 7946 0000",
      yearsExperience: 12,
      links: [{ id: "a", name: "Site", url: "https://ada.example" }],
      isPublic: false,
    });
  });

  test("takes a preset, the theme's or any color as the accent, and refuses other text next to it", () => {
    const design = { accent: "violet", layout: "cover", paper: "dark" };
    expect(accepted(design).change.design).toEqual(design);
    expect(accepted({ accent: "own", accent_color: "#3A5F8C" }).change.design.accent).toBe("#3a5f8c");
    for (const own of ["", "red", "#12", "#12345g", "}</style>"])
      expect(refused({ accent: "own", accent_color: own })).toEqual({ accent: "Choose a color such as #3a5f8c." });
    expect(refused({ accent: "plaid" })).toEqual({ accent: "Choose a color such as #3a5f8c." });
  });

  test("writes the domain of an email in ASCII", () => {
    const emails = [{ id: "a", kind: "work", value: "lena@münchen.example", visibility: "" }];
    const { change } = accepted({ email: "lena@müller.example", emails });
    const expected = ["lena@xn--mller-kva.example", "lena@xn--mnchen-3ya.example"];
    expect([change.email, change.emails[0]?.value]).toEqual(expected);
  });

  test.each([
    [{ card_name: "\u200b \u0000 " }, { card_name: "Card name is required" }],
    [{ email: "ada" }, { email: "Invalid email" }],
    [{ email: "ada@example.com, eve@example.com" }, { email: "Invalid email" }],
    [{ years_experience: "101" }, invalidYears],
    [{ years_experience: "-1" }, invalidYears],
    [{ years_experience: "100.5" }, invalidYears],
    [{ years_experience: "eight" }, invalidYears],
    [{ phone: "n/a" }, { phone: "Enter a phone number with at least one digit." }],
    [{ card_name: "n".repeat(101) }, { card_name: "Use at most 100 characters." }],
    [{ links: Array.from({ length: 31 }, () => site) }, { links: "You can add a maximum of 30 links." }],
  ] satisfies [Partial<CardFormValues>, object][])("reports the error of a field: %#", (text, errors) => {
    expect(refused(text)).toEqual(errors);
  });

  test("accepts a phone number as people write it, and 0 to 100 years with decimals", () => {
    for (const phone of ["1-800-FLOWERS", "+44 (0)20 7946 0000 ext. 5", "٠٢٠ ٧٩٤٦", ""])
      expect(accepted({ phone }).change.phone).toBe(phone);
    const years = ["", "0", " 2.5 ", "2,25", "100"].map((text) => accepted({ years_experience: text }));
    expect(years.map(({ change }) => change.yearsExperience)).toEqual([null, 0, 2.5, 2.25, 100]);
  });

  test("reports the row of an invalid link, even below empty rows", () => {
    const empty = { id: "", name: "", url: " " };
    const links = [empty, { id: "", name: "Site", url: "javascript:alert(1)" }, { id: "", name: "", url: "ada" }];
    expect(refused({ links })).toEqual({ "links.1.url": "Invalid URL", "links.2.url": "Invalid URL" });
  });

  test("keeps the ids of eight links and creates one for each new link", () => {
    const ids = ["old", "old", "../x", "", "", "", "", ""];
    const { links } = accepted({ links: ids.map((id) => ({ ...site, id })) }).change;
    expect(links[0]?.id).toBe("old");
    expect(new Set(links.map(({ id }) => id)).size).toBe(8);
    for (const { id } of links.slice(1)) expect(id).toMatch(/^[\da-f-]{36}$/);
  });

  test("replaces line breaks by spaces, so that text can't inject a header or a property", () => {
    const company = "Example\r\nBcc: eve@example.com";
    expect(accepted({ company }).change.company).toBe("Example Bcc: eve@example.com");
  });

  test("never throws, and accepts its own output unchanged", () => {
    const usual = ["", "a@b.example", "7", "2.5", "007", "https://a.example", "a.example"];
    const odd = ["Ada \u200e", "a.example/e\u200e\u0301"];
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...usual, ...odd));
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
      all_cards: fc.constant(false),
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
    const rowOf = (row: number) => ({ id: `id-${row}`, name: `name-${row}`, url: `url-${row}` });
    const fields = [10, 2].flatMap((row) =>
      Object.entries(rowOf(row)).map(([field, value]) => [`links.${row}.${field}`, value]),
    );
    expect(readFormValues(formOf(Object.fromEntries(fields))).links).toEqual([rowOf(2), rowOf(10)]);
  });

  test("reads missing fields and files as empty", () => {
    const form = formOf({ "links.0.name": "Only a name" });
    form.append("card_name", new File(["x"], "card.txt"));
    const links = [{ id: "", name: "Only a name", url: "" }];
    expect(readFormValues(form)).toMatchObject({ card_name: "", email: "", is_public: false, links });
  });

  test("keeps the id of a new card's form and replaces any other text", () => {
    const id = "0f8b5c9e-6a43-4d7e-9a56-1f6a2f4c1b11";
    expect(readFormId(formOf({ id: id.toUpperCase() }))).toBe(id);
    for (const bad of ["demo-card", "", "../../etc"]) expect(readFormId(formOf({ id: bad }))).toMatch(/^[\da-f-]{36}$/);
  });
});

describe("the optional fields of the form", () => {
  test("are normalized, and empty rows are dropped", () => {
    const texts = { suffix: "PhD", pronouns: "she/her", department: "Numbers" };
    const address = { city: "London", region: "", postcode: "SW1Y 4JH", country: "UK" };
    const change = acceptedForm({
      ...texts,
      ...address,
      ...row("phones.0", { kind: "mobile", value: " +44\t7700 900123 ", visibility: "file" }),
      ...row("phones.1", { kind: "home", value: " " }),
      ...row("phones.2", { kind: "fax", value: "1" }),
      ...row("emails.3", { kind: "home", value: "ada@home.example", visibility: "" }),
      ...row("emails.4", { kind: "mobile", value: "a@b.example" }),
      ...row("visibility", { email: "file", website: "page", address: "wall" }),
      prefix: " Dr. ",
      website: "engines.example",
      street: "12 St James's Sq\r\nBcc: x",
    });
    const mobile = { kind: "mobile", value: "+44 7700 900123", visibility: "file" };
    const home = { kind: "home", value: "ada@home.example" };
    expect(change).toEqual({
      ...acceptedForm({}),
      ...texts,
      prefix: "Dr.",
      website: "https://engines.example",
      phones: [mobile, { kind: "work", value: "1" }],
      emails: [home, { kind: "work", value: "a@b.example" }],
      address: { street: "12 St James's Sq Bcc: x", ...address },
      visibility: { email: "file", website: "page" },
    });
    expect(acceptedForm({})).toMatchObject(emptyOptionalFields());
  });

  test.each([
    [{ "emails.0.value": "", "emails.1.value": "ada@" }, { "emails.1.value": "Invalid email" }],
    [{ "phones.0.value": "1".repeat(41) }, { "phones.0.value": "Use at most 40 characters." }],
    [{ website: "javascript:alert(1)" }, { website: "Invalid URL" }],
    [{ website: "mailto:ada@example.com" }, { website: "Invalid URL" }],
    [{ postcode: "1".repeat(21) }, { postcode: "Use at most 20 characters." }],
    [{ prefix: "p".repeat(41) }, { prefix: "Use at most 40 characters." }],
    [many("phones", 6, "1"), { phones: "You can add a maximum of 5 phone numbers." }],
    [many("emails", 6, "a@b.example"), { emails: "You can add a maximum of 5 email addresses." }],
  ])("report the error of a field: %#", (sent, errors) => {
    expect(refusedForm(sent)).toEqual(errors);
  });

  test("reject a megabyte of accents quickly in every field", async () => {
    const accents = "\u0316\u0301".repeat(500_000);
    const names = "card_name email street website phones.0.value".split(" ");
    const typed = Object.fromEntries(names.map((name) => [name, accents]));
    expect(await timeInScans(() => refusedForm(typed), 50)).toBeLessThan(50);
    expect(refusedForm(typed)).toEqual({
      card_name: "Use at most 100 characters.",
      email: "Use at most 254 characters.",
      street: "Use at most 200 characters.",
      website: "Use at most 2048 characters.",
      "phones.0.value": "Use at most 40 characters.",
    });
    const link = { "links.0.name": "Use at most 60 characters for the name.", "links.0.url": "Invalid URL" };
    expect(refusedForm({ phone: accents, "links.0.name": accents, "links.0.url": accents })).toEqual(link);
  });
});

const saved = toFormValues({ ...newCard({ displayName: "Ada", links: [] }), email: "ada@example.com" });

test.each([
  { "visibility.email": "page" },
  row("phones.0", { kind: "mobile", value: "+44 1" }),
  { pronouns: "she/her" },
  { street: "12 St James's Sq" },
])("two versions of a card differ in an optional field or its visibility: %j", (change) => {
  const same = { card_name: "Ada Business Card", email: "ada@example.com", is_public: "on" };
  expect(isSameForm(saved, valuesSent(same))).toBe(true);
  expect(isSameForm(saved, valuesSent({ ...same, ...change }))).toBe(false);
});

test("two versions of a card are the same when only spaces, empty rows or a scheme differ", () => {
  const one = {
    ...saved,
    website: "engines.example ",
    phones: [{ id: "a", kind: "home", value: " ", visibility: "" }],
  };
  expect(isSameForm(one, { ...saved, website: "https://engines.example" })).toBe(true);
});

function many(list: string, count: number, value: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, row) => [`${list}.${row}.value`, value]));
}

/** The form fields of one row of a list. */
function row(name: string, fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [`${name}.${field}`, value]));
}

function formOf(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

const valuesSent = (fields: Record<string, string>) => readFormValues(formOf({ card_name: "Card", ...fields }));
const acceptedForm = (fields: Record<string, string>) => accepted(valuesSent(fields)).change;
const refusedForm = (fields: Record<string, string>) => refused(valuesSent(fields));

/** Any text in each optional field. */
function moreText(text: fc.Arbitrary<string>) {
  const each = <Name extends string>(names: readonly Name[]) =>
    Object.fromEntries(names.map((name) => [name, text])) as Record<Name, fc.Arbitrary<string>>;
  const reach = fc.record({ id: text, kind: text, value: text, visibility: fc.constantFrom("", "page", "file", "x") });
  return {
    ...each(optionalTextFormFields),
    phones: fc.array(reach, { maxLength: 6 }),
    emails: fc.array(reach, { maxLength: 6 }),
    visibility: fc.record(each(visibilityFields)),
  };
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
