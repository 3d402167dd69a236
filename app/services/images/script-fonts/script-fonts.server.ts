import { lstat, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir, userInfo } from "node:os";
import { basename, join } from "node:path";
import { threadId } from "node:worker_threads";

import { isIgnorable, listCharacters } from "./drawable-text.ts";
import { listFontPackages, listPackagesFor, readUnicodeRange } from "./font-packages.ts";
import type { FontPackage } from "./font-packages.ts";
import { nameTable, readTrueType, writeTrueType } from "./truetype-font.server.ts";
import { readWoff } from "./woff-font.server.ts";

/** A font as a TrueType file, with a family name that no other font has. */
export type ScriptFont = { family: string; path: string; codePoints: ReadonlySet<number> };

/** The fonts that a text needs, the preferred ones first, and the characters that none of them has. */
export async function findScriptFonts(text: string): Promise<{ fonts: ScriptFont[]; missing: Set<string> }> {
  const packages = listFontPackages(text);
  const fonts = new Set<ScriptFont>();
  const missing = new Set<string>();
  for (const character of new Set(listCharacters(text))) {
    const found = await findFontsFor(character, packages);
    if (found) for (const font of found) fonts.add(font);
    else missing.add(character);
  }
  return { fonts: [...fonts], missing };
}

/** One font for the whole character, or else one for each of its code points. */
async function findFontsFor(character: string, packages: FontPackage[]): Promise<ScriptFont[] | undefined> {
  const codePoints = [...character].filter((part) => !isIgnorable(part)).map((part) => part.codePointAt(0) ?? 0);
  const whole = await findFont(codePoints, listPackagesFor(character, packages));
  if (whole || codePoints.length < 2) return whole && [whole];
  const parts: ScriptFont[] = [];
  for (const codePoint of codePoints) {
    const font = await findFont([codePoint], packages);
    if (!font) return undefined;
    parts.push(font);
  }
  return parts;
}

async function findFont(codePoints: number[], packages: FontPackage[]): Promise<ScriptFont | undefined> {
  for (const one of packages) {
    for (const path of listFiles(one, codePoints)) {
      const font = await load(path);
      // A list of characters may have more than its font.
      if (codePoints.every((codePoint) => font.codePoints.has(codePoint))) return font;
    }
  }
  return undefined;
}

const require = createRequire(import.meta.url);

/** The files of a package that should have all these characters. */
function listFiles({ name, files }: FontPackage, codePoints: number[]): string[] {
  if (files !== "by characters") return [require.resolve(`${name}/files/${files.file}`)];
  return rangesOf(name)
    .filter(({ ranges }) => codePoints.every((code) => ranges.some(([first, last]) => first <= code && code <= last)))
    .map(({ subset }) => require.resolve(`${name}/files/${basename(name)}-${subset}-wght-normal.woff2`));
}

type SubsetRanges = { subset: string; ranges: [number, number][] };
const rangesByPackage = new Map<string, SubsetRanges[]>();

/** The key of a numbered file is in brackets: "[12]". */
function rangesOf(name: string): SubsetRanges[] {
  const known = rangesByPackage.get(name);
  if (known) return known;
  const byKey: Record<string, string> = require(`${name}/unicode.json`);
  const ranges = Object.entries(byKey).map(([key, range]) => ({
    subset: key.replace(/[[\]]/g, ""),
    ranges: readUnicodeRange(range),
  }));
  rangesByPackage.set(name, ranges);
  return ranges;
}

const loaded = new Map<string, Promise<ScriptFont>>();

/** Loads each font once per thread. A failed one is loaded again at the next use. */
function load(source: string): Promise<ScriptFont> {
  const cached = loaded.get(source);
  if (cached) return cached;
  const loading = unpack(source);
  loaded.set(source, loading);
  loading.catch(() => loaded.delete(source));
  return loading;
}

/**
 * Pango reads fonts from files, and the FreeType in sharp reads TrueType alone. The unpacked file stays in the folder for temporary files
 * for the next threads and processes.
 */
async function unpack(source: string): Promise<ScriptFont> {
  const packageFolder = join(source, "../..");
  const { version }: { version: string } = require(join(packageFolder, "package.json"));
  const name = basename(source).replace(/\.woff2?$/, "");
  const path = join(await openFontFolder(), `${name}-${version}.ttf`);
  // Pango draws all emoji in the family of this name.
  const family = name.includes("emoji") ? "emoji" : `meishi ${name}`;
  const file = (await readIfExists(path)) ?? (await writeFont(source, { path, family }));
  const { create } = await import("fontkit");
  const font = create(file);
  if ("fonts" in font) throw new Error(`${source} contains several fonts; expected one`);
  return { family, path, codePoints: new Set(font.characterSet) };
}

/** Renamed when it is complete, because another thread may read it at any time. */
async function writeFont(source: string, { path, family }: { path: string; family: string }): Promise<Buffer> {
  const packed = await readFile(source);
  const { default: decompress } = await import("woff2-encoder/decompress");
  // Emoji are twice in their font: as color layers and, four times as large, as SVG, which Pango doesn't draw.
  const { flavor, tables } = source.endsWith("2")
    ? readTrueType(Buffer.from(await decompress(packed)))
    : await readWoff(packed, { without: ["SVG "] });
  tables.set("name", nameTable(family));
  const file = writeTrueType(flavor, tables);
  const unfinished = `${path}.${process.pid}.${threadId}`;
  await writeFile(unfinished, file);
  await rename(unfinished, path);
  return file;
}

async function readIfExists(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Incremented when the conversion changes. */
const formatVersion = 2;

/** A folder that only our user can write to: fonts of another user of the machine might be crafted to attack us. */
async function openFontFolder(): Promise<string> {
  const { uid } = userInfo();
  const folder = join(tmpdir(), `meishi-fonts-${formatVersion}-${uid}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stats = await lstat(folder);
  // Windows has no user ids, and a folder for temporary files for each user.
  if (uid >= 0 && (!stats.isDirectory() || stats.uid !== uid || (stats.mode & 0o022) !== 0)) {
    throw new Error(`${folder} belongs to another user. Remove it or set TMPDIR to another folder.`);
  }
  return folder;
}
