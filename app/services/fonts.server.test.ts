import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import * as fc from "fast-check";
import * as fontkit from "fontkit";
import { describe, expect, test } from "vitest";

import { runsOf } from "./fonts.server.ts";
import { outlineOf, setLine } from "./fonts-line.server.ts";
import { systemText } from "./fonts-system.server.ts";
import { fitText } from "./fonts-text.server.ts";
import { trueTypeFromWoff } from "./fonts-woff.server.ts";

const { resolve } = createRequire(import.meta.url);
const files = [
  "@fontsource/shippori-mincho/files/shippori-mincho-latin-600-normal.woff",
  "@fontsource/instrument-sans/files/instrument-sans-latin-600-normal.woff",
] as const;
const longWord = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamter";

describe("the fonts of the interface, as files that can be embedded", () => {
  test.each(files)(
    "%s: each letter is as large and as wide as the one that fontkit reads from the WOFF2 file beside it",
    async (path) => {
      const shapes = (file: Buffer) => {
        const font = fontkit.create(file);
        if ("fonts" in font) throw new Error("several fonts");
        return Array.from({ length: font.numGlyphs }, (_, id) => {
          const glyph = font.getGlyph(id);
          // The two files of Instrument Sans draw overlaps in their own ways: what is seen is the same.
          const { minX, minY, maxX, maxY } = glyph.path.bbox;
          return [glyph.advanceWidth, minX, minY, maxX, maxY].map((length) => Math.round(length / 2));
        });
      };
      const unpacked = shapes(await trueTypeFromWoff(await readFile(resolve(path))));
      expect(unpacked.length).toBeGreaterThan(100);
      expect(unpacked).toEqual(shapes(await readFile(resolve(`${path}2`))));
    },
  );

  test("a file that is none, or that ends too early, is refused", async () => {
    const packed = await readFile(resolve(files[0]));
    const cut = packed.subarray(0, -500);
    const lying = Buffer.from(packed);
    lying.writeUInt32BE(4, 44 + 12);
    for (const broken of [Buffer.alloc(0), Buffer.from("wOFF"), packed.subarray(0, 60), cut, lying]) {
      await expect(trueTypeFromWoff(broken)).rejects.toThrow(/WOFF|range|larger|bounds/i);
    }
  });
});

describe("which font writes what", () => {
  test("names in Shippori Mincho, in Latin and Japanese; others whole in Instrument Sans or not at all", async () => {
    const fonts = async (text: string) => (await runsOf("name", text))?.map((run) => [run.text, run.font.familyName]);
    expect(await fonts("Ada Zoë")).toEqual([["Ada Zoë", "Shippori Mincho SemiBold"]]);
    expect((await fonts("Tarō 山田"))?.map(([text]) => text).join("")).toBe("Tarō 山田");
    expect(await fonts("Łukasz")).toHaveLength(2);
    expect((await fonts("Łukasz"))?.every(([, name]) => name === "Instrument Sans SemiBold")).toBe(true);
    expect(await fonts("Юрий")).toBeUndefined();
    expect(await fonts("👩‍🚀")).toBeUndefined();
  });

  test("letters are outlines, no text that a viewer would need fonts for", async () => {
    const line = await setLine("name", "Ada");
    const d = line && outlineOf(line, { x: 10, y: 50, size: 40 });
    expect(d).toMatch(/^M[\d. ]+/);
    expect(d).not.toMatch(/NaN|undefined|Infinity/);
  });
});

const style = { face: "name", size: 40, smallest: 16, width: 300, lines: 2, color: "#000000" } as const;

describe("text in a box", () => {
  test.each([
    ["Ada Lovelace", 1],
    ["Wolfeschlegelsteinhausen Bergerdorff", 2],
    [longWord, 2],
    [longWord.repeat(6), 2],
    ["a ".repeat(200), 2],
  ])("%s stays inside", async (text, lines) => {
    const fitted = await fitText(text, style);
    if (fitted.kind !== "letters") throw new Error(fitted.kind);
    expect(fitted.lines).toHaveLength(lines);
    for (const line of fitted.lines) expect(line.width * fitted.size).toBeLessThanOrEqual(300.001);
  });

  test("gets smaller before a word is broken, and is cut only at the smallest size", async () => {
    const [small, broken, cut] = await Promise.all(
      ["Wolfeschlegelsteinhausen", longWord, longWord.repeat(6)].map((text) =>
        fitText(text, { ...style, oneLineDownTo: 0.5 }),
      ),
    );
    const words = (fitted: typeof small) => (fitted?.kind === "letters" ? fitted.lines.map(({ text }) => text) : []);
    expect(small?.size).toBeLessThan(40);
    expect(words(small)).toEqual(["Wolfeschlegelsteinhausen"]);
    expect(words(broken).join("")).toBe(longWord);
    expect(cut?.size).toBe(16);
    expect(words(cut).at(-1)).toMatch(/…$/);
  });

  test("in scripts that our fonts lack is a picture that stays inside too", async () => {
    for (const text of ["ليلى الحسن", "👩‍🚀 Zoë 🇯🇵", "Юрий ".repeat(30), "김민준", "अमिता", "𝕏𐍈", "ש".repeat(300)]) {
      const fitted = await fitText(text, style);
      if (fitted.kind !== "picture") throw new Error(`${text}: ${fitted.kind}`);
      expect(fitted.width, text).toBeLessThanOrEqual(300);
      expect(fitted.png.length).toBeGreaterThan(100);
    }
  });

  test("without a sign that could be seen is nothing", async () => {
    for (const text of ["", "   ", "\u200d", "\u202e\u2066", "\n\t\0", "\u3000\u200b"]) {
      expect((await fitText(text, style)).width, JSON.stringify(text)).toBeLessThanOrEqual(40);
    }
    expect(await systemText("\u200d", { face: "text", color: "#000000", size: 20 })).toBeUndefined();
  });

  test("of any kind never fails", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 40 }), async (text) => {
        const fitted = await fitText(text, style);
        expect(fitted.width).toBeLessThanOrEqual(301);
      }),
      { numRuns: 60 },
    );
  });

  test("is no markup", async () => {
    const plain = await fitText("<b>Ж</b> & <span size='9999999'>x</span>", style);
    expect(plain.kind).toBe("picture");
    expect(plain.height).toBeLessThan(130);
  });
});
