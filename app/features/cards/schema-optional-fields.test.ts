import { describe, expect, test } from "vitest";

import { timeInScans } from "#tests/support/measurements.ts";

import { isSameForm, readFormValues, toFormErrors, toFormValues, toUncheckedCard } from "./card-form.ts";
import type { CardFormValues } from "./card-form.ts";
import { parseCard } from "./schema.ts";
import { emptyOptionalFields } from "./card-fields.ts";
import { newCard } from "./rules.ts";

describe("the optional fields of the form", () => {
  test("are normalized, and empty rows are dropped", () => {
    const texts = { suffix: "PhD", pronouns: "she/her", department: "Numbers" };
    const address = { city: "London", region: "", postcode: "SW1Y 4JH", country: "UK" };
    const change = accepted({
      ...texts,
      ...address,
      ...row("phones.0", { kind: "mobile", value: " +44\t7700 900123 ", shown: "file" }),
      ...row("phones.1", { kind: "home", value: " " }),
      ...row("phones.2", { kind: "fax", value: "1" }),
      ...row("emails.3", { kind: "home", value: "ada@home.example", shown: "" }),
      ...row("emails.4", { kind: "mobile", value: "a@b.example" }),
      ...row("shown", { email: "file", website: "page", address: "wall" }),
      prefix: " Dr. ",
      website: "engines.example",
      street: "12 St James's Sq\r\nBcc: x",
    });
    const mobile = { kind: "mobile", value: "+44 7700 900123", visibility: "file" };
    const home = { kind: "home", value: "ada@home.example" };
    expect(change).toEqual({
      ...accepted({}),
      ...texts,
      prefix: "Dr.",
      website: "https://engines.example",
      phones: [mobile, { kind: "work", value: "1" }],
      emails: [home, { kind: "work", value: "a@b.example" }],
      address: { street: "12 St James's Sq Bcc: x", ...address },
      visibility: { email: "file", website: "page" },
    });
    expect(accepted({})).toMatchObject(emptyOptionalFields());
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
    expect(refused(sent)).toEqual(errors);
  });

  test("reject a megabyte of accents quickly in every field", async () => {
    const accents = "\u0316\u0301".repeat(500_000);
    const typed = { street: accents, website: accents, "phones.0.value": accents };
    expect(await timeInScans(() => refused(typed))).toBeLessThan(50);
    expect(refused(typed)).toEqual({
      street: "Use at most 200 characters.",
      website: "Use at most 2048 characters.",
      "phones.0.value": "Use at most 40 characters.",
    });
  });
});

describe("two versions of a card", () => {
  const saved = toFormValues({ ...newCard({ displayName: "Ada", links: [] }), email: "ada@example.com" });

  test.each([
    { "shown.email": "page" },
    row("phones.0", { kind: "mobile", value: "+44 1" }),
    { pronouns: "she/her" },
    { street: "12 St James's Sq" },
  ])("differ in an optional field or its visibility: %j", (change) => {
    const same = { card_name: "Ada Business Card", email: "ada@example.com", is_public: "on" };
    expect(isSameForm(saved, textSent(same))).toBe(true);
    expect(isSameForm(saved, textSent({ ...same, ...change }))).toBe(false);
  });

  test("are the same when only spaces, empty rows or a scheme differ", () => {
    const one = { ...saved, website: "engines.example ", phones: [{ id: "a", kind: "home", value: " ", shown: "" }] };
    expect(isSameForm(one, { ...saved, website: "https://engines.example" })).toBe(true);
  });
});

function many(list: string, count: number, value: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, row) => [`${list}.${row}.value`, value]));
}

/** The form fields of one row of a list. */
function row(name: string, fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [`${name}.${field}`, value]));
}

function textSent(fields: Record<string, string>): CardFormValues {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return readFormValues(form);
}

function accepted(fields: Record<string, string>) {
  const read = parseForm(textSent({ card_name: "Card", ...fields }));
  if ("errors" in read) throw new Error(JSON.stringify(read.errors));
  return read.change;
}

function refused(fields: Record<string, string>) {
  const read = parseForm(textSent({ card_name: "Card", ...fields }));
  return "errors" in read ? read.errors : undefined;
}

/** The card that a form describes, or its errors by the names of the form's fields. */
function parseForm(values: CardFormValues) {
  const parsed = parseCard(toUncheckedCard(values));
  return "errors" in parsed ? { errors: toFormErrors(parsed.errors) } : parsed;
}
