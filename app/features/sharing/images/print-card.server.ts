import { modulesPath, qrModules } from "#app/features/drawing/qr-code.ts";
import { drawableName, fitText } from "#app/services/images/fit-text.server.ts";
import type { FittedText, TextStyle } from "#app/services/images/fit-text.server.ts";
import { textDirection } from "#app/ui/components/characters.ts";

import type { BusinessCardText } from "#app/features/drawing/business-card-svg.server.ts";
import { drawSeal, drawText, inks, printScale, toPoints } from "./print-drawing.server.ts";
import type { DrawCard, Ink, PdfDoc } from "./print-drawing.server.ts";
import type { Align } from "#app/features/drawing/svg-parts.server.ts";

/** The logo is a PNG. */
export type PrintedFront = BusinessCardText & { logo: Uint8Array | undefined };

/** From the cut to the first ink: paper that shifts while it is cut must not lose a letter. */
const marginMm = 6;

/** The front of a card, `size` in millimeters: measures everything once, so that it can be drawn repeatedly. */
export async function prepareFront(front: PrintedFront, size: { width: number; height: number }): Promise<DrawCard> {
  const face = { ...front, name: await drawableName(front.name, front.handle) };
  const isMirrored = textDirection(face.name) === "rtl";
  const align: Align = isMirrored ? "end" : "start";
  const width = toPoints(size.width - 2 * marginMm);
  const set = await fitTexts(face, { width, room: toPoints(size.height - 2 * marginMm) });
  const logo = face.logo && `data:image/png;base64,${Buffer.from(face.logo).toString("base64")}`;
  const logoSize = { width: toPoints(38), height: toPoints(9) };

  return (doc, place) => {
    const x = place.x + toPoints(marginMm);
    let y = place.y + toPoints(marginMm);
    const draw = (text: FittedText, top: number, ink: Ink = inks.muted) =>
      drawText(doc, text, { x, y: top, ink, width, align });
    if (logo) {
      const left = isMirrored ? x + width - logoSize.width : x;
      doc.image(logo, left, y, {
        fit: [logoSize.width, logoSize.height],
        align: isMirrored ? "right" : undefined,
        valign: undefined,
      });
      y += logoSize.height + toPoints(1);
    }
    draw(set.company, y);
    draw(set.position, y + set.company.height);

    let bottom = place.y + toPoints(size.height - marginMm);
    bottom = drawContactMethods(doc, set.contactMethods, { x, bottom, width, isMirrored });
    draw(set.work, bottom - set.work.height);
    draw(set.name, bottom - set.work.height - toPoints(0.6) - set.name.height, inks.text);
  };
}

type PrintedContactMethods = { email: FittedText; phone: FittedText; isOneLine: boolean };

async function fitTexts(face: PrintedFront, { width, room }: { width: number; room: number }) {
  const style = { face: "text", width, color: "#525252", scale: printScale } as const;
  const set = (text: string, more: Partial<TextStyle>) => fitText(text, { ...style, size: 8, ...more });
  const company = await set(face.company, {
    face: "strong",
    size: 7,
    smallest: 5,
    lines: 2,
    oneLineDownTo: 0.75,
    // With a wider tracking, PDF readers take each letter for a word.
    tracking: 0.08,
    caps: true,
    lineHeight: 1.35,
  });
  const position = await set(face.position, { size: 7.5, smallest: 6, lineHeight: 1.5 });
  const work = await set(face.work, { size: 9, smallest: 6.5, lines: 2, oneLineDownTo: 0.8, lineHeight: 1.3 });
  const contactMethods = await fitContactMethods(face, { width, set });
  const taken =
    (face.logo ? toPoints(10) : 0) +
    company.height +
    position.height +
    work.height +
    heightOfContactMethods(contactMethods) +
    toPoints(5);
  const name = await set(face.name, {
    face: "name",
    color: "#000000",
    size: 21,
    smallest: 9,
    lines: 2,
    height: Math.max(toPoints(5), room - taken),
    oneLineDownTo: 0.6,
    tracking: -0.01,
    lineHeight: 1.16,
  });
  return { company, position, work, name, contactMethods };
}

async function fitContactMethods(
  { email, phone }: PrintedFront,
  { width, set }: { width: number; set: (text: string, more: Partial<TextStyle>) => Promise<FittedText> },
): Promise<PrintedContactMethods> {
  // Never cut short: an incomplete email address is useless. Very small or two lines are better.
  const style = { size: 7.5, smallest: 5, lines: 2, oneLineDownTo: 0.66, lineHeight: 1.4 };
  const first = await set(email, style);
  const second = await set(phone, style);
  return { email: first, phone: second, isOneLine: first.width + second.width + toPoints(4) <= width };
}

function heightOfContactMethods({ email, phone, isOneLine }: PrintedContactMethods): number {
  return isOneLine ? Math.max(email.height, phone.height) : email.height + phone.height;
}

/** Draws the contact methods above `bottom`, with a hairline over them; returns where the texts above must end. */
function drawContactMethods(
  doc: PdfDoc,
  contactMethods: PrintedContactMethods,
  { x, bottom, width, isMirrored }: { x: number; bottom: number; width: number; isMirrored: boolean },
): number {
  const { email, phone, isOneLine } = contactMethods;
  const height = heightOfContactMethods(contactMethods);
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
  const rule = top - toPoints(1.8);
  doc
    .lineWidth(0.4)
    .strokeColor(inks.line)
    .moveTo(x, rule)
    .lineTo(x + width, rule)
    .stroke();
  return rule - toPoints(1.8);
}

export type PrintedBack = {
  /** The content of the QR code: the URL with its source mark. */
  text: string;
  /** The URL without "https://", for people to read. */
  address: string;
  hasBranding: boolean;
};

/** The back of a card: the QR code, the URL below it, and our seal on the Free plan. Sizes in millimeters. */
export async function prepareBack(
  { text, address, hasBranding }: PrintedBack,
  { width, height, color }: { width: number; height: number; color: string },
): Promise<DrawCard> {
  const code = modulesPath(qrModules(text));
  const urlText = await fitText(address, {
    face: "text",
    size: 7.5,
    smallest: 4.5,
    width: toPoints(width - 12),
    color: "#525252",
    scale: printScale,
    lines: 2,
    oneLineDownTo: 0.6,
  });
  // Including the quiet zone, whose lower edge may overlap the URL: both are on white.
  const side = toPoints(34);
  const top = (toPoints(height) - side - urlText.height + toPoints(1)) / 2;
  return (doc, { x, y }) => {
    drawCode(doc, code, { x: x + (toPoints(width) - side) / 2, y: y + top, side, color });
    const below = y + top + side - toPoints(1);
    drawText(doc, urlText, {
      x: x + toPoints(6),
      y: below,
      ink: inks.muted,
      width: toPoints(width - 12),
      align: "middle",
    });
    const sealSide = toPoints(4.5);
    if (hasBranding) drawSeal(doc, { x: x + toPoints(width - 6) - sealSide, y: y + toPoints(6), side: sealSide });
  };
}

/** Black ink alone unless another color was chosen. Runs of modules overlap slightly, because viewers would show light lines between them. */
function drawCode(
  doc: PdfDoc,
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
