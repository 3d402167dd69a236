import { drawableName } from "#app/services/images/fit-text.server.ts";
import { textDirection } from "#app/ui/components/characters.ts";

import { plainCardColors } from "./business-card-style.ts";
import type { BusinessCardColors, BusinessCardLayout } from "./business-card-style.ts";
import { coverSvg, logoSvg, portraitSvg, textPart } from "./svg-parts.server.ts";
import type { Align, SvgPoint } from "./svg-parts.server.ts";

/** The texts on a drawn card; "" for a missing one. */
export type BusinessCardText = {
  name: string;
  /** Drawn when no font has the letters of the name. */
  handle?: string;
  company: string;
  position: string;
  /** "Product designer · 8 years". */
  work: string;
  email: string;
  phone: string;
};

/** The avatar as a JPEG, the logo as a PNG. */
export type BusinessCardImages = { avatar: Uint8Array | undefined; logo: Uint8Array | undefined };

type DrawnCard = BusinessCardText & BusinessCardImages & { colors?: BusinessCardColors; layout?: BusinessCardLayout };

/**
 * A business card with the proportions 91 to 55, as part of an SVG; all sizes follow from its width. A right-to-left name mirrors it. The
 * shadow is for light backgrounds: on dark ones it is invisible, and it doubles the rendering time.
 */
export async function businessCardSvg(
  card: DrawnCard,
  { x, y, width, hasShadow = false }: SvgPoint & { width: number; hasShadow?: boolean },
): Promise<string> {
  const unit = width / 91;
  const box = { x, y, width, height: 55 * unit, unit };
  const drawable = { ...card, name: await drawableName(card.name, card.handle) };
  const { colors = plainCardColors } = card;
  const { portrait, align, text, top } = await layouts[card.layout ?? "classic"](drawable, { ...box, colors });
  const company = await companySvg(drawable, { ...text.company, unit, align, colors });
  const person = await personSvg(drawable, {
    ...text.person,
    y: Math.max(company.bottom, top) + unit,
    unit,
    align,
    colors,
  });
  return (hasShadow ? shadowSvg(box) : "") + paperSvg(box, colors) + portrait + company.svg + person;
}

/** The portrait, where the company and the person are written, and where the person may start. */
type CardAreas = {
  portrait: string;
  align: Align;
  text: { company: SvgPoint & { width: number }; person: { x: number; width: number; bottom: number } };
  top: number;
};

const layouts: Record<BusinessCardLayout, (card: DrawnCard, box: ColoredBox) => Promise<CardAreas>> = {
  /** The portrait in the upper corner, the company beside it. */
  classic: async (card, { x, y, width, height, unit, colors }) => {
    const isMirrored = textDirection(card.name) === "rtl";
    const pad = 7 * unit;
    const radius = 6.4 * unit;
    const beside = width - 2 * pad - 2 * radius - 3 * unit;
    const corner = isMirrored ? x + pad + radius : x + width - pad - radius;
    const circle = { x: corner, y: y + pad + radius, radius };
    return {
      portrait: await portraitSvg(portraitOf(card), { ...circle, colors: lettersOf(colors) }),
      align: isMirrored ? "end" : "start",
      text: {
        company: { x: isMirrored ? x + width - pad - beside : x + pad, y: y + pad, width: beside },
        person: { x: x + pad, width: width - 2 * pad, bottom: y + height - pad },
      },
      top: y + pad + 2 * radius,
    };
  },
  /** The portrait above the texts. */
  centered: async (card, { x, y, width, height, unit, colors }) => {
    const pad = 5 * unit;
    const radius = 5.4 * unit;
    const circle = { x: x + width / 2, y: y + pad + radius, radius };
    const inner = { x: x + pad, width: width - 2 * pad };
    const top = y + pad + 2 * radius + unit;
    return {
      portrait: await portraitSvg(portraitOf(card), { ...circle, colors: lettersOf(colors) }),
      align: "middle",
      text: { company: { ...inner, y: top }, person: { ...inner, bottom: y + height - pad } },
      top,
    };
  },
  /** The portrait over one side, the texts beside it. */
  cover: async (card, { x, y, width, height, unit, colors }) => {
    const isMirrored = textDirection(card.name) === "rtl";
    const pad = 6 * unit;
    const side = { x: isMirrored ? x : x + 0.62 * width, y, width: 0.38 * width, height };
    const box = { x, y, width, height, radius: cornerUnits * unit };
    const beside = { x: isMirrored ? x + side.width + 5 * unit : x + pad, width: 0.62 * width - pad - 5 * unit };
    return {
      portrait: await coverSvg(portraitOf(card), { box, side, colors: lettersOf(colors) }),
      align: isMirrored ? "end" : "start",
      text: { company: { ...beside, y: y + pad }, person: { ...beside, bottom: y + height - pad } },
      top: y + pad,
    };
  },
};

