import * as fc from "fast-check";
import { expect, test } from "vitest";

import { foldText } from "./fold-text.ts";

test.each([
  ["MÜLLER", "muller"],
  ["Mu\u0308ller", "muller"],
  ["Straße", "strasse"],
  ["Jørgen Łukasz Đặng", "jorgen lukasz dang"],
  ["Æsir, Œuvre, Þór", "aesir, oeuvre, thor"],
  ["İstanbul, ISPARTA, ısı", "istanbul, isparta, isi"],
  ["Ёлкин", "елкин"],
  ["Ὀδυσσεύς", "οδυσσευσ"],
  ["أحمد مُحَمَّد", "احمد محمد"],
  ["שָׁלוֹם", "שלום"],
  ["Ｆａｉｒ ２０２６", "fair 2026"],
  ["O’Brien–Smith", "o'brien-smith"],
])("folds %j to %j", (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

test("leaves apart what are other words to their readers", () => {
  for (const [one, other] of [
    ["राम", "रोम"],
    ["ที่", "ทา"],
    ["각", "가"],
  ])
    expect(foldText(one ?? "")).not.toContain(foldText(other ?? ""));
});

test("folds folded text to itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const folded = foldText(text);
      expect(foldText(folded)).toBe(folded);
    }),
  );
});
