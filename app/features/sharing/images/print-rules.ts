import { contrastProblem, readColor } from "#app/features/drawing/qr-style.ts";

/** The size of a card, the paper, and the color of the QR code ("#1f2937"). */
export type PrintSheetOptions = { size: CardSize; paper: Paper; color: string };

export type CardSize = keyof typeof cardSizes;
export type Paper = keyof typeof papers;

/** In millimeters: Japanese, European and US cards. */
export const cardSizes = {
  "91x55": { width: 91, height: 55 },
  "85x55": { width: 85, height: 55 },
  "3.5x2in": { width: 88.9, height: 50.8 },
} as const;

/** In millimeters. */
export const papers = { a4: { width: 210, height: 297 }, letter: { width: 215.9, height: 279.4 } } as const;

/** The rows of cards on a sheet: as many as leave room for crop marks and the printer's margins. */
export function countRows({ size, paper }: Pick<PrintSheetOptions, "size" | "paper">): number {
  return Math.floor((papers[paper].height - 2 * leastMargin) / cardSizes[size].height);
}

const leastMargin = 10;

/** Reads `?size=85x55&paper=letter&color=1f2937`, or returns the problem with one of them. The defaults are 91x55 on A4 in black. */
export function readPrintSheetOptions(params: URLSearchParams): PrintSheetOptions | { problem: string } {
  const size = params.get("size") ?? "91x55";
  if (!isOf(cardSizes, size)) return { problem: `The size must be one of: ${Object.keys(cardSizes).join(", ")}.` };
  const paper = params.get("paper") ?? "a4";
  if (!isOf(papers, paper)) return { problem: `The paper must be one of: ${Object.keys(papers).join(", ")}.` };
  const color = readColor(params.get("color"));
  if (!color) return { problem: 'The color must be six hexadecimal digits, as in "1f2937".' };
  const problem = contrastProblem(color);
  return problem ? { problem } : { size, paper, color };
}

function isOf<Key extends string>(known: Record<Key, unknown>, name: string): name is Key {
  return Object.hasOwn(known, name);
}
