import sharp from "sharp";

import { rasterise } from "#app/services/rasterise.server.ts";

import { paperSvg } from "./paper-picture.server.ts";
import type { CardFace, CardPhotos } from "./paper-picture.server.ts";
import { pictureSvg, sealSvg, textPart } from "./picture-parts.server.ts";
import { quietZone } from "./qr-code.ts";
import { styledQr } from "./qr-drawing.server.ts";

/** In pixels: what Zoom, Teams and Meet ask for. */
export const backgroundSize = { width: 1920, height: 1080 };

/** Dark without a wish. */
export function backgroundTone(text: string | null): { tone: Tone } | { problem: string } {
  const wanted = text ?? "dark";
  if (wanted === "dark" || wanted === "light") return { tone: wanted };
  return { problem: "The tone must be one of: dark, light." };
}

type Tone = keyof typeof tones;

const tones = {
  dark: { ground: "#16181d", text: "#a3a7b0" },
  light: { ground: "#f1ede3", text: "#67645c" },
} as const;

type Background = { card: CardFace & CardPhotos; code: { text: string; caption: string }; hasBranding: boolean };

/**
 * What stands behind somebody in a video call: their card in the upper left corner, its code in the upper right one. Above the
 * shoulders, beside the head, and clear of the names that meeting programs write into the lower left.
 */
export async function backgroundPicture({ card, code, hasBranding }: Background, tone: Tone): Promise<Buffer> {
  const colors = tones[tone];
  const paper = await paperSvg(card, { x: margin, y: margin, width: 500, hasShadow: tone === "light" });
  const plate = await codePlate(code, colors.text);
  const seal = hasBranding ? await madeLine(colors.text) : "";
  // One calm tone: soft light would turn into rings wherever a meeting program saves bytes.
  const drawn = await rasterise(pictureSvg({ ...backgroundSize, ground: colors.ground }, paper + plate + seal));
  return sharp(drawn).removeAlpha().png({ compressionLevel: 8 }).toBuffer();
}

const margin = 88;

/** 300 pixels: a tile of a third of the width still shows each module with two. */
async function codePlate({ text, caption }: Background["code"], color: string): Promise<string> {
  const { modules, body } = styledQr(text, { color: "#17181b", logo: undefined });
  const scale = Math.max(4, Math.floor(302 / (modules + 2 * quietZone)));
  const side = (modules + 2 * quietZone) * scale;
  const x = backgroundSize.width - margin - side;
  const words = await textPart(caption, { face: "text", size: 24, width: side, color, align: "middle" });
  return (
    `<rect x="${x}" y="${margin}" width="${side}" height="${side}" rx="16" fill="#fbf9f4"/>` +
    `<g transform="translate(${x + quietZone * scale} ${margin + quietZone * scale}) scale(${scale})">${body}</g>` +
    words.at({ x, y: margin + side + 16 })
  );
}

async function madeLine(color: string): Promise<string> {
  const words = await textPart("Made with Meishi", { face: "text", size: 20, width: 240, color });
  const x = backgroundSize.width - margin - words.width;
  const y = backgroundSize.height - 60;
  return sealSvg({ x: x - 34, y: y - 12 }, 24) + words.at({ x, y: y - words.height / 2 });
}
