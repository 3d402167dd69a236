import { buffer } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";

import { fitText } from "#app/services/images/fit-text.server.ts";

import { prepareBack, prepareFront } from "./print-card.server.ts";
import type { PrintedBack, PrintedFront } from "./print-card.server.ts";
import { drawText, toPoints } from "./print-drawing.server.ts";
import { cardSizes, countRows, papers } from "./print-rules.ts";
import type { PrintSheetOptions } from "./print-rules.ts";

/**
 * A PDF of two pages, fronts and backs, to print on both sides and cut. The stock is white, so there is no bleed, and neighbors share
 * one cut. Text is in black ink with embedded fonts; the QR code is a vector drawing.
 */
export async function printSheet(
  { front, back }: { front: PrintedFront; back: PrintedBack },
  sheet: PrintSheetOptions,
): Promise<Buffer> {
  const { page, card, cards, marks, note } = layOutSheet(sheet);
  const drawFront = await prepareFront(front, card);
  const drawBack = await prepareBack(back, { ...card, color: sheet.color });
  const { default: PdfDocument } = await import("pdfkit");
  const doc = new PdfDocument({
    size: [toPoints(page.width), toPoints(page.height)],
    margin: 0,
    autoFirstPage: false,
    info: { Title: `Business cards for ${front.name}`, Creator: "Meishi" },
    lang: "en",
    displayTitle: true,
  });
  const file = buffer(doc);
  for (const { draw, hint } of [
    {
      draw: drawFront,
      hint: "Front. Print double-sided at 100%, flip on the long edge, and cut along the marks.",
    },
    { draw: drawBack, hint: "Back." },
  ]) {
    doc.addPage();
    for (const corner of cards) {
      draw(doc, { x: toPoints(corner.x), y: toPoints(corner.y) });
      // Drawing a card takes milliseconds: yields to other requests after each.
      await nextTurn();
    }
    doc.lineWidth(0.25).strokeColor(registrationInk);
    for (const { from, to } of marks) {
      doc.moveTo(toPoints(from.x), toPoints(from.y)).lineTo(toPoints(to.x), toPoints(to.y)).stroke();
    }
    const hintText = await fitText(hint, {
      face: "text",
      size: 5.5,
      width: toPoints(card.width - 8),
      color: "#000000",
    });
    drawText(doc, hintText, { x: toPoints(note.x), y: toPoints(note.y), ink: [0, 0, 0, 55] });
  }
  doc.end();
  return file;
}

/** Crop marks are printed with every ink, so that they appear on each plate. */
const registrationInk: [number, number, number, number] = [100, 100, 100, 100];

type CropMark = { from: SheetPoint; to: SheetPoint };
type SheetPoint = { x: number; y: number };

/**
 * The positions of cards and crop marks, in millimeters from the upper left corner. Two columns of cards with one cut between neighbors
 * are centered on the sheet, so that backs meet fronts on whichever edge the paper is turned over. Crop marks are 2 mm outside the
 * outermost cuts.
 */
export function layOutSheet({ size, paper }: Pick<PrintSheetOptions, "size" | "paper">) {
  const card = cardSizes[size];
  const page = papers[paper];
  const rows = countRows({ size, paper });
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
  const marks: CropMark[] = [
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
