import { setImmediate as nextTurn } from "node:timers/promises";

import type { Face } from "./fonts.server.ts";
import { setLine } from "./fonts-line.server.ts";
import type { SetLine } from "./fonts-line.server.ts";
import { systemText } from "./fonts-system.server.ts";
import { plainLine } from "./plain-text.ts";

/** Sizes and widths in pixels or points; `lineHeight` and `tracking` in ems. */
export type TextStyle = {
  face: Face;
  /** The largest, and the one that is not gone below. */
  size: number;
  smallest?: number;
  width: number;
  lines?: number;
  /** The most it may be high. */
  height?: number;
  /** How much smaller one line may be than two: 0.7 is 70 % of `size`. */
  oneLineDownTo?: number;
  color: string;
  lineHeight?: number;
  tracking?: number;
  caps?: boolean;
  /** Pixels a unit, for what has to be drawn as a picture. */
  scale?: number;
};

export type FittedText = { height: number; width: number; size: number } & (
  | { kind: "letters"; lines: SetLine[] }
  /** A PNG of letters that our fonts lack, as the system's fonts draw them. */
  | { kind: "picture"; png: Buffer }
  | { kind: "nothing" }
);

/**
 * A text in as many lines as it may take, as large as it fits: smaller before it is broken inside a word, and cut with "…" only at the
 * smallest size. Never throws because of the text.
 */
export async function fitText(text: string, style: TextStyle): Promise<FittedText> {
  const clean = plainLine(text.slice(0, mostSigns));
  const shown = style.caps ? clean.toUpperCase() : clean;
  if (shown === "") return { kind: "nothing", height: 0, width: 0, size: style.size };
  return (await fitLetters(shown, style)) ?? (await fitPicture(shown, style));
}

export const lineHeightOf = ({ lineHeight = 1.2 }: Pick<TextStyle, "lineHeight">) => lineHeight;

/** More than any field of ours takes. */
const mostSigns = 400;

async function fitLetters(text: string, style: TextStyle): Promise<FittedText | undefined> {
  const set = remembered(style);
  if (!(await set(text)) || !(await set("…"))) return undefined;
  for (const breaks of [false, true]) {
    for (const { size, most } of triesOf(style)) {
      const lines = await wrapped(text, { set, width: style.width / size, breaks });
      if (lines && lines.length <= most) return toFitted(lines, size, style);
    }
  }
  const size = style.smallest ?? style.size;
  const lines = (await wrapped(text, { set, width: style.width / size, breaks: true })) ?? [];
  const kept = lines.slice(0, style.lines ?? 1);
  const last = kept.pop();
  const cut = last && (await cutOff(last.text, { set, width: style.width / size }));
  return toFitted(cut ? [...kept, cut] : kept, size, style);
}

/** Setting words takes a while, and the same ones come again at each size. Others have their turn in between. */
function remembered({ face, tracking }: TextStyle): Measure["set"] {
  const known = new Map<string, SetLine | undefined>();
  return async (words) => {
    const found = known.get(words);
    if (found) return found;
    if (known.size % 10 === 9) await nextTurn();
    const line = await setLine(face, words, tracking);
    known.set(words, line);
    return line;
  };
}

/** The sizes to try in their order, with the lines that fit at each. */
function triesOf(style: TextStyle): { size: number; most: number }[] {
  const { lines = 1, height = Infinity, oneLineDownTo = 1 } = style;
  const all = sizesOf(style).map((size) => ({
    size,
    most: Math.min(lines, Math.floor(height / (size * lineHeightOf(style)) + 0.001)),
  }));
  const inOne = all
    .filter(({ size }) => size >= style.size * oneLineDownTo)
    .map(({ size, most }) => ({ size, most: Math.min(most, 1) }));
  return [...inOne, ...all];
}

function toFitted(lines: SetLine[], size: number, style: TextStyle): FittedText {
  const width = Math.max(0, ...lines.map((line) => line.width * size));
  return { kind: "letters", lines, size, width, height: lines.length * size * lineHeightOf(style) };
}

function sizesOf({ size, smallest = size }: TextStyle): number[] {
  const steps = Math.max(1, Math.ceil(Math.log(smallest / size) / Math.log(0.92)));
  if (smallest >= size) return [size];
  return Array.from({ length: steps + 1 }, (_, step) => size * (smallest / size) ** (step / steps));
}

type Measure = { set: (words: string) => Promise<SetLine | undefined>; width: number };

/** Undefined when a word is wider than a line and may not be broken. */
async function wrapped(text: string, { set, width, breaks }: Measure & { breaks: boolean }) {
  const lines: SetLine[] = [];
  let current: SetLine | undefined;
  for (const word of text.split(" ")) {
    const together: SetLine | undefined = await set(current ? `${current.text} ${word}` : word);
    if (together && together.width <= width) {
      current = together;
      continue;
    }
    if (current) lines.push(current);
    const parts: SetLine[] = breaks
      ? await broken(word, { set, width })
      : [await set(word)].filter((line) => line !== undefined);
    if (parts.some((part) => part.width > width) && !breaks) return undefined;
    current = parts.pop();
    lines.push(...parts);
  }
  return current ? [...lines, current] : lines;
}

/** A word in pieces that fit. */
async function broken(word: string, { set, width }: Measure): Promise<SetLine[]> {
  const pieces: SetLine[] = [];
  let rest = [...signs.segment(word)].map(({ segment }) => segment);
  while (rest.length > 0) {
    const length = Math.max(
      1,
      await most(rest.length, async (count) => fits(await set(rest.slice(0, count).join("")), width)),
    );
    const piece = await set(rest.slice(0, length).join(""));
    if (piece) pieces.push(piece);
    rest = rest.slice(length);
  }
  return pieces;
}

async function cutOff(text: string, { set, width }: Measure): Promise<SetLine | undefined> {
  const all = [...signs.segment(text)].map(({ segment }) => segment);
  const cut = (count: number) => set(`${all.slice(0, count).join("").trimEnd()}…`);
  return cut(await most(all.length, async (count) => fits(await cut(count), width)));
}

const fits = (line: SetLine | undefined, width: number) => line !== undefined && line.width <= width;

/** The largest count up to `limit` for which it is true, where it is true for all smaller ones; 0 for none. */
async function most(limit: number, isTrue: (count: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, limit];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (await isTrue(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

const signs = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Half as long with each try, when even the smallest size is too large. */
async function fitPicture(text: string, style: TextStyle): Promise<FittedText> {
  const { width, lines = 1, scale = 1, face, color } = style;
  const all = [...signs.segment(text)].map(({ segment }) => segment);
  const sizes = sizesOf(style);
  for (let length = all.length, at = 0; length > 0; at++) {
    const size = sizes[Math.min(at, sizes.length - 1)] ?? style.size;
    if (at >= sizes.length) length = Math.floor(length * 0.8);
    const shown = length < all.length ? `${all.slice(0, length).join("")}…` : text;
    const wraps = lines > 1;
    const drawn = await systemText(shown, {
      face,
      color,
      size: size * scale,
      ...(wraps && { width: Math.floor(width * scale) }),
    });
    if (!drawn) break;
    const mostHeight = Math.min(lines * size * 1.5, style.height ?? Infinity) * scale;
    if ((drawn.width > width * scale || drawn.height > mostHeight) && length > 1) continue;
    const height = Math.max(drawn.height / scale, size * lineHeightOf(style));
    return { kind: "picture", png: drawn.png, width: drawn.width / scale, height, size };
  }
  return { kind: "nothing", height: 0, width: 0, size: style.size };
}
