import { setImmediate as yieldToEventLoop } from "node:timers/promises";

import { plainLine } from "#app/services/base/plain-text.ts";

import { splitByFont } from "./fonts.server.ts";
import type { Typeface } from "./fonts.server.ts";
import { drawableNameText, drawableText } from "./script-fonts/drawable-text.ts";
import { findScriptFonts } from "./script-fonts/script-fonts.server.ts";
import type { ScriptFont } from "./script-fonts/script-fonts.server.ts";
import { loadSharp } from "./sharp.server.ts";
import { layOutLine } from "./text-outlines.server.ts";
import type { TextLine } from "./text-outlines.server.ts";

/** Sizes and widths in pixels or points; `lineHeight` and `tracking` in ems. */
export type TextStyle = {
  face: Typeface;
  /** The largest size. */
  size: number;
  /** `size` by default. */
  smallest?: number;
  width: number;
  lines?: number;
  /** The maximum height. */
  height?: number;
  /** Prefers one line over several down to this part of `size`: 0.7 is 70 %. */
  oneLineDownTo?: number;
  color: string;
  lineHeight?: number;
  tracking?: number;
  caps?: boolean;
  /** Pixels per unit, for text that has to be rendered as an image. */
  scale?: number;
};

export type FittedText = { height: number; width: number; size: number } & (
  | { kind: "outlines"; lines: TextLine[] }
  /** A PNG, for a text with characters that our own fonts lack. */
  | { kind: "image"; png: Buffer }
  | { kind: "empty" }
);

/**
 * Fits a text into a box, as large as possible: first it gets smaller, then words are broken, and only at the smallest size is it cut with
 * "…". Never throws because of the text.
 */
export async function fitText(text: string, style: TextStyle): Promise<FittedText> {
  const clean = plainLine(text.slice(0, maxCharacters));
  const normalized = style.caps ? toCapitals(clean) : clean;
  if (normalized === "") return { kind: "empty", height: 0, width: 0, size: style.size };
  const outlines = await fitOutlines(normalized, style);
  if (outlines) return outlines;
  const { fonts, missing } = await findScriptFonts(normalized);
  const drawable = drawableText(normalized, missing);
  if (drawable === normalized) return fitImage(drawable, { ...style, fonts });
  return (drawable && (await fitOutlines(drawable, style))) || fitImage(drawable, { ...style, fonts });
}

/** A name without the words that no font has the letters for, or `fallback` when nothing is left of it. */
export async function drawableName(name: string, fallback = ""): Promise<string> {
  const clean = plainLine(name.slice(0, maxCharacters));
  if (clean === "" || (await splitByFont("name", clean))) return name;
  const { missing } = await findScriptFonts(clean);
  return drawableNameText(clean, missing) || fallback;
}

export const lineHeightOf = ({ lineHeight = 1.2 }: Pick<TextStyle, "lineHeight">) => lineHeight;

/** Greek capitals lose their accents. */
function toCapitals(text: string): string {
  return /\p{sc=Grek}/u.test(text) ? text.toLocaleUpperCase("el") : text.toUpperCase();
}

/** More than any of our fields allows. */
const maxCharacters = 400;

async function fitOutlines(text: string, style: TextStyle): Promise<FittedText | undefined> {
  const layOut = memoizedLayout(style);
  if (!(await layOut(text)) || !(await layOut("…"))) return undefined;
  for (const breaks of [false, true]) {
    for (const { size, maxLines } of listAttempts(style)) {
      const lines = await wrapText(text, { layOut, width: style.width / size, breaks });
      if (lines && lines.length <= maxLines) return toFitted(lines, size, style);
    }
  }
  const size = style.smallest ?? style.size;
  const lines = (await wrapText(text, { layOut, width: style.width / size, breaks: true })) ?? [];
  const visible = lines.slice(0, style.lines ?? 1);
  const last = visible.pop();
  const cut = last && (await truncateLine(last.text, { layOut, width: style.width / size }));
  return toFitted(cut ? [...visible, cut] : visible, size, style);
}

/** Layout is slow, and each size needs the same words. Yields to the event loop in between. */
function memoizedLayout({ face, tracking }: TextStyle): LineLayout["layOut"] {
  const layouts = new Map<string, TextLine | undefined>();
  return async (text) => {
    const cached = layouts.get(text);
    if (cached) return cached;
    if (layouts.size % 10 === 9) await yieldToEventLoop();
    const line = await layOutLine(face, text, tracking);
    layouts.set(text, line);
    return line;
  };
}

/** The sizes to try, in order, each with the number of lines that fit. */
function listAttempts(style: TextStyle): { size: number; maxLines: number }[] {
  const { lines = 1, height = Infinity, oneLineDownTo = 1 } = style;
  const all = listSizes(style).map((size) => ({
    size,
    maxLines: Math.min(lines, Math.floor(height / (size * lineHeightOf(style)) + 0.001)),
  }));
  const inOne = all
    .filter(({ size }) => size >= style.size * oneLineDownTo)
    .map(({ size, maxLines }) => ({ size, maxLines: Math.min(maxLines, 1) }));
  return [...inOne, ...all];
}

function toFitted(lines: TextLine[], size: number, style: TextStyle): FittedText {
  const width = Math.max(0, ...lines.map((line) => line.width * size));
  return { kind: "outlines", lines, size, width, height: lines.length * size * lineHeightOf(style) };
}

function listSizes({ size, smallest = size }: TextStyle): number[] {
  const steps = Math.max(1, Math.ceil(Math.log(smallest / size) / Math.log(0.92)));
  if (smallest >= size) return [size];
  return Array.from({ length: steps + 1 }, (_, step) => size * (smallest / size) ** (step / steps));
}

