import { describe, expect, test } from "vitest";

import { processorTime } from "#tests/support/measurements.ts";

import { isSameForm, readFormValues, toFormErrors, toFormValues, toUncheckedCard } from "./card-form.ts";
import type { CardFormValues } from "./card-form.ts";
import { parseCard } from "./schema.ts";
import { emptyOptionalFields } from "./card-fields.ts";
import { newCard } from "./rules.ts";

describe("the optional fields of the form", () => {
  test("are normalized, and empty rows are dropped", () => {
    const change = accepted({
      "phones.0.kind": "mobile",
      "phones.0.value": " +44\t7700 900123 ",
      "phones.0.shown": "file",
      "phones.1.kind": "home",
      "phones.1.value": " ",
      "emails.3.kind": "home",
      "emails.3.value": "ada@home.example",
      "emails.3.shown": "",
      prefix: " Dr. ",
      suffix: "PhD",
      pronouns: "she/her",
      department: "Numbers",
      website: "engines.example",
      street: "12 St James's Sq\r\nBcc: x",
      city: "London",
      region: "",
      postcode: "SW1Y 4JH",
      country: "UK",
      "shown.email": "file",
      "shown.website": "page",
      "shown.address": "wall",
    });
    expect(change).toEqual({
      ...accepted({}),
      prefix: "Dr.",
      suffix: "PhD",
      pronouns: "she/her",
      department: "Numbers",
      website: "https://engines.example",
      phones: [{ kind: "mobile", value: "+44 7700 900123", visibility: "file" }],
      emails: [{ kind: "home", value: "ada@home.example" }],
      address: { street: "12 St James's Sq Bcc: x", city: "London", region: "", postcode: "SW1Y 4JH", country: "UK" },
      visibility: { email: "file", website: "page" },
    });
  });

  test("are all optional", () => {
    expect(accepted({})).toEqual({ ...accepted({}), ...emptyOptionalFields() });
  });

  test("treats an unknown kind as work", () => {
    const sent = {
      "phones.0.kind": "fax",
      "phones.0.value": "1",
      "emails.0.kind": "mobile",
      "emails.0.value": "a@b.example",
    };
    expect(accepted(sent)).toMatchObject({ phones: [{ kind: "work" }], emails: [{ kind: "work" }] });
  });

  test.each([
    [{ "emails.0.value": "", "emails.1.value": "ada@" }, { "emails.1.value": "Invalid email" }],
    [{ "phones.0.value": "1".repeat(41) }, { "phones.0.value": "Use at most 40 characters." }],
    [{ website: "not an address" }, { website: "Invalid URL" }],
    [{ website: "javascript:alert(1)" }, { website: "Invalid URL" }],
    [{ website: "mailto:ada@example.com" }, { website: "Invalid URL" }],
    [{ postcode: "1".repeat(21) }, { postcode: "Use at most 20 characters." }],
    [
      { pronouns: "p".repeat(41), prefix: "p".repeat(1_000_000) },
      {
        pronouns: "Use at most 40 characters.",
        prefix: "Use at most 40 characters.",
      },
    ],
    [many("phones", 6, "1"), { phones: "You can add a maximum of 5 phone numbers." }],
    [many("emails", 6, "a@b.example"), { emails: "You can add a maximum of 5 email addresses." }],
  ])("report the error of a field: %#", (sent, errors) => {
    expect(refused(sent)).toEqual(errors);
  });

  test("rejects a megabyte of accents quickly in every field", async () => {
    const accents = "\u0316\u0301".repeat(500_000);
    const typed = { street: accents, website: accents, "phones.0.value": accents };
    const { answer, seconds } = await processorTime(() => refused(typed));
    expect(answer).toEqual({
      street: "Use at most 200 characters.",
      website: "Use at most 2048 characters.",
      "phones.0.value": "Use at most 40 characters.",
    });
    expect(seconds).toBeLessThan(5);
  });
});

describe("two versions of a card", () => {
  const saved = toFormValues({ ...newCard({ displayName: "Ada", links: [] }), email: "ada@example.com" });

  test("differ in each optional field and its visibility", () => {
    const other = textSent({
      card_name: "Ada Business Card",
      email: "ada@example.com",
      is_public: "on",
      "shown.email": "page",
      "phones.0.kind": "mobile",
      "phones.0.value": "+44 1",
      "phones.0.shown": "file",
      pronouns: "she/her",
      street: "12 St James's Sq",
      city: "London",
      "shown.address": "file",
    });
    expect(isSameForm(saved, other)).toBe(false);
  });

  test("are the same when only spaces, empty rows or a scheme differ", () => {
    const one = { ...saved, website: "engines.example ", phones: [{ id: "a", kind: "home", value: " ", shown: "" }] };
    expect(isSameForm(one, { ...saved, website: "https://engines.example" })).toBe(true);
  });
});

function many(list: string, count: number, value: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, row) => [`${list}.${row}.value`, value]));
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
