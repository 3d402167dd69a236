import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { splitByFont, trueTypeFromWoff } from "./fonts.server.ts";
import { linePath, layOutLine } from "./text-outlines.server.ts";
import { drawableName, fitText, renderText } from "./fit-text.server.ts";

const { resolve } = createRequire(import.meta.url);
const nameFont = "@fontsource/shippori-mincho/files/shippori-mincho-latin-600-normal.woff";
const longWord = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamter";

test("fonts as TrueType files reject invalid and truncated ones", async () => {
  const packed = await readFile(resolve(nameFont));
  const inconsistent = Buffer.from(packed);
  inconsistent.writeUInt32BE(4, 44 + 12);
  for (const broken of [Buffer.from("wOFF"), packed.subarray(0, 60), packed.subarray(0, -500), inconsistent])
    await expect(trueTypeFromWoff(broken)).rejects.toThrow(/WOFF|range|larger|bounds/i);
});

test("names in Latin and Japanese use Shippori Mincho, others Instrument Sans", async () => {
  const fonts = async (text: string) =>
    (await splitByFont("name", text))?.map((run) => [run.text, run.font.familyName]);
  expect(await fonts("Ada Zoë")).toEqual([["Ada Zoë", "Shippori Mincho SemiBold"]]);
  expect((await fonts("Tarō 山田"))?.map(([text]) => text).join("")).toBe("Tarō 山田");
  expect(await fonts("Łukasz")).toHaveLength(2);
  expect((await fonts("Łukasz"))?.every(([, name]) => name === "Instrument Sans SemiBold")).toBe(true);
  expect(await fonts("Юрий")).toBeUndefined();
  expect(await fonts("👩‍🚀")).toBeUndefined();
  const line = await layOutLine("name", "Ada");
  expect(line && linePath(line, { x: 10, y: 50, size: 40 })).toMatch(/^M[\d. ]+(?!.*(NaN|undefined|Infinity))/);
});

const style = { face: "name", size: 40, smallest: 16, width: 300, lines: 2, color: "#000000" } as const;

describe("fitted text", () => {
  test("stays in its box", async () => {
    for (const [text, lines] of [
      ["Ada Lovelace", 1],
      [longWord.repeat(6), 2],
      ["a ".repeat(200), 2],
    ] as const) {
      const fitted = await fitText(text, style);
      if (fitted.kind !== "outlines") throw new Error(fitted.kind);
      expect(fitted.lines).toHaveLength(lines);
      for (const line of fitted.lines) expect(line.width * fitted.size).toBeLessThanOrEqual(300.001);
    }
  });

  test("gets smaller before a word is broken, and is cut only at the smallest size", async () => {
    const [small, broken, cut] = await Promise.all(
      ["Wolfeschlegelsteinhausen", longWord, longWord.repeat(6)].map((text) =>
        fitText(text, { ...style, oneLineDownTo: 0.5 }),
      ),
    );
    const words = (fitted: typeof small) => (fitted?.kind === "outlines" ? fitted.lines.map(({ text }) => text) : []);
    expect(small?.size).toBeLessThan(40);
    expect(words(small)).toEqual(["Wolfeschlegelsteinhausen"]);
    expect(words(broken).join("")).toBe(longWord);
    expect(cut?.size).toBe(16);
    expect(words(cut).at(-1)).toMatch(/…$/);
  });

  test("is an image in scripts that our fonts lack, and stays in its box", async () => {
    for (const text of ["ليلى الحسن", "👩‍🚀 Zoë 🇯🇵", "Юрий ".repeat(30), "ש".repeat(300)]) {
      const fitted = await fitText(text, style);
      if (fitted.kind !== "image") throw new Error(`${text}: ${fitted.kind}`);
      expect(fitted.width, text).toBeLessThanOrEqual(300);
      expect(fitted.png.length).toBeGreaterThan(100);
    }
  });

  test("is empty without a visible character, and without those that no font has", async () => {
    for (const text of ["", "   ", "\u200d", "\u202e\u2066", "\n\t\0", "\u3000\u200b"])
      expect((await fitText(text, style)).width, JSON.stringify(text)).toBeLessThanOrEqual(40);
    expect(await renderText("\u200d", { face: "text", color: "#000000", size: 20, fonts: [] })).toBeUndefined();
    const fitted = await fitText("Ada \u{12345} Lovelace\u0378", style);
    expect(fitted.kind === "outlines" && fitted.lines.map(({ text }) => text)).toEqual(["Ada Lovelace"]);
    expect((await fitText("\u{12345}", style)).kind).toBe("empty");
  });

  test("never throws for any text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 40 }), async (text) => {
        expect((await fitText(text, style)).width).toBeLessThanOrEqual(301);
      }),
      { numRuns: 30 },
    );
  });

  test("has no accents in Greek capitals, and is never interpreted as markup", async () => {
    const capitals = await fitText("Στούντιο", { ...style, caps: true });
    expect(capitals).toEqual(await fitText("ΣΤΟΥΝΤΙΟ", style));
    const plain = await fitText("<b>Ж</b> & <span size='9999999'>x</span>", style);
    expect(plain.kind).toBe("image");
    expect(plain.height).toBeLessThan(130);
  });
});

test("a name that no font has the letters for is replaced by the handle", async () => {
  expect(await drawableName("\u{12345}\u{12346}", "ada")).toBe("ada");
  expect(await drawableName("\u{12345} Ada", "ada")).toBe("Ada");
  for (const name of ["Ada", "ليلى", "Zoë 👩‍🚀", ""]) expect(await drawableName(name, "ada")).toBe(name);
});