const portraitOf = ({ name, avatar }: DrawnCard) => ({ name, photo: avatar });
const lettersOf = ({ avatar, avatarText }: BusinessCardColors) => ({ background: avatar, letters: avatarText });

type ColoredBox = CardBox & { colors: BusinessCardColors };
type CardBox = SvgPoint & Record<"width" | "height" | "unit", number>;

const cornerUnits = 2.4;

function paperSvg({ x, y, width, height, unit }: CardBox, { paper, line }: BusinessCardColors): string {
  const [start, end] = paper;
  // Only light paper stands out from every background.
  const edge = start === plainCardColors.paper[0] ? "" : ` stroke="${line}" stroke-width="${0.22 * unit}"`;
  return (
    `<linearGradient id="paper" x1="0" y1="0" x2="1" y2="1"><stop stop-color="${start}"/><stop offset="1" stop-color="${end}"/></linearGradient>` +
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${cornerUnits * unit}" fill="url(#paper)"${edge}/>`
  );
}

function shadowSvg({ x, y, width, height, unit }: CardBox): string {
  return (
    `<filter id="soft" x="-20%" y="-20%" width="140%" height="150%"><feGaussianBlur stdDeviation="${1.9 * unit}"/></filter>` +
    `<rect filter="url(#soft)" x="${x}" y="${y + 1.5 * unit}" width="${width}" height="${height}" rx="${cornerUnits * unit}" fill="#000" fill-opacity=".26"/>`
  );
}

type TextBox = SvgPoint & { width: number; unit: number; align: Align; colors: BusinessCardColors };

/** The logo, the company in capitals, and the position below them. In the centered layout a logo stands for the name of the company. */
async function companySvg(
  { logo, company, position }: BusinessCardText & BusinessCardImages,
  { x, y, width, unit, align, colors }: TextBox,
) {
  const isCentered = align === "middle";
  const name = await textPart(isCentered && logo ? "" : company, {
    face: "strong",
    size: 2.75 * unit,
    smallest: 1.9 * unit,
    width,
    lines: isCentered ? 1 : 2,
    oneLineDownTo: 0.75,
    color: colors.brand,
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
    color: colors.muted,
    align,
    lineHeight: 1.5,
  });
  const logoHeight = (isCentered ? 5 : 8) * unit;
  const logoWidth = Math.min(width, 34 * unit);
  const room = width - logoWidth;
  const logoPart = logo
    ? logoSvg(logo, {
        x: x + { start: 0, middle: room / 2, end: room }[align],
        y,
        width: logoWidth,
        height: logoHeight,
        align: ({ start: "xMin", middle: "xMid", end: "xMax" } as const)[align],
      })
    : "";
  const top = y + (logo ? logoHeight + unit : 0);
  const below = top + name.height + 0.3 * unit;
  return { svg: logoPart + name.at({ x, y: top }) + title.at({ x, y: below }), bottom: below + title.height };
}

/** From the bottom up: contact methods, a hairline, the work, the name. */
async function personSvg(
  card: BusinessCardText,
  { x, y, bottom, width, unit, align, colors }: TextBox & { bottom: number },
): Promise<string> {
  const { muted, text, line } = colors;
  const contactMethods = await contactMethodsSvg(card, { x, y: 0, width, unit, align, colors });
  const hasContactMethods = card.email !== "" || card.phone !== "";
  const work = await textPart(card.work, {
    face: "text",
    size: 3.6 * unit,
    smallest: 2.4 * unit,
    width,
    color: muted,
    align,
    lineHeight: 1.35,
  });
  const rule = hasContactMethods ? bottom - contactMethods.height - 2.6 * unit : bottom + 1.4 * unit;
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
    (hasContactMethods
      ? `<rect x="${x}" y="${rule}" width="${width}" height="${0.22 * unit}" fill="${line}"/>` +
        contactMethods.at(bottom - contactMethods.height)
      : "")
  );
}

/** Email at the start and phone at the end of one line, or both in its middle; below each other when they are too long. */
async function contactMethodsSvg({ email, phone }: BusinessCardText, { x, width, unit, align, colors }: TextBox) {
  const style = {
    face: "text",
    size: 3.1 * unit,
    smallest: 2.2 * unit,
    color: colors.muted,
    lineHeight: 1.4,
  } as const;
  const gap = 4 * unit;
  const first = await textPart(email, { ...style, width, align });
  const second = await textPart(phone, { ...style, width, align: align === "end" ? "start" : "end" });
  if (align === "middle" && first.width + second.width + gap <= width) {
    const both = await textPart([email, phone].filter(Boolean).join("  ·  "), { ...style, width, align });
    return { height: both.height, at: (y: number) => both.at({ x, y }) };
  }
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
