import * as fc from "fast-check";
import { expect, test } from "vitest";

import { structuredName } from "./structured-name.ts";

const parts = (name: string) => structuredName(name).join("|");

test("splits a name by its script: the family name last, or first in Chinese, Japanese and Korean", () => {
  expect(parts("Ada Lovelace")).toBe("Lovelace|Ada|||");
  expect(parts("Ada King Lovelace")).toBe("Lovelace|Ada King|||");
  expect(parts("محمد الخوارزمي")).toBe("الخوارزمي|محمد|||");
  expect(parts("山田 太郎")).toBe("山田|太郎|||");
  expect(parts("山田\u3000エミ")).toBe("山田|エミ|||");
  expect(parts("홍 길동")).toBe("홍|길동|||");
  expect(parts("アダ ラブレス")).toBe("ラブレス|アダ|||");
});

test("includes particles in the family name", () => {
  expect(parts("Ludwig van Beethoven")).toBe("van Beethoven|Ludwig|||");
  expect(parts("Charles de la Vallée Poussin")).toBe("de la Vallée Poussin|Charles|||");
  expect(parts("van Gogh")).toBe("Gogh|van|||");
});

test("degrees after a comma are a suffix", () => {
  expect(parts("Ann O'Neil, Ph.D., MBA")).toBe("O'Neil|Ann|||Ph.D., MBA");
  expect(parts("Martin Luther King, Jr.")).toBe("King|Martin Luther|||Jr.");
});

test("keeps an ambiguous name whole", () => {
  const names = ["Cher", "山田太郎", "👩‍👩‍👧‍👦", "m".repeat(60), `O'Neil; "Ann", PhD`];
  for (const name of [...names, "Lovelace, Ada", "Smith, Jones, Partners", "Cher, PhD"])
    expect(structuredName(name)).toEqual(["", name, "", "", ""]);
});

test("never loses, repeats or adds a word of a name", () => {
  const word = fc.constantFrom("Ada", "van", "O'Neil", "山田", "太郎", "PhD", ",", "Jr.", ";", "👩‍🚀", "محمد");
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
      const sortedCharacters = (text: string) => [...text.replace(/[\s,]/g, "")].toSorted().join("");
      expect(sortedCharacters(structuredName(words.join(" ")).join(""))).toBe(sortedCharacters(words.join("")));
    }),
  );
});
