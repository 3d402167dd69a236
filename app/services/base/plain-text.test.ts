import * as fc from "fast-check";
import { expect, test } from "vitest";

import { timeInScans } from "#tests/support/measurements.ts";

import { nameForMessage, oneLine, paragraph, plainLine, withoutDirectionMarks } from "./plain-text.ts";

const anyText = fc.string({ unit: "binary", maxLength: 200 });
const brokenText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));

test.each([
  ["Ada\r\nBcc: all@example.com", "Ada Bcc: all@example.com"],
  ["Ada\u2028Lovelace\u0085\tPhD", "Ada Lovelace PhD"],
  ["  A\0d\u001ba\u007f\u009f ", "Ada"],
  ["Zoe\0\u0308", "Zo\u00eb"],
  ["\ud83d Ada 👩‍👩‍👧‍👦", "\ufffd Ada 👩‍👩‍👧‍👦"],
])(
  "a line has no line breaks, control characters and broken characters, so that a name adds no mail header: %j",
  (text, line) => {
    expect(oneLine(text)).toBe(line);
  },
);

test("keeps the lines of a paragraph, from any operating system", () => {
  expect(paragraph("One\r\nTwo\rThree\n\nFour\u2029Five\v!")).toBe("One\nTwo\nThree\n\nFour\nFive\n!");
  expect(paragraph("\n a\0\tb \n")).toBe("a b");
});

test("removes direction marks and keeps the joiners of Persian and emoji", () => {
  expect(withoutDirectionMarks("exe.\u202efdp")).toBe("exe.fdp");
  expect(withoutDirectionMarks("می\u200cخواهم 👩‍🚀")).toBe("می\u200cخواهم 👩‍🚀");
});

test("trims a space and joins an accent behind a direction mark", () => {
  expect(plainLine("Ada \u200e")).toBe("Ada");
  expect(plainLine("Zoe\u200e\u0308")).toBe("Zo\u00eb");
  const character = fc.constantFrom("a", "e", " ", "\u200e", "\u0301", "\ufeff", "\n", "\ud83d");
  fc.assert(
    fc.property(fc.array(character), (characters) => {
      const line = plainLine(characters.join(""));
      expect([plainLine(line), withoutDirectionMarks(line), oneLine(line)]).toEqual([line, line, line]);
    }),
  );
});

test("is idempotent and leaves no control characters", () => {
  fc.assert(
    fc.property(fc.oneof(anyText, brokenText), (text) => {
      const line = oneLine(text);
      const lines = paragraph(text);
      expect(line).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029]/u);
      expect(lines).not.toMatch(/(?!\n)[\p{Cc}\p{Cs}\u2028\u2029]/u);
      expect([oneLine(line), paragraph(lines)]).toEqual([line, lines]);
    }),
  );
});

test("cuts a megabyte of accents on one letter to 30, in linear time", async () => {
  const line = oneLine(`e${"\u0301\u0323".repeat(250_000)}`);
  expect(line.length).toBeLessThanOrEqual(31);
  expect(await timeInScans(() => oneLine(`a${"\u0301".repeat(30)}`.repeat(12_000)), 4)).toBeLessThan(4);
  expect(oneLine("Việt ệ̃")).toBe("Việt ệ̃".normalize("NFC"));
  expect(oneLine(oneLine(`a${"\u0344".repeat(100)}`))).toBe(oneLine(`a${"\u0344".repeat(100)}`));
});

test.each([
  ["  Grace\r\nHopper ", "Grace Hopper"],
  ["Dr. José Ñandú-O'Neil, Jr.", "Dr. José Ñandú-O'Neil, Jr."],
  ["山田 太郎", "山田 太郎"],
  ["x".repeat(80), `${"x".repeat(59)}…`],
])("a name in a message is on one line and short: %j", (name, shown) => {
  expect(nameForMessage(name)).toBe(shown);
});

test("a name in a message isn't one that could become a link", () => {
  const domains = ["https://evil.example", "Win at evil.example", "Win at 4you2.com", "evil。example", "xn--4.example"];
  for (const name of ["", "  ", "www", "a@b", "<b>", "evil。example/x", ...domains])
    expect(nameForMessage(name), name).toBeUndefined();
});
