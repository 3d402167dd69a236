import { modulesPath, qrModules } from "#app/features/drawing/qr-code.ts";
import { drawableName, fitText } from "#app/services/images/fit-text.server.ts";
import type { FittedText, TextStyle } from "#app/services/images/fit-text.server.ts";
import { textDirection } from "#app/ui/components/characters.ts";

import type { BusinessCardLayout } from "#app/features/drawing/business-card-style.ts";
import type { BusinessCardText } from "#app/features/drawing/business-card-svg.server.ts";
import { drawSeal, drawText, inks, printScale, toPoints } from "./print-drawing.server.ts";
import type { DrawCard, Ink, PdfDoc } from "./print-drawing.server.ts";
import type { Align } from "#app/features/drawing/svg-parts.server.ts";

/** The logo is a PNG, the avatar a JPEG. `brand` is the color of the company's name; without one it is gray. */
export type PrintedFront = BusinessCardText & {
  logo: Uint8Array | undefined;
  avatar?: Uint8Array | undefined;
  layout?: BusinessCardLayout;
  brand?: string | undefined;
};

/** From the cut to the first ink: paper that shifts while it is cut must not lose a letter. */
const marginMm = 6;

/** The front of a card, `size` in millimeters: measures everything once, so that it can be drawn repeatedly. */
export async function prepareFront(front: PrintedFront, size: { width: number; height: number }): Promise<DrawCard> {
  const face = { ...front, name: await drawableName(front.name, front.handle) };
  const isMirrored = textDirection(face.name) === "rtl";
  // Within the margins.
  const full = { width: toPoints(size.width - 2 * marginMm), height: toPoints(size.height - 2 * marginMm) };
  const photo = photoArea(face, { ...full, isMirrored });
  const isCentered = face.layout === "centered";
  const align: Align = isCentered ? "middle" : isMirrored ? "end" : "start";
  const beside = photo && !isCentered ? photo.width + toPoints(4) : 0;
  const above = photo && isCentered ? photo.height + toPoints(1) : 0;
  const width = full.width - beside;
  const logoSize = { width: toPoints(38), height: toPoints(isCentered ? 6 : 9) };
  const logo = face.logo && `data:image/png;base64,${Buffer.from(face.logo).toString("base64")}`;
  const taken = above + (logo ? logoSize.height + toPoints(1) : 0);
  const set = await fitTexts(face, { width, room: full.height - taken, align });

  return (doc, corner) => {
    const start = { x: corner.x + toPoints(marginMm), y: corner.y + toPoints(marginMm) };
    const x = start.x + (isMirrored ? beside : 0);
    let y = start.y + above;
    const draw = (text: FittedText, top: number, ink: Ink | string = inks.muted) =>
      drawText(doc, text, { x, y: top, ink, width, align });
    if (photo) drawPhoto(doc, photo, { x: start.x + photo.x, y: start.y });
    if (logo) {
      const left = x + (width - logoSize.width) * { start: 0, middle: 0.5, end: 1 }[align];
      doc.image(logo, left, y, {
        fit: [logoSize.width, logoSize.height],
        align: ({ start: undefined, middle: "center", end: "right" } as const)[align],
        valign: undefined,
      });
      y += logoSize.height + toPoints(1);
    }
    draw(set.company, y, face.brand);
    draw(set.position, y + set.company.height);

    let bottom = start.y + full.height;
    bottom = drawContactMethods(doc, set.contactMethods, { x, bottom, width, align });
    draw(set.work, bottom - set.work.height);
    draw(set.name, bottom - set.work.height - toPoints(0.6) - set.name.height, inks.text);
  };
}

type PrintedPhoto = { source: string; x: number; width: number; height: number; radius: number };

/**
 * The photo of the layouts that show it large, within the margins: there is no bleed. The classic layout prints none, and neither does a
 * card without an avatar.
 */
