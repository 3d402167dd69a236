import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import * as fontkit from "fontkit";
import { expect, test } from "vitest";
import decompress from "woff2-encoder/decompress";

import { nameTable, readTrueType, writeTrueType } from "./truetype-font.server.ts";
import { readWoff } from "./woff-font.server.ts";

const { resolve } = createRequire(import.meta.url);
const variable = (family: string, subset: string) =>
  resolve(`@fontsource-variable/${family}/files/${family}-${subset}-wght-normal.woff2`);

function open(file: Buffer) {
  const font = fontkit.create(file);
  if ("fonts" in font) throw new Error("several fonts");
  return font;
}

function shapes(file: Buffer) {
  const font = open(file);
  const glyphs = Array.from({ length: font.numGlyphs }, (_, id) => font.getGlyph(id));
  return glyphs.map((glyph) => [glyph.advanceWidth, glyph.path.toSVG()]);
}

test.each([
  ["letters that are composed of others", variable("noto-sans", "vietnamese")],
  ["a script with ligatures", variable("noto-sans-bengali", "bengali")],
  ["Chinese characters", variable("noto-sans-sc", "119")],
])("WOFF2 files as TrueType have the same glyphs: %s", async (_, path) => {
  const packed = await readFile(path);
  const { flavor, tables } = readTrueType(Buffer.from(await decompress(packed)));
  const unpacked = writeTrueType(flavor, tables);
  expect(shapes(unpacked)).toEqual(shapes(packed));
  expect(open(unpacked).characterSet).toEqual(open(packed).characterSet);
});

test("WOFF files have the same glyphs, lose the tables that are not wanted, and take another family", async () => {
  const name = resolve("@fontsource/shippori-mincho/files/shippori-mincho-latin-600-normal.woff");
  const unpacked = await readWoff(await readFile(name), {});
  expect(shapes(writeTrueType(unpacked.flavor, unpacked.tables))).toEqual(shapes(await readFile(`${name}2`)));
  const packed = await readFile(resolve("@fontsource/instrument-sans/files/instrument-sans-latin-400-normal.woff"));
  const { flavor, tables } = await readWoff(packed, { without: ["GPOS"] });
  expect([...tables.keys()]).not.toContain("GPOS");
  tables.set("name", nameTable("meishi ä 1"));
  expect(open(writeTrueType(flavor, tables)).familyName).toBe("meishi ä 1");
});
