import { fitText } from "#app/services/fonts-text.server.ts";
import type { FittedText, TextStyle } from "#app/services/fonts-text.server.ts";
import { directionOf } from "#app/ui/direction.ts";

import type { CardFace } from "./paper-picture.server.ts";
import type { Align } from "./picture-parts.server.ts";
import { drawText, inks, points, printScale } from "./print-parts.server.ts";
import type { Doc, DrawCard, Ink } from "./print-parts.server.ts";

/** Logo: PNG. */
export type PrintedFront = CardFace & { logo: Uint8Array | undefined };

/** From the cut to the first ink: what moves while it is cut must not take a letter along. In millimetres. */
const margin = 6;

/** The front of a card, `size` in millimetres: everything is measured once, then drawn as often as it is wanted. */
export async function frontOfCard(face: PrintedFront, size: { width: number; height: number }): Promise<DrawCard> {
  const isMirrored = directionOf(face.name) === "rtl";
  const align: Align = isMirrored ? "end" : "start";
  const width = points(size.width - 2 * margin);
  const set = await setWords(face, { width, room: points(size.height - 2 * margin) });
  const logo = face.logo && `data:image/png;base64,${Buffer.from(face.logo).toString("base64")}`;
  const logoSize = { width: points(38), height: points(9) };

  return (doc, place) => {
    const x = place.x + points(margin);
    let y = place.y + points(margin);
    const words = (text: FittedText, top: number, ink: Ink = inks.muted) =>
      drawText(doc, text, { x, y: top, ink, width, align });
    if (logo) {
      const left = isMirrored ? x + width - logoSize.width : x;
      doc.image(logo, left, y, {
        fit: [logoSize.width, logoSize.height],
        align: isMirrored ? "right" : undefined,
        valign: undefined,
      });
      y += logoSize.height + points(1);
    }
    words(set.company, y);
    words(set.position, y + set.company.height);

    let bottom = place.y + points(size.height - margin);
    bottom = drawReach(doc, set.reach, { x, bottom, width, isMirrored });
    words(set.work, bottom - set.work.height);
    words(set.name, bottom - set.work.height - points(0.6) - set.name.height, inks.text);
  };
}

type Reach = { email: FittedText; phone: FittedText; isOneLine: boolean };

async function setWords(face: PrintedFront, { width, room }: { width: number; room: number }) {
  const style = { face: "text", width, color: "#525252", scale: printScale } as const;
  const set = (text: string, more: Partial<TextStyle>) => fitText(text, { ...style, size: 8, ...more });
  const company = await set(face.company, {
    face: "strong",
    size: 7,
    smallest: 5,
    lines: 2,
    oneLineDownTo: 0.75,
    // Wider, and programs that read the file take each letter for a word.
    tracking: 0.08,
    caps: true,
    lineHeight: 1.35,
  });
  const position = await set(face.position, { size: 7.5, smallest: 6, lineHeight: 1.5 });
  const work = await set(face.work, { size: 9, smallest: 6.5, lines: 2, oneLineDownTo: 0.8, lineHeight: 1.3 });
  const reach = await setReach(face, { width, set });
  const taken =
    (face.logo ? points(10) : 0) + company.height + position.height + work.height + heightOf(reach) + points(5);
  const name = await set(face.name, {
    face: "name",
    color: "#000000",
    size: 21,
    smallest: 9,
    lines: 2,
    height: Math.max(points(5), room - taken),
    oneLineDownTo: 0.6,
    tracking: -0.01,
    lineHeight: 1.16,
  });
  return { company, position, work, name, reach };
}

async function setReach(
  { email, phone }: PrintedFront,
  { width, set }: { width: number; set: (text: string, more: Partial<TextStyle>) => Promise<FittedText> },
): Promise<Reach> {
  // An address that was cut short is none: rather very small, or in two lines.
  const style = { size: 7.5, smallest: 5, lines: 2, oneLineDownTo: 0.66, lineHeight: 1.4 };
  const first = await set(email, style);
  const second = await set(phone, style);
  return { email: first, phone: second, isOneLine: first.width + second.width + points(4) <= width };
}

function heightOf({ email, phone, isOneLine }: Reach): number {
  return isOneLine ? Math.max(email.height, phone.height) : email.height + phone.height;
}

/** Draws how to reach them above `bottom`, with a hairline over it; the height at which the words above it end. */
function drawReach(
  doc: Doc,
  reach: Reach,
  { x, bottom, width, isMirrored }: { x: number; bottom: number; width: number; isMirrored: boolean },
): number {
  const { email, phone, isOneLine } = reach;
  const height = heightOf(reach);
  if (height === 0) return bottom;
  const [start, end]: Align[] = isMirrored ? ["end", "start"] : ["start", "end"];
  const top = bottom - height;
  const phoneSide = isOneLine && email.width > 0 ? end : start;
  drawText(doc, email, { x, y: top, ink: inks.muted, width, align: start ?? "start" });
  drawText(doc, phone, {
    x,
    y: isOneLine ? top : top + email.height,
    ink: inks.muted,
    width,
    align: phoneSide ?? "start",
  });
  const rule = top - points(1.8);
  doc
    .lineWidth(0.4)
    .strokeColor(inks.line)
    .moveTo(x, rule)
    .lineTo(x + width, rule)
    .stroke();
  return rule - points(1.8);
}
