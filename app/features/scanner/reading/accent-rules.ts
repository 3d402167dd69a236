import type { GrayImage } from "./image-rules.ts";

/** In pixels; `x1` and `y1` are behind the last one. */
export type Box = { x0: number; y0: number; x1: number; y1: number };

type Accent = "acute" | "grave" | "circumflex" | "caron" | "tilde" | "diaeresis" | "dot";

const marks: Record<Accent, string> = {
  acute: "\u0301",
  grave: "\u0300",
  circumflex: "\u0302",
  caron: "\u030C",
  tilde: "\u0303",
  diaeresis: "\u0308",
  dot: "\u0307",
};

/** The accents that letters have in European languages. A dot on an i is no accent. */
const accentsOf: Record<string, readonly Accent[]> = {
  a: ["acute", "grave", "circumflex", "tilde", "diaeresis"],
  c: ["acute", "caron"],
  e: ["acute", "grave", "circumflex", "diaeresis"],
  i: ["acute", "grave", "circumflex", "diaeresis"],
  n: ["acute", "tilde"],
  o: ["acute", "grave", "circumflex", "tilde", "diaeresis"],
  s: ["acute", "caron"],
  u: ["acute", "grave", "circumflex", "diaeresis"],
  y: ["acute", "diaeresis"],
  z: ["acute", "dot", "caron"],
};

/**
 * The letter with the accent that is drawn above it. The reader's model knows no accents but é: it reads the letter below, and finds where it
 * is with its accent. Other characters, and marks that can't be told, stay as they were read.
 */
export function withAccent(read: string, box: Box, image: GrayImage): string {
  const letter = read.normalize("NFD").replace(/\p{M}/gu, "");
  const possible = accentsOf[letter.toLowerCase()];
  if (!possible || letter.length !== 1) return read;
  const mark = findMark(box, image);
  const accent = mark && nameMark(mark, letter);
  return accent && possible.includes(accent) ? (letter + marks[accent]).normalize("NFC") : read;
}

/** Below smaller letters, in pixels, dots and accents look alike. Names are the largest text of a card. */
const smallestBody = 22;

/** The positions of a mark's pixels. */
type Mark = { xs: number[]; ys: number[]; width: number; height: number };

/** What is above a letter, with at least one empty row between; undefined without, and for what is too small or too large. */
function findMark({ x0, y0, x1, y1 }: Box, { width, height, pixels }: GrayImage): Mark | undefined {
  const isInk = (x: number, y: number) => (pixels[y * width + x] ?? 255) < 140;
  const [left, right] = [Math.max(0, x0), Math.min(width, x1)];
  const hasInk = (y: number) => {
    for (let x = left; x < right; x++) if (isInk(x, y)) return true;
    return false;
  };
  let top = Math.max(0, y0 - 1);
  const bottom = Math.min(height, y1);
  while (top < bottom && !hasInk(top)) top++;
  let end = top;
  while (end < bottom && hasInk(end)) end++;
  const body = bottom - end;
  if (body < smallestBody || end - top < Math.max(3, body * 0.08) || end - top > body * 0.5) return undefined;
  const [xs, ys]: [number[], number[]] = [[], []];
  for (let y = top; y < end; y++)
    for (let x = left; x < right; x++)
      if (isInk(x, y)) {
        xs.push(x);
        ys.push(y);
      }
  return { xs, ys, width: Math.max(...xs) - Math.min(...xs) + 1, height: end - top };
}

function nameMark(mark: Mark, letter: string): Accent | undefined {
  const { xs, ys, width, height } = mark;
  if (isTwoDots(mark)) return "diaeresis";
  const slope = correlation(xs, ys);
  const ratio = width / height;
  const isCompact = xs.length > width * height * 0.6 && ratio < 1.5;
  if (letter.toLowerCase() === "n" && ratio >= 1.7) return "tilde";
  // The vertical axis of an image points down.
  if (slope < -0.45) return "acute";
  if (slope > 0.45) return "grave";
  if (isCompact) return "dot";
  if (ratio < 1.2) return undefined;
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  const meanOf = (isIncluded: (x: number) => boolean) => mean(ys.filter((_, at) => isIncluded(xs[at] ?? 0)));
  const inMiddle = (x: number) => x > first + width / 3 && x < last - width / 3;
  const bend = meanOf((x) => !inMiddle(x)) - meanOf(inMiddle);
  if (Math.abs(bend) < height * 0.12) return ratio >= 1.7 ? "tilde" : undefined;
  return bend > 0 ? "circumflex" : "caron";
}

/** Whether columns without ink divide the mark into two parts of about the same width. */
function isTwoDots({ xs, width }: Mark): boolean {
  const first = Math.min(...xs);
  const columns = Array.from({ length: width }, () => false);
  for (const x of xs) columns[x - first] = true;
  const gap = columns.indexOf(false);
  const second = columns.indexOf(true, Math.max(gap, 0));
  if (gap < 0 || second < 0 || columns.indexOf(false, second) >= 0) return false;
  const [one, other] = [gap, width - second];
  return Math.min(one, other) > Math.max(one, other) * 0.5;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** From -1 to 1; 0 for what has no extent. */
function correlation(xs: readonly number[], ys: readonly number[]): number {
  const [middleX, middleY] = [mean(xs), mean(ys)];
  let [both, ofX, ofY] = [0, 0, 0];
  for (const [at, x] of xs.entries()) {
    const [dx, dy] = [x - middleX, (ys[at] ?? 0) - middleY];
    both += dx * dy;
    ofX += dx * dx;
    ofY += dy * dy;
  }
  return ofX === 0 || ofY === 0 ? 0 : both / Math.sqrt(ofX * ofY);
}