function photoArea(
  { avatar, layout }: PrintedFront,
  { width, height, isMirrored }: { width: number; height: number; isMirrored: boolean },
): PrintedPhoto | undefined {
  if (!avatar || layout === undefined || layout === "classic") return undefined;
  const source = `data:image/jpeg;base64,${Buffer.from(avatar).toString("base64")}`;
  if (layout === "centered") {
    const side = toPoints(11);
    return { source, x: (width - side) / 2, width: side, height: side, radius: side / 2 };
  }
  const side = 0.34 * width;
  return { source, x: isMirrored ? 0 : width - side, width: side, height, radius: toPoints(1.5) };
}

function drawPhoto(doc: PdfDoc, { source, width, height, radius }: PrintedPhoto, { x, y }: { x: number; y: number }) {
  doc.save();
  doc.roundedRect(x, y, width, height, radius).clip();
  doc.image(source, x, y, { cover: [width, height], align: "center", valign: "center" });
  doc.restore();
}

/** `both` is the one line of the centered layout. */
type PrintedContactMethods = { email: FittedText; phone: FittedText; isOneLine: boolean; both: FittedText | undefined };

async function fitTexts(face: PrintedFront, { width, room, align }: { width: number; room: number; align: Align }) {
  const style = { face: "text", width, color: "#525252", scale: printScale } as const;
  const set = (text: string, more: Partial<TextStyle>) => fitText(text, { ...style, size: 8, ...more });
  // In the centered layout a logo stands for the name of the company.
  const company = await set(align === "middle" && face.logo ? "" : face.company, {
    face: "strong",
    ...(face.brand && { color: face.brand }),
    size: 7,
    smallest: 5,
    lines: align === "middle" ? 1 : 2,
    oneLineDownTo: 0.75,
    // With a wider tracking, PDF readers take each letter for a word.
    tracking: 0.08,
    caps: true,
    lineHeight: 1.35,
  });
  const position = await set(face.position, { size: 7.5, smallest: 6, lineHeight: 1.5 });
  const work = await set(face.work, { size: 9, smallest: 6.5, lines: 2, oneLineDownTo: 0.8, lineHeight: 1.3 });
  const contactMethods = await fitContactMethods(face, { width, align, set });
  const taken = company.height + position.height + work.height + heightOfContactMethods(contactMethods) + toPoints(5);
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
  {
    width,
    align,
    set,
  }: { width: number; align: Align; set: (text: string, more: Partial<TextStyle>) => Promise<FittedText> },
): Promise<PrintedContactMethods> {
  // Never cut short: an incomplete email address is useless. Very small or two lines are better.
  const style = { size: 7.5, smallest: 5, lines: 2, oneLineDownTo: 0.66, lineHeight: 1.4 };
  const first = await set(email, style);
  const second = await set(phone, style);
  const isOneLine = first.width + second.width + toPoints(4) <= width;
  const both = [email, phone].filter(Boolean).join("  ·  ");
  const isJoined = isOneLine && align === "middle";
  return { email: first, phone: second, isOneLine, both: isJoined ? await set(both, style) : undefined };
}

function heightOfContactMethods({ email, phone, isOneLine, both }: PrintedContactMethods): number {
  if (both) return both.height;
  return isOneLine ? Math.max(email.height, phone.height) : email.height + phone.height;
}

/** Draws the contact methods above `bottom`, with a hairline over them; returns where the texts above must end. */
function drawContactMethods(
  doc: PdfDoc,
  contactMethods: PrintedContactMethods,
  { x, bottom, width, align }: { x: number; bottom: number; width: number; align: Align },
): number {
  const { email, phone, isOneLine, both } = contactMethods;
  const height = heightOfContactMethods(contactMethods);
  if (height === 0) return bottom;
  const opposite = ({ start: "end", middle: "middle", end: "start" } as const)[align];
  const top = bottom - height;
  const phoneSide = isOneLine && email.width > 0 ? opposite : align;
  const draw = (text: FittedText, y: number, side: Align) =>
    drawText(doc, text, { x, y, ink: inks.muted, width, align: side });
  if (both) draw(both, top, align);
  else {
    draw(email, top, align);
    draw(phone, isOneLine ? top : top + email.height, phoneSide);
  }
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
