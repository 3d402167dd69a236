import * as fc from "fast-check";
import { expect, test } from "vitest";

import { processorTime } from "#tests/support/processor-time.ts";

import { oneLine, paragraph, pathWithoutEmails, plainLine, withoutDirectionMarks } from "./plain-text.ts";

const anyText = fc.string({ unit: "binary", maxLength: 200 });
const brokenText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));

test("a line break in a name becomes one space, so that nobody can add a mail header with it", () => {
  expect(oneLine("Ada\r\nBcc: all@example.com")).toBe("Ada Bcc: all@example.com");
  expect(oneLine("Ada\u2028Lovelace\u0085\tPhD")).toBe("Ada Lovelace PhD");
});

test("NUL and other controls vanish, and text around them is one again", () => {
  expect(oneLine("  A\0d\u001ba\u007f\u009f ")).toBe("Ada");
  expect(oneLine("Zoe\0\u0308")).toBe("Zo\u00eb");
});

test("half of an emoji becomes the sign for what can't be read, a whole one stays", () => {
  expect(oneLine("\ud83d Ada 👩‍👩‍👧‍👦")).toBe("\ufffd Ada 👩‍👩‍👧‍👦");
});

test("a bio keeps its lines, whatever computer it was typed on", () => {
  expect(paragraph("One\r\nTwo\rThree\n\nFour\u2029Five\v!")).toBe("One\nTwo\nThree\n\nFour\nFive\n!");
  expect(paragraph("\n a\0\tb \n")).toBe("a b");
});

test("marks that turn the direction of writing go, the joiners of Persian and emoji stay", () => {
  expect(withoutDirectionMarks("exe.\u202efdp")).toBe("exe.fdp");
  expect(withoutDirectionMarks("می\u200cخواهم 👩‍🚀")).toBe("می\u200cخواهم 👩‍🚀");
});

test("a mark of direction hides neither a blank at the end nor an accent from its letter", () => {
  expect(plainLine("Ada \u200e")).toBe("Ada");
  expect(plainLine("Zoe\u200e\u0308")).toBe("Zo\u00eb");
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "e", " ", "\u200e", "\u0301", "\ufeff", "\n", "\ud83d")), (signs) => {
      const line = plainLine(signs.join(""));
      expect([plainLine(line), withoutDirectionMarks(line), oneLine(line)]).toEqual([line, line, line]);
    }),
  );
});

test("a path keeps no mail address, and everything else", () => {
  for (const path of ["/", "/u/ada", "/avatar/a.svg", "/%2540", `/${"x".repeat(16_000)}`]) {
    expect(pathWithoutEmails(path)).toBe(path);
  }
  expect(pathWithoutEmails("/u/ada@example.com/resume")).toBe("/u/…/resume");
  expect(pathWithoutEmails("/avatar/ada%40example.com.svg")).toBe("/avatar/…");
});

test("a path of many letters is read once, not once for each of them", async () => {
  const { seconds } = await processorTime(() => pathWithoutEmails(`/${"x".repeat(1_000_000)}`));
  expect(seconds).toBeLessThan(1);
});

test("cleaned text is clean, and cleaning it again changes nothing", () => {
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

test("a megabyte of accents on one letter is cut to the few that any language needs, before it costs time", () => {
  const cleaned = oneLine(`e${"\u0301\u0323".repeat(250_000)}`);
  expect(cleaned.length).toBeLessThanOrEqual(31);
  expect(oneLine("Việt ệ̃")).toBe("Việt ệ̃".normalize("NFC"));
  expect(oneLine(oneLine(`a${"\u0344".repeat(100)}`))).toBe(oneLine(`a${"\u0344".repeat(100)}`));
});
