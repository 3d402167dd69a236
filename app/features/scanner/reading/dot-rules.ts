import type { Box } from "./accent-rules.ts";
import type { GrayImage } from "./image-rules.ts";

type ReadSymbol = { text: string; bbox: Box };

/**
 * The text of an address, with the dots that the reader has left out: it often takes "a.lovelace" for a word. Such a dot is drawn like those
 * that it has found, on the same line, with nothing above it.
 */
export function withDots(symbols: readonly ReadSymbol[], image: GrayImage): string {
  const around = boxAround(symbols, image);
  const parts = findColumns(image, around).filter((part) => part.y1 - part.y0 < (around.y1 - around.y0) * largestShare);
  const known = symbols.flatMap(({ text, bbox }) =>
    text === "." ? parts.filter((part) => middleOf(part) >= bbox.x0 - 1 && middleOf(part) <= bbox.x1 + 1) : [],
  );
  const dots = parts.filter((part) => known.some((dot) => isAlike(part, dot)) && !known.includes(part));
  const at = symbols.findIndex(({ text }) => text === "@");
  return symbols
    .map(({ text, bbox }, index) => {
      const before = symbols[index - 1];
      if (!before || index > at || before.text === "." || text === ".") return text;
      return dots.some((dot) => middleOf(dot) > middleOf(before.bbox) && middleOf(dot) < middleOf(bbox))
        ? `.${text}`
        : text;
    })
    .join("");
}

/** How high a dot may be, of the line with its ascenders and descenders. */
const largestShare = 0.25;

function boxAround(symbols: readonly ReadSymbol[], { width, height }: GrayImage): Box {
  const boxes = symbols.map(({ bbox }) => bbox);
  return {
    x0: Math.max(0, Math.min(...boxes.map(({ x0 }) => x0))),
    x1: Math.min(width, Math.max(...boxes.map(({ x1 }) => x1))),
    y0: Math.max(0, Math.min(...boxes.map(({ y0 }) => y0))),
    y1: Math.min(height, Math.max(...boxes.map(({ y1 }) => y1))),
  };
}

function isAlike(part: Part, dot: Part): boolean {
  const ratios = [
    (part.x1 - part.x0) / (dot.x1 - dot.x0),
    (part.y1 - part.y0) / (dot.y1 - dot.y0),
    Math.sqrt(part.ink / dot.ink),
  ];
  return ratios.every((ratio) => ratio > 0.7 && ratio < 1.4) && Math.abs(part.y1 - dot.y1) < (dot.y1 - dot.y0) * 1.5;
}

/** A box with how dark it is in all. */
type Part = Box & { ink: number };

/** What is divided by columns without ink, from left to right. */
function findColumns({ width, pixels }: GrayImage, { x0, x1, y0, y1 }: Box): Part[] {
  const parts: Part[] = [];
  let part: Part | undefined;
  for (let x = x0; x < x1; x++) {
    const column = { top: y1, bottom: y0, ink: 0 };
    for (let y = y0; y < y1; y++) {
      const value = pixels[y * width + x] ?? 255;
      if (value >= 140) continue;
      column.top = Math.min(column.top, y);
      column.bottom = y + 1;
      column.ink += 255 - value;
    }
    if (column.ink === 0) {
      part = undefined;
      continue;
    }
    if (!part) parts.push((part = { x0: x, x1: x, y0: y1, y1: y0, ink: 0 }));
    part.x1 = x + 1;
    part.y0 = Math.min(part.y0, column.top);
    part.y1 = Math.max(part.y1, column.bottom);
    part.ink += column.ink;
  }
  return parts;
}

function middleOf({ x0, x1 }: Box): number {
  return (x0 + x1) / 2;
}