type LineLayout = { layOut: (text: string) => Promise<TextLine | undefined>; width: number };

/** Returns undefined when a word is wider than a line and must not be broken. */
async function wrapText(text: string, { layOut, width, breaks }: LineLayout & { breaks: boolean }) {
  const lines: TextLine[] = [];
  let current: TextLine | undefined;
  for (const word of text.split(" ")) {
    const together: TextLine | undefined = await layOut(current ? `${current.text} ${word}` : word);
    if (together && together.width <= width) {
      current = together;
      continue;
    }
    if (current) lines.push(current);
    const parts: TextLine[] = breaks
      ? await breakWord(word, { layOut, width })
      : [await layOut(word)].filter((line) => line !== undefined);
    if (parts.some((part) => part.width > width) && !breaks) return undefined;
    current = parts.pop();
    lines.push(...parts);
  }
  return current ? [...lines, current] : lines;
}

/** Breaks a word into pieces that fit. */
async function breakWord(word: string, { layOut, width }: LineLayout): Promise<TextLine[]> {
  const pieces: TextLine[] = [];
  let rest = [...graphemes.segment(word)].map(({ segment }) => segment);
  while (rest.length > 0) {
    const length = Math.max(
      1,
      await largestCount(rest.length, async (count) => fits(await layOut(rest.slice(0, count).join("")), width)),
    );
    const piece = await layOut(rest.slice(0, length).join(""));
    if (piece) pieces.push(piece);
    rest = rest.slice(length);
  }
  return pieces;
}

async function truncateLine(text: string, { layOut, width }: LineLayout): Promise<TextLine | undefined> {
  const all = [...graphemes.segment(text)].map(({ segment }) => segment);
  const cut = (count: number) => layOut(`${all.slice(0, count).join("").trimEnd()}…`);
  return cut(await largestCount(all.length, async (count) => fits(await cut(count), width)));
}

const fits = (line: TextLine | undefined, width: number) => line !== undefined && line.width <= width;

/** Binary search for the largest count up to `limit` for which `isTrue`, which must hold for all smaller counts; 0 for none. */
async function largestCount(limit: number, isTrue: (count: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, limit];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (await isTrue(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Tries smaller sizes, then shorter texts. */
async function fitImage(text: string, style: TextStyle & { fonts: ScriptFont[] }): Promise<FittedText> {
  const { width, lines = 1, scale = 1, face, color, fonts } = style;
  const all = [...graphemes.segment(text)].map(({ segment }) => segment);
  const sizes = listSizes(style);
  for (let length = all.length, at = 0; length > 0; at++) {
    const size = sizes[Math.min(at, sizes.length - 1)] ?? style.size;
    if (at >= sizes.length) length = Math.floor(length * 0.8);
    const attempt = length < all.length ? `${all.slice(0, length).join("")}…` : text;
    const wraps = lines > 1;
    const drawn = await renderText(attempt, {
      face,
      color,
      fonts,
      size: size * scale,
      ...(wraps && { width: Math.floor(width * scale) }),
    });
    if (!drawn) break;
    const maxHeight = Math.min(lines * size * 1.5, style.height ?? Infinity) * scale;
    if ((drawn.width > width * scale || drawn.height > maxHeight) && length > 1) continue;
    const height = Math.max(drawn.height / scale, size * lineHeightOf(style));
    return { kind: "image", png: drawn.png, width: drawn.width / scale, height, size };
  }
  return { kind: "empty", height: 0, width: 0, size: style.size };
}

/**
 * Renders text in scripts that our own fonts lack. Pango does shaping and direction. Returns a transparent PNG of the size of its ink, or
 * undefined when nothing is visible. Runs off the event loop.
 */
export async function renderText(
  text: string,
  { face, color, size, width, fonts }: RenderTextOptions,
): Promise<{ png: Buffer; width: number; height: number } | undefined> {
  const families = fonts.map(({ family }) => `${family},`).join("");
  // Pango takes one font file per image, and knows all earlier ones.
  for (const { path } of fonts.slice(1)) await addFont(path);
  const sharp = await loadSharp();
  const image = sharp({
    text: {
      text: `<span foreground="${color}">${escaped(text)}</span>`,
      font: `${families} ${fontWeights[face]} ${Math.max(1, size).toFixed(1)}`,
      ...(fonts[0] && { fontfile: fonts[0].path }),
      rgba: true,
      // One point is one pixel.
      dpi: 72,
      wrap: "word-char",
      align: "left",
      ...(width && { width }),
    },
  });
  try {
    const { data, info } = await image.png().toBuffer({ resolveWithObject: true });
    return { png: data, width: info.width, height: info.height };
  } catch (error) {
    if (hasNoInk(error)) return undefined;
    throw error;
  }
}

type RenderTextOptions = {
  face: Typeface;
  color: string;
  size: number;
  width?: number;
  /** The preferred ones first. */
  fonts: ScriptFont[];
};

const fontWeights: Record<Typeface, string> = { name: "Semi-Bold", text: "", strong: "Semi-Bold" };

const added = new Set<string>();

/** Makes a font known to Pango, for the whole process: adding it again from another thread has no effect. */
async function addFont(fontfile: string): Promise<void> {
  if (added.has(fontfile)) return;
  const sharp = await loadSharp();
  await sharp({ text: { text: ".", font: "emoji 1", fontfile, rgba: true } })
    .toBuffer()
    .catch((error: unknown) => {
      if (!hasNoInk(error)) throw error;
    });
  added.add(fontfile);
}

/** Joiners and odd spaces have no ink, and an image of no size is an error to libvips. */
function hasNoInk(error: unknown): boolean {
  return error instanceof Error && error.message.includes("no text to render");
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (sign) => entities[sign] ?? "");
}
