import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { processorTime } from "#tests/support/measurements.ts";

import { toUncheckedCard } from "#app/features/cards/card-form.ts";
import { parseCard } from "#app/features/cards/schema.ts";
import { readContactFile } from "./vcard-import.server.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const lines = (...rows: string[]) => ["BEGIN:VCARD", ...rows, "END:VCARD", ""].join("\r\n");

describe("an invalid file reports its problem", () => {
  test.each([
    ["nothing", "", "This file is empty"],
    ["blanks", "\r\n \r\n", "This file is empty"],
    ["a page", "<!doctype html><h1>BEGIN:VCARD</h1>", "This isn't a contact file"],
    ["a picture", Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), "This isn't a text file"],
    ["NULs in a contact", lines("FN:Ada\0Eve"), "This isn't a text file"],
    ["one that is cut off", "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nTEL:+44 20", "This contact file is incomplete"],
    ["an empty contact", lines("VERSION:3.0", "REV:20260101T000000Z"), "This contact has no details"],
    ["ten megabytes", "x".repeat(10_000_000), "This file is larger than 1 MB"],
    ["a calendar", "BEGIN:VCALENDAR\r\nEND:VCALENDAR", "This isn't a contact file"],
  ])("%s", (_, file, problem) => {
    const answer = readContactFile(typeof file === "string" ? encode(file) : file);
    expect("problem" in answer && answer.problem).toContain(problem);
  });
});

test("unescapes properties that the parser doesn't know", () => {
  const answer = readContactFile(encode(lines("FN:Ada", "X-PRONOUNS:she\\, her \\\\ they\\; them")));
  expect(answer).toMatchObject({ contacts: [{ values: { pronouns: "she, her \\ they; them" } }] });
});

describe("a malicious file", () => {
  test.each([
    ["one line folded into a megabyte", lines("FN:Ada", `NOTE:${"a\r\n ".repeat(240_000)}`)],
    ["a wanted line folded into a megabyte", lines(`FN:${"a\r\n ".repeat(240_000)}`, "TEL:1")],
    ["a hundred thousand contacts within each other", "BEGIN:VCARD\r\n".repeat(70_000)],
    ["as many empty ones", "BEGIN:VCARD\nEND:VCARD\n".repeat(45_000)],
    ["a line of nothing but parts", lines("FN:Ada", ...Array.from({ length: 190 }, () => `ADR:${";".repeat(4_900)}`))],
    [
      "a line of nothing but parameters",
      lines("FN:Ada", ...Array.from({ length: 190 }, () => `TEL${";A=B".repeat(1_200)}:1`)),
    ],
    [
      "quotes that never end",
      lines("FN:Ada", ...Array.from({ length: 190 }, () => `TEL;TYPE=${'"a",'.repeat(1_200)}:1`)),
    ],
    ["backslashes", lines("FN:Ada", ...Array.from({ length: 190 }, () => `N:${"\\".repeat(4_900)}`))],
    [
      "accents",
      lines(`FN:a${"\u0301".repeat(2_000)}`, ...Array.from({ length: 200 }, () => `TEL:1${"\u0301".repeat(2_000)}`)),
    ],
    [
      "a quoted-printable value that never ends",
      lines("FN:Ada", `NOTE;QUOTED-PRINTABLE:${"=41=\r\n".repeat(160_000)}`),
    ],
    ["line breaks alone", lines("FN:Ada", "\n".repeat(900_000))],
  ])("%s is read or rejected quickly", async (_, file) => {
    const bytes = encode(file).slice(0, 1_000_000);
    const { seconds } = await processorTime(() => readContactFile(bytes));
    expect(seconds).toBeLessThan(1.5);
  });

  test("reading any content never fails, and the form accepts the result", () => {
    const property = fc.constantFrom(
      "FN",
      "N",
      "TEL",
      "EMAIL",
      "URL",
      "ADR",
      "ORG",
      "TITLE",
      "item1.URL",
      "item1.X-ABLabel",
      "__proto__",
      "constructor",
      "X-SOCIALPROFILE",
    );
    const parameter = fc.constantFrom(
      "",
      ";TYPE=work",
      ";HOME",
      ';TYPE="a,b"',
      ";VALUE=uri",
      ";VALUE=date",
      ";ENCODING=QUOTED-PRINTABLE",
      ";__proto__=x",
      ";CHARSET=nonsense;QUOTED-PRINTABLE",
      ";=",
      ";PREF=1",
    );
    const value = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.webUrl(),
      fc.emailAddress(),
      fc.constantFrom(";;;;;;", "\\,\\;\\n\\", "=C3=A9=", "javascript:alert(1)", "a".repeat(3_000), "tel:+1;ext=2"),
    );
    const line = fc.tuple(property, parameter, value).map(([name, kind, content]) => `${name}${kind}:${content}`);
    const file = fc.oneof(
      fc.array(line, { maxLength: 20 }).map((rows) => lines("VERSION:3.0", ...rows)),
      fc.array(line, { maxLength: 20 }).map((rows) => lines("VERSION:4.0", ...rows)),
      fc.string({ unit: "binary", maxLength: 400 }).map((content) => `BEGIN:VCARD\n${content}\nEND:VCARD`),
    );
    fc.assert(
      fc.property(file, (content) => {
        const answer = readContactFile(encode(content.replaceAll("\0", "")));
        if ("problem" in answer) return;
        for (const { values } of answer.contacts) expect(parseCard(toUncheckedCard(values))).toHaveProperty("change");
      }),
      { numRuns: 500 },
    );
    expect(Object.prototype).not.toHaveProperty("x");
  });
});
