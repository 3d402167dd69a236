import { readColor, refuseColor } from "./qr-style.ts";

/** What is printed on: the size of a card, the paper, the colour of the code. */
export type Sheet = { size: keyof typeof cardSizes; paper: keyof typeof papers; color: string };

/** In millimetres: the Japanese and the European card. */
export const cardSizes = { "91x55": { width: 91, height: 55 }, "85x55": { width: 85, height: 55 } } as const;

/** In millimetres. Five rows of 55 mm leave a sheet of Letter paper no room for marks: it holds four. */
export const papers = {
  a4: { width: 210, height: 297, rows: 5 },
  letter: { width: 215.9, height: 279.4, rows: 4 },
} as const;

/** What `?size=85x55&paper=letter&color=1f2937` asks for; 91x55 on A4 in black without. The problem names what can't be had. */
export function readSheet(params: URLSearchParams): Sheet | { problem: string } {
  const size = params.get("size") ?? "91x55";
  if (!isOf(cardSizes, size)) return { problem: `The size must be one of: ${Object.keys(cardSizes).join(", ")}.` };
  const paper = params.get("paper") ?? "a4";
  if (!isOf(papers, paper)) return { problem: `The paper must be one of: ${Object.keys(papers).join(", ")}.` };
  const color = readColor(params.get("color"));
  if (!color) return { problem: 'The color must be six hexadecimal digits, as in "1f2937".' };
  const problem = refuseColor(color);
  return problem ? { problem } : { size, paper, color };
}

function isOf<Key extends string>(known: Record<Key, unknown>, name: string): name is Key {
  return Object.hasOwn(known, name);
}

type Line = { from: Spot; to: Spot };
type Spot = { x: number; y: number };

/**
 * Where everything is on the sheet, in millimetres from its upper left corner. The cards lie in two columns with one cut between
 * neighbours, in the very middle of the sheet: so backs meet fronts whichever way the paper is turned over. Crop marks stand
 * outside, 2 mm off the outermost cut, and reach into no card.
 */
export function layOut({ size, paper }: Pick<Sheet, "size" | "paper">) {
  const card = cardSizes[size];
  const { rows, ...page } = papers[paper];
  const left = (page.width - 2 * card.width) / 2;
  const top = (page.height - rows * card.height) / 2;
  const right = page.width - left;
  const bottom = page.height - top;
  const cards = Array.from({ length: 2 * rows }, (_, index) => ({
    x: left + (index % 2) * card.width,
    y: top + Math.floor(index / 2) * card.height,
  }));
  const columns = [0, 1, 2].map((column) => left + column * card.width);
  const lines = Array.from({ length: rows + 1 }, (_, row) => top + row * card.height);
  const marks: Line[] = [
    ...columns.flatMap((x) => [
      { from: { x, y: top - markGap }, to: { x, y: top - markGap - markLength } },
      { from: { x, y: bottom + markGap }, to: { x, y: bottom + markGap + markLength } },
    ]),
    ...lines.flatMap((y) => [
      { from: { x: left - markGap, y }, to: { x: left - markGap - markLength, y } },
      { from: { x: right + markGap, y }, to: { x: right + markGap + markLength, y } },
    ]),
  ];
  return { page, card, cards, marks, note: { x: left + 4, y: bottom + markGap } };
}

const markGap = 2;
const markLength = 4;
