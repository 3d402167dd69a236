import { rasterize, loadSharp } from "#app/services/images/sharp.server.ts";

import type { BusinessCardColors } from "#app/features/drawing/business-card-style.ts";
import { businessCardSvg } from "#app/features/drawing/business-card-svg.server.ts";
import type { BusinessCardText, BusinessCardImages } from "#app/features/drawing/business-card-svg.server.ts";
import { svgDocument, sealSvg, textPart } from "#app/features/drawing/svg-parts.server.ts";
import { quietZone } from "#app/features/drawing/qr-code.ts";
import { styledQr } from "#app/features/drawing/qr-images.server.ts";

/** In pixels, as Zoom, Teams and Meet recommend. */
export const backgroundSize = { width: 1920, height: 1080 };

/** Reads `?tone=`; dark by default. */
export function readBackgroundTone(text: string | null): { tone: Tone } | { problem: string } {
  const tone = text ?? "dark";
  if (tone === "dark" || tone === "light") return { tone };
  return { problem: "The tone must be one of: dark, light." };
}

export type Tone = keyof typeof tones;

const tones = {
  dark: { ground: "#16181d", text: "#a3a7b0" },
  light: { ground: "#f1ede3", text: "#67645c" },
} as const;

export type BackgroundOptions = {
  card: BusinessCardText & BusinessCardImages & { colors?: BusinessCardColors };
  code: { text: string; caption: string };
  hasBranding: boolean;
};

/**
 * A background image for video calls: the card in the upper left corner, its QR code in the upper right one. Both are above the
 * shoulders and beside the head, and clear of the names that meeting programs show in the lower left.
 */
export async function backgroundImage({ card, code, hasBranding }: BackgroundOptions, tone: Tone): Promise<Buffer> {
  const colors = tones[tone];
  const paper = await businessCardSvg(card, { x: margin, y: margin, width: 500, hasShadow: tone === "light" });
  const plate = await codeSvg(code, colors.text);
  const seal = hasBranding ? await brandingSvg(colors.text) : "";
  // One flat color: meeting programs compress gradients to visible bands.
  const drawn = await rasterize(svgDocument({ ...backgroundSize, ground: colors.ground }, paper + plate + seal));
  const sharp = await loadSharp();
  return sharp(drawn).removeAlpha().png({ compressionLevel: 8 }).toBuffer();
}

const margin = 88;

/** About 300 pixels: at a third of the width, as in a tile, a module is still two pixels wide. */
async function codeSvg({ text, caption }: BackgroundOptions["code"], color: string): Promise<string> {
  const { modules, body } = styledQr(text, { color: "#17181b", logo: undefined });
  const scale = Math.max(4, Math.floor(302 / (modules + 2 * quietZone)));
  const side = (modules + 2 * quietZone) * scale;
  const x = backgroundSize.width - margin - side;
  const captionPart = await textPart(caption, { face: "text", size: 24, width: side, color, align: "middle" });
  return (
    `<rect x="${x}" y="${margin}" width="${side}" height="${side}" rx="16" fill="#fbf9f4"/>` +
    `<g transform="translate(${x + quietZone * scale} ${margin + quietZone * scale}) scale(${scale})">${body}</g>` +
    captionPart.at({ x, y: margin + side + 16 })
  );
}

async function brandingSvg(color: string): Promise<string> {
  const label = await textPart("Made with Meishi", { face: "text", size: 20, width: 240, color });
  const x = backgroundSize.width - margin - label.width;
  const y = backgroundSize.height - 60;
  return sealSvg({ x: x - 34, y: y - 12 }, 24) + label.at({ x, y: y - label.height / 2 });
}
