import sharp from "sharp";

import type { Face } from "./fonts.server.ts";

/**
 * Text in whatever fonts the machine has, for scripts that ours don't: Pango shapes it, finds fonts for each sign, and knows the
 * direction. A transparent PNG as large as its ink; undefined where nothing would be seen. Works off the event loop.
 */
export async function systemText(
  text: string,
  style: { face: Face; color: string; size: number; width?: number },
): Promise<{ png: Buffer; width: number; height: number } | undefined> {
  const picture = sharp({
    text: {
      text: `<span foreground="${style.color}">${escaped(text)}</span>`,
      font: `${families[style.face]} ${Math.max(1, style.size).toFixed(1)}`,
      rgba: true,
      // One point is one pixel.
      dpi: 72,
      wrap: "word-char",
      align: "left",
      ...(style.width && { width: style.width }),
    },
  });
  try {
    const { data, info } = await picture.png().toBuffer({ resolveWithObject: true });
    return { png: data, width: info.width, height: info.height };
  } catch (error) {
    // Joiners and odd spaces have no ink, and a picture of no size is an error to libvips.
    if (error instanceof Error && error.message.includes("no text to render")) return undefined;
    throw error;
  }
}

const families: Record<Face, string> = { name: "Noto Serif,serif", text: "sans", strong: "sans Semi-Bold" };

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (sign) => entities[sign] ?? "");
}
