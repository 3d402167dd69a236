import { directionOf } from "#app/ui/direction.ts";

import { logoSvg, portraitSvg, textPart } from "./picture-parts.server.ts";
import type { Align, Place } from "./picture-parts.server.ts";

/** What stands on a card when it is drawn; "" is nothing. */
export type CardFace = {
  name: string;
  company: string;
  position: string;
  /** "Product designer · 8 years". */
  work: string;
  email: string;
  phone: string;
};

/** Photo: JPEG. Logo: PNG. */
export type CardPhotos = { avatar: Uint8Array | undefined; logo: Uint8Array | undefined };

export const paperColors = {
  text: "#17181b",
  muted: "#67645c",
  line: "#ddd7c9",
  plate: "#d9d2c3",
  plateText: "#3d3a33",
};

/** The paper card, 91 by 55, as part of a picture. Everything follows from its width. A name from right to left mirrors
 * it. The shadow is for light grounds: on ink nobody sees it, and it doubles the work. */
export async function paperSvg(
  card: CardFace & CardPhotos,
  { x, y, width, hasShadow = false }: Place & { width: number; hasShadow?: boolean },
): Promise<string> {
  const unit = width / 91;
  const height = 55 * unit;
  const pad = 7 * unit;
  const inner = width - 2 * pad;
  const isMirrored = directionOf(card.name) === "rtl";
  const align: Align = isMirrored ? "end" : "start";
  const radius = 6.4 * unit;
  const corner = isMirrored ? x + pad + radius : x + width - pad - radius;
  const beside = inner - 2 * radius - 3 * unit;
  const left = isMirrored ? x + width - pad - beside : x + pad;

  const portrait = await portraitSvg(
    { name: card.name, photo: card.avatar },
    { x: corner, y: y + pad + radius, radius, colors: { plate: paperColors.plate, letters: paperColors.plateText } },
  );
  const firm = await firmSvg(card, { x: left, y: y + pad, width: beside, unit, align });
  const top = Math.max(firm.bottom, y + pad + 2 * radius) + unit;
  const person = await personSvg(card, { x: x + pad, y: top, bottom: y + height - pad, width: inner, unit, align });
  const shadow = hasShadow ? shadowSvg({ x, y, width, height, unit }) : "";
  return shadow + sheetSvg({ x, y, width, height, unit }) + portrait + firm.svg + person;
}

type Sheet = Place & Record<"width" | "height" | "unit", number>;

function sheetSvg({ x, y, width, height, unit }: Sheet): string {
  return (
    `<linearGradient id="paper" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#fbf9f4"/><stop offset="1" stop-color="#f1ede3"/></linearGradient>` +
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${2.4 * unit}" fill="url(#paper)"/>`
  );
}

function shadowSvg({ x, y, width, height, unit }: Sheet): string {
  return (
    `<filter id="soft" x="-20%" y="-20%" width="140%" height="150%"><feGaussianBlur stdDeviation="${1.9 * unit}"/></filter>` +
    `<rect filter="url(#soft)" x="${x}" y="${y + 1.5 * unit}" width="${width}" height="${height}" rx="${2.4 * unit}" fill="#000" fill-opacity=".26"/>`
  );
}

type Box = Place & { width: number; unit: number; align: Align };

/** The logo, the company in small capitals, and under them the position. */
async function firmSvg({ logo, company, position }: CardFace & CardPhotos, { x, y, width, unit, align }: Box) {
  const name = await textPart(company, {
    face: "strong",
    size: 2.75 * unit,
    smallest: 1.9 * unit,
    width,
    lines: 2,
    oneLineDownTo: 0.75,
    color: paperColors.muted,
    tracking: 0.14,
    caps: true,
    lineHeight: 1.35,
    align,
  });
  const title = await textPart(position, {
    face: "text",
    size: 2.9 * unit,
    smallest: 2.2 * unit,
    width,
    lines: 1,
    color: paperColors.muted,
    align,
    lineHeight: 1.5,
  });
  const logoHeight = 8 * unit;
  const logoWidth = Math.min(width, 34 * unit);
  const isMirrored = align === "end";
  const mark = logo
    ? logoSvg(logo, {
        x: isMirrored ? x + width - logoWidth : x,
        y,
        width: logoWidth,
        height: logoHeight,
        align: isMirrored ? "xMax" : "xMin",
      })
    : "";
  const top = y + (logo ? logoHeight + unit : 0);
  const below = top + name.height + 0.3 * unit;
  return { svg: mark + name.at({ x, y: top }) + title.at({ x, y: below }), bottom: below + title.height };
}

/** From the bottom up: how to reach them, a hairline, what they do, who they are. */
async function personSvg(
  card: CardFace,
  { x, y, bottom, width, unit, align }: Box & { bottom: number },
): Promise<string> {
  const { muted, text, line } = paperColors;
  const reach = await reachSvg(card, { x, y: 0, width, unit, align });
  const hasReach = card.email !== "" || card.phone !== "";
  const work = await textPart(card.work, {
    face: "text",
    size: 3.6 * unit,
    smallest: 2.4 * unit,
    width,
    color: muted,
    align,
    lineHeight: 1.35,
  });
  const rule = hasReach ? bottom - reach.height - 2.6 * unit : bottom + 1.4 * unit;
  const workTop = rule - 2.8 * unit - work.height;
  const name = await textPart(card.name, {
    face: "name",
    size: 9.4 * unit,
    smallest: 3.6 * unit,
    width,
    lines: 2,
    height: workTop - 0.5 * unit - y,
    oneLineDownTo: 0.6,
    color: text,
    align,
    lineHeight: 1.16,
    tracking: -0.01,
  });
  const nameTop = workTop - 0.5 * unit - name.height;
  return (
    name.at({ x, y: nameTop }) +
    work.at({ x, y: workTop }) +
    (hasReach
      ? `<rect x="${x}" y="${rule}" width="${width}" height="${0.22 * unit}" fill="${line}"/>` +
        reach.at(bottom - reach.height)
      : "")
  );
}

/** E-mail at the start and phone at the end of one line, or under each other when they are too long for that. */
async function reachSvg({ email, phone }: CardFace, { x, width, unit, align }: Box) {
  const style = {
    face: "text",
    size: 3.1 * unit,
    smallest: 2.2 * unit,
    color: paperColors.muted,
    lineHeight: 1.4,
  } as const;
  const gap = 4 * unit;
  const first = await textPart(email, { ...style, width, align });
  const second = await textPart(phone, { ...style, width, align: align === "end" ? "start" : "end" });
  if (first.width + second.width + gap <= width || !email || !phone) {
    const only = email ? second : await textPart(phone, { ...style, width, align });
    const height = Math.max(first.height, only.height);
    return { height, at: (y: number) => first.at({ x, y }) + only.at({ x, y }) };
  }
  const below = await textPart(phone, { ...style, width, align });
  return {
    height: first.height + below.height,
    at: (y: number) => first.at({ x, y }) + below.at({ x, y: y + first.height }),
  };
}
