import { buffer } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";

import PdfDocument from "pdfkit";

import { fitText } from "#app/services/fonts-text.server.ts";

import { backOfCard } from "./print-back.server.ts";
import type { PrintedBack } from "./print-back.server.ts";
import { frontOfCard } from "./print-front.server.ts";
import type { PrintedFront } from "./print-front.server.ts";
import { drawText, points } from "./print-parts.server.ts";
import { layOut } from "./print-sheet.ts";
import type { Sheet } from "./print-sheet.ts";

/**
 * A PDF of two pages, fronts and backs, to print on both sides and cut. On white stock nothing runs over an edge, so there is no
 * bleed, and neighbours share one cut. Text is text (black ink alone, fonts inside), the code is a drawing.
 */
export async function printSheet(
  { front, back }: { front: PrintedFront; back: PrintedBack },
  sheet: Sheet,
): Promise<Buffer> {
  const { page, card, cards, marks, note } = layOut(sheet);
  const drawFront = await frontOfCard(front, card);
  const drawBack = await backOfCard(back, { ...card, color: sheet.color });
  const doc = new PdfDocument({
    size: [points(page.width), points(page.height)],
    margin: 0,
    autoFirstPage: false,
    info: { Title: `Business cards of ${front.name}`, Creator: "Meishi" },
    lang: "en",
    displayTitle: true,
  });
  const file = buffer(doc);
  for (const { draw, words } of [
    {
      draw: drawFront,
      words: "Front. Print at 100 %, on both sides, turned over on the long edge. Cut along the marks.",
    },
    { draw: drawBack, words: "Back." },
  ]) {
    doc.addPage();
    for (const place of cards) {
      draw(doc, { x: points(place.x), y: points(place.y) });
      // Setting a card takes milliseconds: others have their turn between two.
      await nextTurn();
    }
    doc.lineWidth(0.25).strokeColor(registration);
    for (const { from, to } of marks) {
      doc.moveTo(points(from.x), points(from.y)).lineTo(points(to.x), points(to.y)).stroke();
    }
    const hint = await fitText(words, { face: "text", size: 5.5, width: points(card.width - 8), color: "#000000" });
    drawText(doc, hint, { x: points(note.x), y: points(note.y), ink: [0, 0, 0, 55] });
  }
  doc.end();
  return file;
}

/** Marks are printed with every ink, so that they show on each plate. */
const registration: [number, number, number, number] = [100, 100, 100, 100];
