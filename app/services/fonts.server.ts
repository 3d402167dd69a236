import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import * as fontkit from "fontkit";
import type { Font } from "fontkit";

import { trueTypeFromWoff } from "./fonts-woff.server.ts";

/** "name" is Shippori Mincho, "text" and "strong" are Instrument Sans in two weights. */
export type Face = "name" | "text" | "strong";

/** Signs that one font has. `file` is the font as TrueType, for who embeds it. */
export type Run = { text: string; font: Font; file: Buffer };

/**
 * A line of text split by the fonts of ours that have its signs: Latin in the face that was asked for, Japanese in Shippori Mincho. A
 * name that Shippori Mincho can't write as a whole (Polish, Turkish) is set in Instrument Sans; undefined where ours lack a sign.
 */
export async function runsOf(face: Face, text: string): Promise<Run[] | undefined> {
  const chains = face === "name" ? [chain("name", text), chain("strong", text)] : [chain(face, text)];
  for (const fonts of chains) {
    const runs = split(text, await Promise.all(fonts.map(load)));
    if (runs) return runs;
  }
  return undefined;
}

const require = createRequire(import.meta.url);

const latin: Record<Face, string[]> = {
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

/** The Japanese part weighs megabytes: read when a name needs it. Its Greek and Cyrillic are as wide as kanji, and not used. */
function chain(face: Face, text: string): string[] {
  return japanese.test(text) ? [...latin[face], japaneseMincho] : latin[face];
}

const japanese = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u3000-\u303f\u30fb\u30fc\uff00-\uff60]/u;

function split(text: string, fonts: { font: Font; file: Buffer }[]): Run[] | undefined {
  const runs: Run[] = [];
  for (const sign of text) {
    const last = runs.at(-1);
    const has = ({ font }: { font: Font }) => font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0);
    // A space stays with what it follows.
    if (last && has(last)) last.text += sign;
    else {
      const found = fonts.find(has);
      if (!found) return undefined;
      runs.push({ text: sign, ...found });
    }
  }
  return runs;
}

const loaded = new Map<string, Promise<{ font: Font; file: Buffer }>>();

/** Each once in the life of the process; one that could not be read is tried again. */
function load(path: string): Promise<{ font: Font; file: Buffer }> {
  const known = loaded.get(path);
  if (known) return known;
  const loading = read(path);
  loaded.set(path, loading);
  loading.catch(() => loaded.delete(path));
  return loading;
}

async function read(path: string): Promise<{ font: Font; file: Buffer }> {
  const file = await trueTypeFromWoff(await readFile(path));
  const font = fontkit.create(file);
  if ("fonts" in font) throw new Error(`${path} holds several fonts, where one was expected`);
  return { font, file };
}
