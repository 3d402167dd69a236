import { outlineWidth } from "#app/services/fonts-line.server.ts";
import type { FittedText } from "#app/services/fonts-text.server.ts";

import type { Align } from "./picture-parts.server.ts";
import { sealDrawing } from "./seal-drawing.ts";

/** Cyan, magenta, yellow and black in percent. Text is black ink alone: it stays sharp when the inks are not quite aligned. */
export type Ink = [number, number, number, number];

export const inks = { text: [0, 0, 0, 100], muted: [0, 0, 0, 68], line: [0, 0, 0, 20] } satisfies Record<string, Ink>;

export type Doc = PDFKit.PDFDocument;

/** Draws one card with its upper left corner at a place, in points. */
export type DrawCard = (doc: Doc, place: { x: number; y: number }) => void;

/** Millimetres in PostScript points. */
export const points = (millimetres: number) => (millimetres / 25.4) * 72;

/** Pixels a point, at 600 dots an inch: for words that have to be drawn as a picture. */
export const printScale = 600 / 72;

type Setting = { x: number; y: number; ink: Ink; width?: number; align?: Align };

/** Text in our fonts as text, else as a picture. `y` is its upper edge; `align` stands in `width`. */
export function drawText(doc: Doc, fitted: FittedText, { x, y, ink, width = 0, align = "start" }: Setting) {
  const share = { start: 0, middle: 0.5, end: 1 }[align];
  if (fitted.kind === "nothing") return;
  if (fitted.kind === "picture") {
    // As an address of itself: the document then holds it once, however often it is drawn.
    const source = `data:image/png;base64,${fitted.png.toString("base64")}`;
    doc.image(source, x + (width - fitted.width) * share, y, { width: fitted.width });
    return;
  }
  const { lines, size, height } = fitted;
  const step = height / lines.length;
  for (const [index, line] of lines.entries()) {
    let start = x + (width - line.width * size) * share;
    const baseline = y + step * (index + 0.5) + 0.36 * size;
    for (const run of line.runs) {
      doc
        .font(run.file)
        .fontSize(size)
        .fillColor(ink)
        .text(run.text, start, baseline, {
          lineBreak: false,
          baseline: "alphabetic",
          characterSpacing: line.tracking * size,
        });
      start += outlineWidth(run, line.tracking) * size;
    }
  }
}

export function drawSeal(doc: Doc, { x, y, side }: { x: number; y: number; side: number }) {
  const { red, paper, letter, radius, stroke } = sealDrawing;
  doc
    .save()
    .translate(x, y)
    .scale(side / sealDrawing.side);
  doc.roundedRect(0, 0, sealDrawing.side, sealDrawing.side, radius).fill(red);
  doc.path(letter).lineWidth(stroke).lineCap("round").lineJoin("round").stroke(paper);
  doc.restore();
}
