import { expect, test } from "vitest";

import { drawableNameText, drawableText, listCharacters } from "./drawable-text.ts";

test("lists characters as a reader sees them, without spaces and invisible ones", () => {
  expect(listCharacters("Zoë\u0301 \u200b👩‍🚀\u3000कि")).toEqual(["Z", "o", "ë\u0301", "👩‍🚀", "कि"]);
});

const missing = new Set(["𐍈", "🪿", "e\u0323", "𠮷"]);

test("leaves out words with a missing letter, and other missing characters alone", () => {
  expect(drawableText("Ada 𐍈x 🪿 Love🪿lace", missing)).toBe("Ada Lovelace");
  expect(drawableText("e\u0323ma Ada", missing)).toBe("Ada");
  expect(drawableText("𐍈", missing)).toBe("");
  expect(drawableText("Ada  Lovelace", new Set())).toBe("Ada  Lovelace");
});

test("leaves out words of a script without spaces from a text, but from a name the whole name", () => {
  expect(drawableText("我喜欢𠮷。", missing)).toBe("我喜欢。");
  expect(drawableNameText("王𠮷", missing)).toBe("");
  expect(drawableNameText("王𠮷 Wang 🪿", missing)).toBe("Wang");
});
