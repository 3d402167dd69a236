import { crc32, deflateSync } from "node:zlib";

import { loadSharp } from "#app/services/images/sharp.server.ts";

/** Four channels are red, green, blue and alpha. */
export type Pixels = { data: Uint8Array; width: number; height: number; channels: 3 | 4 };

/**
 * Returns a function that encodes an image, and smaller ones of it, as PNG with one palette of at most 256 colors. With `hasDither`, slight
 * gradients have no visible steps. A third of the CPU that libvips takes, which looks for a palette in all pixels of each image.
 */
export async function createPaletteEncoder(pixels: Pixels, { hasDither }: { hasDither: boolean }) {
  const palette = await findPalette(pixels);
  const indexOf = createColorIndex(palette);
  return (image: Pixels) => encode(image, palette, mapPixels(image, indexOf, hasDither ? dither : flat));
}

type Palette = { colors: Uint8Array; alphas: Uint8Array };

/** Of every ninth pixel. They aren't mixed, or the color of a thin line would be lost. */
async function findPalette({ data, ...raw }: Pixels): Promise<Palette> {
  const sharp = await loadSharp();
  const size = { width: Math.ceil(raw.width / 3), height: Math.ceil(raw.height / 3) };
  const png = await sharp(data, { raw })
    .resize({ ...size, kernel: "nearest", fit: "fill" })
    .png({ palette: true, effort: 1, dither: 0 })
    .toBuffer();
  // What is meant to be transparent becomes so: the palette may have an alpha of 4 for it.
  const alphas = readChunk(png, "tRNS").map((alpha) => (alpha < 8 ? 0 : alpha));
  return { colors: readChunk(png, "PLTE"), alphas };
}

/** The content of the first chunk of this type; empty without one. */
function readChunk(png: Buffer, type: string): Uint8Array {
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === type) return png.subarray(at + 8, at + 8 + length);
    at += length + 12;
  }
  return new Uint8Array();
}

/**
 * Finds the palette's nearest color; `rgb` is 0xrrggbb. Each color is looked up by its highest bits, and remembered.
 */
function createColorIndex({ colors, alphas }: Palette) {
  const opaque = new Int16Array(1 << 18).fill(-1);
  const translucent = new Map<number, number>();
  const count = colors.length / 3;
  function nearest(rgb: number, alpha: number): number {
    const [red, green, blue] = [rgb >> 16, (rgb >> 8) & 255, rgb & 255];
    let best = 0;
    let least = Infinity;
    for (let index = 0, at = 0; index < count; index++, at += 3) {
      const r = (colors[at] ?? 0) - red;
      const g = (colors[at + 1] ?? 0) - green;
      const b = (colors[at + 2] ?? 0) - blue;
      const a = (alphas[index] ?? 255) - alpha;
      // Green counts most for the eye. The color of what can't be seen doesn't count.
      const distance = ((2 * r * r + 4 * g * g + b * b) * alpha) / 255 + 7 * a * a;
      if (distance < least) {
        least = distance;
        best = index;
      }
    }
    return best;
  }
  return (rgb: number, alpha: number): number => {
    const key = ((rgb >> 6) & 0x3f000) | ((rgb >> 4) & 0xfc0) | ((rgb >> 2) & 0x3f);
    if (alpha < 255) {
      const exact = ((alpha >> 4) << 18) | key;
      const found = translucent.get(exact) ?? nearest(rgb, alpha);
      translucent.set(exact, found);
      return found;
    }
    const known = opaque[key] ?? -1;
    return known >= 0 ? known : (opaque[key] = nearest(rgb, alpha));
  };
}

/** Ordered dithering (Bayer): what is added to a pixel by its place. */
const dither = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5].map((place) =>
  Math.round((place / 15 - 0.5) * 4),
);
const flat = dither.map(() => 0);

/** The rows of an indexed PNG: a byte for the filter, none, then an index for each pixel. */
function mapPixels(
  { data, width, height, channels }: Pixels,
  indexOf: ReturnType<typeof createColorIndex>,
  offsets: readonly number[],
): Uint8Array {
  const rows = new Uint8Array((width + 1) * height);
  const shifted = (value: number | undefined, by: number) => Math.min(255, Math.max(0, (value ?? 0) + by));
  for (let y = 0, from = 0; y < height; y++) {
    const row = y * (width + 1) + 1;
    for (let x = 0; x < width; x++, from += channels) {
      const by = offsets[((y & 3) << 2) | (x & 3)] ?? 0;
      const alpha = channels === 4 ? (data[from + 3] ?? 0) : 255;
      const rgb = (shifted(data[from], by) << 16) | (shifted(data[from + 1], by) << 8) | shifted(data[from + 2], by);
      rows[row + x] = indexOf(rgb, alpha);
    }
  }
  return rows;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** PNG (W3C), sections 5 and 11: 8 bits for each pixel, color type 3. */
function encode({ width, height }: Pixels, { colors, alphas }: Palette, rows: Uint8Array): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("PLTE", colors),
    ...(alphas.length > 0 ? [chunk("tRNS", alphas)] : []),
    chunk("IDAT", deflateSync(rows, { level: 6 })),
    chunk("IEND", new Uint8Array()),
  ]);
}

function chunk(type: string, content: Uint8Array): Buffer {
  const bytes = Buffer.alloc(content.length + 12);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(type, 4, "latin1");
  bytes.set(content, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, content.length + 8)), content.length + 8);
  return bytes;
}
