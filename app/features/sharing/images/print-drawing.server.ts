import { runWidth } from "#app/services/images/text-outlines.server.ts";
import type { FittedText } from "#app/services/images/fit-text.server.ts";

import type { Align } from "#app/features/drawing/svg-parts.server.ts";
import { sealDrawing } from "#app/features/shell/seal-drawing.ts";

/** Cyan, magenta, yellow and black in percent. Text is in black ink alone, which stays sharp when the inks are misaligned. */
export type Ink = [number, number, number, number];

export const inks = { text: [0, 0, 0, 100], muted: [0, 0, 0, 68], line: [0, 0, 0, 20] } satisfies Record<string, Ink>;

export type PdfDoc = PDFKit.PDFDocument;

/** Draws one card with its upper left corner at a position, in points. */
export type DrawCard = (doc: PdfDoc, corner: { x: number; y: number }) => void;

/** Millimeters to PostScript points. */
export const toPoints = (millimeters: number) => (millimeters / 25.4) * 72;

/** Pixels per point at 600 dpi, for texts that have to be drawn as images. */
export const printScale = 600 / 72;

type TextPosition = { x: number; y: number; ink: Ink | string; width?: number; align?: Align };

/** Draws text in our fonts as text, and other text as an image. `y` is its upper edge; it is aligned within `width`. */
export function drawText(doc: PdfDoc, fitted: FittedText, { x, y, ink, width = 0, align = "start" }: TextPosition) {
  const share = { start: 0, middle: 0.5, end: 1 }[align];
  if (fitted.kind === "empty") return;
  if (fitted.kind === "image") {
    // As a data URL: PDFKit embeds the same URL only once.
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
      start += runWidth(run, line.tracking) * size;
    }
  }
}

export function drawSeal(doc: PdfDoc, { x, y, side }: { x: number; y: number; side: number }) {
  const { red, paper, letter, radius, stroke } = sealDrawing;
  doc
    .save()
    .translate(x, y)
    .scale(side / sealDrawing.side);
  doc.roundedRect(0, 0, sealDrawing.side, sealDrawing.side, radius).fill(red);
  doc.path(letter).lineWidth(stroke).lineCap("round").lineJoin("round").stroke(paper);
  doc.restore();
}
