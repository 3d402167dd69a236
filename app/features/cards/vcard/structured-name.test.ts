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
  expect(parts("Juan De La Cruz")).toBe("De La Cruz|Juan|||");
});

test("includes the first of two Spanish surnames in the family name", () => {
  expect(parts("Gabriel García Márquez")).toBe("García Márquez|Gabriel|||");
  expect(parts("José Luis Rodriguez Zapatero")).toBe("Rodriguez Zapatero|José Luis|||");
  expect(parts("Gabriel García de la Torre")).toBe("García de la Torre|Gabriel|||");
  expect(parts("Juan de la Cruz García")).toBe("de la Cruz García|Juan|||");
  expect(parts("María del Carmen García López")).toBe("García López|María del Carmen|||");
  expect(parts("José Ortega y Gasset")).toBe("Ortega y Gasset|José|||");
  expect(parts("Juan Pérez")).toBe("Pérez|Juan|||");
});

test("degrees are a suffix, titles before the name a prefix, emoji at an end either", () => {
  expect(parts("Ann O'Neil, Ph.D., MBA")).toBe("O'Neil|Ann|||Ph.D., MBA");
  expect(parts("Martin Luther King, Jr.")).toBe("King|Martin Luther|||Jr.");
  expect(parts("Robert Example Jr.")).toBe("Example|Robert|||Jr.");
  expect(parts("Robert Example III")).toBe("Example|Robert|||III");
  expect(parts("Ada Lovelace PhD, MD")).toBe("Lovelace|Ada|||PhD, MD");
  expect(parts("Dr. Ada Lovelace")).toBe("Lovelace|Ada||Dr.|");
  expect(parts("Prof. Dr. med. Anna von der Heide M.D.")).toBe("von der Heide|Anna||Prof. Dr. med.|M.D.");
  expect(parts("🚀 Ada Lovelace")).toBe("Lovelace|Ada||🚀|");
  expect(parts("Dr. 山田 太郎 👩‍🚀")).toBe("山田|太郎||Dr.|👩‍🚀");
});

test("doesn't take a name for a title", () => {
  for (const name of ["Jack Ma", "Yo-Yo MA", "Wei Meng", "Chancel Mba", "Ing Do"])
    expect(parts(name)).toBe(`${name.split(" ").toReversed().join("|")}|||`);
});

test("adds the card's own prefix and suffix, each once", () => {
  const own = { prefix: "Dr.", suffix: "MBA" };
  expect(structuredName("Ada Lovelace, PhD", own).join("|")).toBe("Lovelace|Ada||Dr.|PhD, MBA");
  expect(structuredName("Dr. Ada Lovelace MBA", own).join("|")).toBe("Lovelace|Ada||Dr.|MBA");
  expect(structuredName("Cher", own).join("|")).toBe("|Cher||Dr.|MBA");
});

test("keeps an ambiguous name whole", () => {
  const names = ["Cher", "山田太郎", "👩‍👩‍👧‍👦", "m".repeat(60), `O'Neil; "Ann", PhD`];
  for (const name of [...names, "Lovelace, Ada", "Smith, Jones, Partners", "Cher, PhD", "Dr. Cher", "👩‍🚀 Cher"])
    expect(structuredName(name)).toEqual(["", name, "", "", ""]);
});

test("never loses, repeats or adds a word of a name", () => {
  const words = "Ada van O'Neil 山田 太郎 PhD , Jr. Dr. García y ; 👩‍🚀 محمد";
  const word = fc.constantFrom(...words.split(" "));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (name) => {
      const sortedCharacters = (text: string) => [...text.replace(/[\s,]/g, "")].toSorted().join("");
      expect(sortedCharacters(structuredName(name.join(" ")).join(""))).toBe(sortedCharacters(name.join("")));
    }),
  );
});
