import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import type { Font } from "fontkit";

import { writeTrueType } from "./script-fonts/truetype-font.server.ts";
import { readWoff } from "./script-fonts/woff-font.server.ts";

/** "name" is Shippori Mincho, "text" and "strong" are Instrument Sans in two weights. */
export type Typeface = "name" | "text" | "strong";

/** A part of a text in one font. `file` is the font as TrueType, to embed it. */
export type TextRun = { text: string; font: Font; file: Buffer };

/**
 * Splits a line of text by font: Latin in the given typeface, Japanese in Shippori Mincho. A name that Shippori Mincho can't write completely
 * (Polish, Turkish) is set in Instrument Sans. Returns undefined when our fonts lack a character.
 */
export async function splitByFont(face: Typeface, text: string): Promise<TextRun[] | undefined> {
  const chains = face === "name" ? [chain("name", text), chain("strong", text)] : [chain(face, text)];
  for (const fonts of chains) {
    const runs = split(text, await Promise.all(fonts.map(load)));
    if (runs) return runs;
  }
  return undefined;
}

const require = createRequire(import.meta.url);

const latin: Record<Typeface, string[]> = {
  name: [
    require.resolve("@fontsource/shippori-mincho/files/shippori-mincho-latin-600-normal.woff"),
    require.resolve("@fontsource/shippori-mincho/files/shippori-mincho-latin-ext-600-normal.woff"),
  ],
  text: [
    require.resolve("@fontsource/instrument-sans/files/instrument-sans-latin-400-normal.woff"),
    require.resolve("@fontsource/instrument-sans/files/instrument-sans-latin-ext-400-normal.woff"),
  ],
  strong: [
    require.resolve("@fontsource/instrument-sans/files/instrument-sans-latin-600-normal.woff"),
    require.resolve("@fontsource/instrument-sans/files/instrument-sans-latin-ext-600-normal.woff"),
  ],
};

const japaneseMincho = require.resolve("@fontsource/shippori-mincho/files/shippori-mincho-japanese-600-normal.woff");

/** The Japanese font has several megabytes and is loaded only when needed. Its Greek and Cyrillic are as wide as kanji and not used. */
function chain(face: Typeface, text: string): string[] {
  return japanese.test(text) ? [...latin[face], japaneseMincho] : latin[face];
}

const japanese = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u3000-\u303f\u30fb\u30fc\uff00-\uff60]/u;

function split(text: string, fonts: { font: Font; file: Buffer }[]): TextRun[] | undefined {
  const runs: TextRun[] = [];
  for (const character of text) {
    const last = runs.at(-1);
    const has = ({ font }: { font: Font }) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
    // A space stays in the run before it.
    if (last && has(last)) last.text += character;
    else {
      const found = fonts.find(has);
      if (!found) return undefined;
      runs.push({ text: character, ...found });
    }
  }
  return runs;
}

const loaded = new Map<string, Promise<{ font: Font; file: Buffer }>>();

/** Loads each font once per process. A failed one is loaded again at the next use. */
function load(path: string): Promise<{ font: Font; file: Buffer }> {
  const cached = loaded.get(path);
  if (cached) return cached;
  const loading = read(path);
  loaded.set(path, loading);
  loading.catch(() => loaded.delete(path));
  return loading;
}

async function read(path: string): Promise<{ font: Font; file: Buffer }> {
  const [{ create }, woff] = await Promise.all([import("fontkit"), readFile(path)]);
  const file = await trueTypeFromWoff(woff);
  const font = create(file);
  if ("fonts" in font) throw new Error(`${path} contains several fonts; expected one`);
  return { font, file };
}

/**
 * Converts a WOFF 1.0 file to TrueType, which PDF files can embed and fontkit can read without decompressing a table for each letter.
 * Throws for an invalid or truncated file. Decompresses off the event loop.
 */
export async function trueTypeFromWoff(file: Buffer): Promise<Buffer> {
  const { flavor, tables } = await readWoff(file);
  return writeTrueType(flavor, tables);
}
