import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { nameForMessage, oneLine, paragraph, plainLine, withoutDirectionMarks } from "./plain-text.ts";

const anyText = fc.string({ unit: "binary", maxLength: 200 });
const brokenText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));

test("turns a line break into one space, so that a name never adds a mail header", () => {
  expect(oneLine("Ada\r\nBcc: all@example.com")).toBe("Ada Bcc: all@example.com");
  expect(oneLine("Ada\u2028Lovelace\u0085\tPhD")).toBe("Ada Lovelace PhD");
});

test("removes NUL and other control characters and joins the text around them", () => {
  expect(oneLine("  A\0d\u001ba\u007f\u009f ")).toBe("Ada");
  expect(oneLine("Zoe\0\u0308")).toBe("Zo\u00eb");
});

test("replaces half of an emoji with U+FFFD and keeps a whole one", () => {
  expect(oneLine("\ud83d Ada 👩‍👩‍👧‍👦")).toBe("\ufffd Ada 👩‍👩‍👧‍👦");
});

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
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "e", " ", "\u200e", "\u0301", "\ufeff", "\n", "\ud83d")),
      (characters) => {
        const line = plainLine(characters.join(""));
        expect([plainLine(line), withoutDirectionMarks(line), oneLine(line)]).toEqual([line, line, line]);
      },
    ),
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

test("cuts a megabyte of accents on one letter to 30, in linear time", () => {
  const line = oneLine(`e${"\u0301\u0323".repeat(250_000)}`);
  expect(line.length).toBeLessThanOrEqual(31);
  expect(oneLine("Việt ệ̃")).toBe("Việt ệ̃".normalize("NFC"));
  expect(oneLine(oneLine(`a${"\u0344".repeat(100)}`))).toBe(oneLine(`a${"\u0344".repeat(100)}`));
});

describe("a name in a message", () => {
  test.each([
    ["  Grace\r\nHopper ", "Grace Hopper"],
    ["Dr. José Ñandú-O'Neil, Jr.", "Dr. José Ñandú-O'Neil, Jr."],
    ["山田 太郎", "山田 太郎"],
    ["x".repeat(80), `${"x".repeat(59)}…`],
  ])("is on one line and short: %j", (name, shown) => {
    expect(nameForMessage(name)).toBe(shown);
  });

  test.each([
    "",
    "  ",
    "https://evil.example",
    "Win at evil.example",
    "www",
    "a@b",
    "<b>",
    "evil。example/x",
    "Win at 4you2.com",
    "evil。example",
    "xn--4.example",
  ])("isn't one that could become a link: %j", (name) => {
    expect(nameForMessage(name)).toBeUndefined();
  });
});
