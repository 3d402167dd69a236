import { fitText } from "#app/services/fonts-text.server.ts";

import { drawSeal, drawText, inks, points, printScale } from "./print-parts.server.ts";
import type { Doc, DrawCard } from "./print-parts.server.ts";
import { pathOf, qrModules } from "./qr-code.ts";

export type PrintedBack = {
  /** What the code holds: the address with its mark. */
  text: string;
  /** What people read: the address without "https://". */
  address: string;
  hasBranding: boolean;
};

/** The back of a card: the code, the address under it for those who type, and our seal on the Free plan. Sizes in millimetres. */
export async function backOfCard(
  { text, address, hasBranding }: PrintedBack,
  { width, height, color }: { width: number; height: number; color: string },
): Promise<DrawCard> {
  const code = pathOf(qrModules(text));
  const words = await fitText(address, {
    face: "text",
    size: 7.5,
    smallest: 4.5,
    width: points(width - 12),
    color: "#525252",
    scale: printScale,
    lines: 2,
    oneLineDownTo: 0.6,
  });
  // With its quiet zone, of which the lowest part may lie under the address: all of it is white.
  const side = points(34);
  const top = (points(height) - side - words.height + points(1)) / 2;
  return (doc, { x, y }) => {
    drawCode(doc, code, { x: x + (points(width) - side) / 2, y: y + top, side, color });
    const below = y + top + side - points(1);
    drawText(doc, words, { x: x + points(6), y: below, ink: inks.muted, width: points(width - 12), align: "middle" });
    const sealSide = points(4.5);
    if (hasBranding) drawSeal(doc, { x: x + points(width - 6) - sealSide, y: y + points(6), side: sealSide });
  };
}

/** In black ink alone unless another colour was chosen. Runs of modules overlap by a hair, or viewers show light lines between them. */
function drawCode(
  doc: Doc,
  { size, d }: { size: number; d: string },
  { x, y, side, color }: { x: number; y: number; side: number; color: string },
) {
  const ink = color === "#000000" ? inks.text : color;
  doc
    .save()
    .translate(x, y)
    .scale(side / size);
  doc.path(d).lineWidth(1.02).lineCap("butt").stroke(ink);
  doc.restore();
}
