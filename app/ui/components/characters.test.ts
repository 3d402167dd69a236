import { assert, property, string } from "fast-check";
import { expect, test } from "vitest";

import { countGraphemes, initials, textDirection } from "./characters.ts";

test.each([
  ["Demo User", "DU"],
  ["  Ada   King  Lovelace ", "AKL"],
  ["Anna Maria van der Berg", "AMV"],
  ['O\'Neil; "Ann", PhD', "OAP"],
  ["山田 太郎", "山太"],
  ["山 田 太 郎", "山田"],
  ["🦊 Fox 👩‍👩‍👧", "🦊F"],
  ["🇯🇵 Japan", "🇯🇵J"],
  ["élodie Ångström", "ÉÅ"],
  ["e\u0301lodie", "É"],
  ["ßeta Test", "ßT"],
  ["محمد العربي", "م\u200cا"],
  ["3M Company", "3C"],
  ["--- !!!", ""],
])("the initials of %j are %j", (name, expected) => {
  expect(initials(name)).toBe(expected);
});

test("initials have at most three characters, whatever the name", () => {
  assert(
    property(string({ unit: "binary", maxLength: 60 }), (name) => {
      expect(countGraphemes(initials(name).replaceAll("\u200c", ""))).toBeLessThanOrEqual(3);
    }),
  );
});

test("characters are counted as a reader sees them", () => {
  expect(countGraphemes("👩‍🚀e\u0301a")).toBe(3);
});

test.each([
  ["محمد", "rtl"],
  ["דנה Levi", "rtl"],
  ["12 – محمد", "rtl"],
  ["Demo محمد", undefined],
  ["", undefined],
])("%j reads %s", (text, direction) => {
  expect(textDirection(text)).toBe(direction);
});
