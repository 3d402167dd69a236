import * as fc from "fast-check";
import { expect, test } from "vitest";

import { formatCsv, parseCsv } from "./csv.ts";

test("quotes what would end a cell or a row", () => {
  expect(formatCsv([["a,b", 'say "hi"', "two\nlines", -5, "", "名刺"]])).toBe(
    '\uFEFF"a,b","say ""hi""","two\nlines",-5,,名刺\r\n',
  );
});

test("no text is a formula for a spreadsheet", () => {
  const formulas = ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\r=1", "＝1", "|cmd", "%0A=1", '=HYPERLINK("x")'];
  for (const formula of formulas) expect(formatCsv([[formula]]).slice(1, 3)).toBe("\"'");
});

test("a phone number is not a formula, unless its separators make it one", () => {
  const phones = ["+34 600 000 000", "+34600000000", "+1 (202) 555-0143", "+49.30.1234567", "+49 30/123-45"];
  expect(formatCsv([phones])).toBe(`\uFEFF${phones.join(",")}\r\n`);
  for (const formula of ["+1-202-555-0143", "+1-(202)-555-0143", "+1 202 555 0143+A1", "+1", "+(1234567)*2"])
    expect(formatCsv([[formula]])).toContain("'+");
});

test("no part of a text is a formula where a spreadsheet splits the cell in spite of its quotes", () => {
  const parts = ["=1+1", ' "=1"', "+44 20", "-1", "@SUM(A1)", "＝1", "|cmd"];
  for (const separator of [";", "; ;", "\t", "\n", "\r\n", "\n\n", "\n\t;"])
    for (const part of parts) {
      const [first, second] = formatCsv([[`Hi${separator}${part}`, "b"]]).split(`${separator}'`);
      expect([first, second]).toEqual(['\uFEFF"Hi', `${part.replaceAll('"', '""')}",b\r\n`]);
    }
  expect(formatCsv([["\t=1;=2"]])).toBe("\uFEFF\"'\t'=1;'=2\"\r\n");
  expect(formatCsv([["a; b = c", "d\ne - f"]])).toBe('\uFEFFa; b = c,"d\ne - f"\r\n');
});

test("parseCsv reads what formatCsv writes", () => {
  const cell = fc.string({ unit: fc.constantFrom('"', ",", ";", "\t", "\r", "\n", "a") }).map((text) => `a${text}b`);
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 1 })), (rows) => {
      const header = Array.from({ length: 200 }, () => "a");
      expect(parseCsv(formatCsv([header, ...rows]).slice(1))).toEqual([header, ...rows]);
    }),
  );
});
