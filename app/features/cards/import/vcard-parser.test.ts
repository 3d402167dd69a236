import * as fc from "fast-check";
import { expect, test } from "vitest";

import { timeInScans } from "#tests/support/measurements.ts";

import { toUncheckedCard } from "#app/features/cards/card-form.ts";
import { parseCard } from "#app/features/cards/schema.ts";
import { readContactFile } from "./vcard-import.server.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const lines = (...rows: string[]) => ["BEGIN:VCARD", ...rows, "END:VCARD", ""].join("\r\n");

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
])("an invalid file reports its problem: %s", (_, file, problem) => {
  const answer = readContactFile(typeof file === "string" ? encode(file) : file);
  expect("problem" in answer && answer.problem).toContain(problem);
});

test("unescapes properties that the parser doesn't know", () => {
  const answer = readContactFile(encode(lines("FN:Ada", "X-PRONOUNS:she\\, her \\\\ they\\; them")));
  expect(answer).toMatchObject({ contacts: [{ values: { pronouns: "she, her \\ they; them" } }] });
});

const many = (line: string) => Array<string>(190).fill(line);

test("a malicious file is read or rejected in linear time", async () => {
  const files = [
    lines(`FN:${"a\r\n ".repeat(240_000)}`, "TEL:1"),
    "BEGIN:VCARD\r\n".repeat(70_000),
    "BEGIN:VCARD\nEND:VCARD\n".repeat(45_000),
    lines("FN:Ada", ...many(`ADR:${";".repeat(4_900)}`)),
    lines("FN:Ada", ...many(`TEL${";A=B".repeat(1_200)}:1`)),
    lines("FN:Ada", ...many(`TEL;TYPE=${'"a",'.repeat(1_200)}:1`)),
    lines("FN:Ada", ...many(`N:${"\\".repeat(4_900)}`)),
    lines(`FN:a${"\u0301".repeat(2_000)}`, ...many(`TEL:1${"\u0301".repeat(2_000)}`)),
    lines("FN:Ada", `NOTE;QUOTED-PRINTABLE:${"=41=\r\n".repeat(160_000)}`),
    lines("FN:Ada", "\n".repeat(300_000)),
  ].map((file) => encode(file).slice(0, 300_000));
  expect(await timeInScans(() => files.map(readContactFile), 25)).toBeLessThan(25);
});

test("reading any content never fails, and the form accepts the result", () => {
  const names = "FN N TEL EMAIL URL ADR ORG TITLE item1.URL item1.X-ABLabel __proto__ constructor X-SOCIALPROFILE";
  const parameters =
    ' ;TYPE=work ;HOME ;TYPE="a,b" ;VALUE=uri ;VALUE=date ;ENCODING=QUOTED-PRINTABLE ;__proto__=x ;CHARSET=x;QUOTED-PRINTABLE ;= ;PREF=1';
  const property = fc.constantFrom(...names.split(" "));
  const parameter = fc.constantFrom(...parameters.split(" "));
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
    { numRuns: 150 },
  );
  expect(Object.prototype).not.toHaveProperty("x");
});
