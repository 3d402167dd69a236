import sharp from "sharp";
import type { Sharp } from "sharp";

/** Decoded pixels, eight bits for each of one to four channels. */
export type Pixels = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 };

export type Format = "webp" | "jpeg" | "png";

/** Reads a pipeline to its end. */
export async function pixelsOf(pipeline: Sharp): Promise<Pixels> {
  const { data, info } = await pipeline
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { data, width, height, channels };
}

export async function narrowed(pixels: Pixels, width: number): Promise<Pixels> {
  return pixels.width <= width ? pixels : pixelsOf(open(pixels).resize({ width }));
}

/**
 * As good as it can be in so many bytes: first the quality goes down, then the size. What each step saves is about the same for all
 * pictures, so those that can't be enough are not tried: writing a picture takes more time than opening it.
 */
export async function encode(pixels: Pixels, format: Format, maxBytes: number): Promise<Buffer> {
  const best = await write(pixels, format, BEST);
  if (best.length <= maxBytes || pixels.width < SMALLEST) return best;
  for (const { quality, share } of STEPS) {
    if (best.length * share > maxBytes) continue;
    const bytes = await write(pixels, format, quality);
    if (bytes.length <= maxBytes) return bytes;
  }
  // So much smaller that a middling quality is enough.
  const scale = Math.min(0.85, Math.sqrt(maxBytes / (best.length * 0.7)));
  return encode(await narrowed(pixels, Math.max(1, Math.round(pixels.width * scale))), format, maxBytes);
}

const BEST = 80;
/** How large a picture is in each quality, of what it is in the best. */
const STEPS = [
  { quality: 68, share: 0.8 },
  { quality: 54, share: 0.7 },
  { quality: 40, share: 0.6 },
  { quality: 26, share: 0.45 },
];
const SMALLEST = 32;

function write(pixels: Pixels, format: Format, quality: number): Promise<Buffer> {
  const picture = open(pixels);
  if (format === "webp") return picture.webp({ quality, effort: 4 }).toBuffer();
  // JPEG knows no transparency: what lets through is white, as on paper.
  if (format === "jpeg")
    return picture.flatten({ background: "#ffffff" }).jpeg({ quality, progressive: true }).toBuffer();
  // Lossless where that fits, else with fewer colours.
  return quality === BEST
    ? picture.png({ compressionLevel: 9, palette: false }).toBuffer()
    : picture.png({ quality, palette: true }).toBuffer();
}

function open({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}
