import { rasterize, loadSharp } from "#app/services/images/sharp.server.ts";

import type { BusinessCardColors, BusinessCardLayout } from "#app/features/drawing/business-card-style.ts";
import { businessCardSvg } from "#app/features/drawing/business-card-svg.server.ts";
import type { BusinessCardText, BusinessCardImages } from "#app/features/drawing/business-card-svg.server.ts";
import { svgDocument, sealSvg, textPart } from "#app/features/drawing/svg-parts.server.ts";
import { quietZone } from "#app/features/drawing/qr-code.ts";
import { styledQr } from "#app/features/drawing/qr-images.server.ts";

/** In pixels, as Zoom, Teams and Meet recommend. */
export const backgroundSize = { width: 1920, height: 1080 };

/** Behind the card: one color, or an image that is dark or light everywhere. */
export type Ground = { id: Tone } | { id: string; svg: string; isDark: boolean };

/** Reads `?tone=`: "dark", which is the default, "light", or the id of an image, which `findImage` finds. */
export function readGround(
  text: string | null,
  findImage: (id: string) => Ground | undefined,
): { ground: Ground } | { problem: string } {
  const id = text ?? "dark";
  const ground: Ground | undefined = id === "dark" || id === "light" ? { id } : findImage(id);
  return ground ? { ground } : { problem: "The tone must be dark, light, or the name of an image." };
}

type Tone = keyof typeof tones;

const tones = {
  dark: { ground: "#16181d", text: "#a3a7b0" },
  light: { ground: "#f1ede3", text: "#67645c" },
} as const;

export type BackgroundOptions = {
  card: BusinessCardText & BusinessCardImages & { colors?: BusinessCardColors; layout?: BusinessCardLayout };
  code: { text: string; caption: string };
  hasBranding: boolean;
};

/**
 * A background image for video calls: the card in the upper left corner, its QR code in the upper right one. Both are above the
 * shoulders and beside the head, and clear of the names that meeting programs show in the lower left. Texts are on panels or on one color.
 */
export async function backgroundImage({ card, code, hasBranding }: BackgroundOptions, ground: Ground): Promise<Buffer> {
  const isLight = "svg" in ground ? !ground.isDark : ground.id === "light";
  const paper = await businessCardSvg(card, { x: margin, y: margin, width: 500, hasShadow: isLight });
  const parts = paper + (await codeSvg(code)) + (hasBranding ? await brandingSvg(ground) : "");
  const sharp = await loadSharp();
  const encode = (image: ReturnType<typeof sharp>) => image.removeAlpha().png({ compressionLevel: 8 }).toBuffer();
  // Of a tone one flat color: meeting programs compress gradients to visible bands.
  if (!("svg" in ground))
    return encode(sharp(await rasterize(svgDocument({ ...backgroundSize, ground: tones[ground.id].ground }, parts))));
  const behind = await rasterize(ground.svg, { width: backgroundSize.width });
  const cropped = await sharp(behind)
    .resize({ ...backgroundSize, fit: "cover" })
    .toBuffer();
  const input = await rasterize(svgDocument({ ...backgroundSize, ground: "none" }, parts));
  return encode(sharp(cropped).composite([{ input }]));
}

const margin = 88;

/** The code and its caption on one panel. About 300 pixels: at a third of the width, as in a tile, a module is still two pixels wide. */
async function codeSvg({ text, caption }: BackgroundOptions["code"]): Promise<string> {
  const { modules, body } = styledQr(text, { color: "#17181b", logo: undefined });
  const scale = Math.max(4, Math.floor(302 / (modules + 2 * quietZone)));
  const side = (modules + 2 * quietZone) * scale;
  const x = backgroundSize.width - margin - side;
  const captionPart = await textPart(caption, {
    face: "text",
    size: 24,
    width: side,
    color: panel.text,
    align: "middle",
  });
  // The quiet zone below the code is the space above the caption.
  const captionTop = margin + side - scale;
  return (
    `<rect x="${x}" y="${margin}" width="${side}" height="${captionTop + captionPart.height + 18 - margin}" rx="16" fill="${panel.ground}"/>` +
    `<g transform="translate(${x + quietZone * scale} ${margin + quietZone * scale}) scale(${scale})">${body}</g>` +
    captionPart.at({ x, y: captionTop })
  );
}

/** Readable on every background (WCAG AA). */
const panel = { ground: "#fbf9f4", text: "#3d3a33" };

async function brandingSvg(ground: Ground): Promise<string> {
  const isImage = "svg" in ground;
  const color = isImage ? panel.text : tones[ground.id].text;
  const label = await textPart("Made with Meishi", { face: "text", size: 20, width: 240, color });
  const x = backgroundSize.width - margin - label.width;
  const y = backgroundSize.height - 60;
  const box = `<rect x="${x - 50}" y="${y - 24}" width="${label.width + 66}" height="48" rx="14" fill="${panel.ground}"/>`;
  return (isImage ? box : "") + sealSvg({ x: x - 34, y: y - 12 }, 24) + label.at({ x, y: y - label.height / 2 });
}
