import type { Sharp } from "sharp";

import { iconSvg } from "#app/features/shell/icons/icon-files.ts";
import { sealDrawing } from "#app/features/shell/seal-drawing.ts";
import type { PartContent, PassContent, PassPart } from "#app/features/wallet/pass-content.ts";
import { backgroundStyle, passScales, passSizes, tintOpacity } from "#app/features/wallet/pass-style.ts";
import type { HexColor } from "#app/services/base/color-contrast.ts";
import { loadSharp, rasterize } from "#app/services/images/sharp.server.ts";

import type { PassJsonOptions } from "./pass-json.ts";

/** The images that a pass shows; undefined for none, and for a file that is missing. Threads get them, because they can't load them. */
export type PassPhotos = {
  /** One of our own backgrounds, as SVG. */
  drawing?: string | undefined;
  avatar: Uint8Array | undefined;
  logo: Uint8Array | undefined;
  background: Uint8Array | undefined;
};

/** Four channels are red, green, blue and alpha. */
type Pixels = { data: Uint8Array; width: number; height: number; channels: 3 | 4 };

export type DrawnPart = {
  /** PNG files by their name in the package: "icon@2x.png". */
  files: Record<string, Uint8Array>;
  /** Of a background: readable on it as it was drawn. */
  colors?: PassJsonOptions["colors"];
};

/** Draws a part at 1x, 2x and 3x. All parts together stay below 140 kB, whatever was uploaded. */
export async function drawPassPart(part: PassPart, content: PartContent, photos: PassPhotos): Promise<DrawnPart> {
  if (part === "thumbnail") return { files: photos.avatar ? await drawThumbnail(photos.avatar) : {} };
  if (part === "background") return drawBackground(content, photos);
  return { files: { ...(await drawIcons()), ...(await drawLogo(content.images.logo.kind, photos.logo)) } };
}

async function drawBackground({ images, colors }: PartContent, { drawing, background: upload }: PassPhotos) {
  const photo = upload ?? (drawing && (await rasterize(drawing, { width: passSizes.background.width * 3 })));
  if (photo) return photoBackground(photo, images.tint);
  const { text, label, background } = colors;
  return { files: await cardBackground(background), colors: { text, label, background: background[0] } };
}

/** "logo", 2 -> "logo@2x.png". */
function fileName(name: string, scale: number): string {
  return scale === 1 ? `${name}.png` : `${name}@${scale}x.png`;
}

async function drawAll(
  name: keyof typeof passSizes,
  draw: (size: { width: number; height: number }, scale: number) => Promise<Uint8Array>,
): Promise<Record<string, Uint8Array>> {
  const { width, height } = passSizes[name];
  const entries: [string, Uint8Array][] = [];
  for (const scale of passScales)
    entries.push([fileName(name, scale), await draw({ width: width * scale, height: height * scale }, scale)]);
  return Object.fromEntries(entries);
}

/** The same on every pass, so they are drawn once in each thread. */
function drawIcons(): Promise<Record<string, Uint8Array>> {
  return (icons ??= drawAll("icon", ({ width }) => drawSeal("tile", width)));
}

let icons: Promise<Record<string, Uint8Array>> | undefined;

async function drawLogo(kind: PassContent["images"]["logo"]["kind"], photo: Uint8Array | undefined) {
  if (kind === "seal") return (seals ??= drawAll("logo", (_, scale) => drawSeal("seal", sealPoints * scale)));
  if (!photo) return {};
  const sharp = await loadSharp();
  const { width, height } = passSizes.logo;
  const fitted = sharp(photo).resize({ width: width * 3, height: height * 3, fit: "inside" });
  return encodeWithin("logo", await readPixels(fitted.ensureAlpha()), 24_000);
}

let seals: Promise<Record<string, Uint8Array>> | undefined;

/** The seal is lower than a logo may be, so that it stands in line with the text beside it. */
const sealPoints = 36;

async function drawSeal(shape: "tile" | "seal", width: number): Promise<Uint8Array> {
  const sharp = await loadSharp();
  return sharp(await rasterize(iconSvg(sealDrawing, shape), { width }))
    .png({ palette: true, colours: 32 })
    .toBuffer();
}

/** The avatar as a circle, as on the card's page. */
async function drawThumbnail(photo: Uint8Array) {
  const sharp = await loadSharp();
  const side = passSizes.thumbnail.width * 3;
  const pixels = await readPixels(sharp(photo).resize(side, side, { fit: "cover" }).ensureAlpha());
  cutCircle(pixels.data, side);
  return encodeWithin("thumbnail", pixels, 34_000);
}

/** Makes everything outside a circle transparent, with a soft edge. `pixels` are RGBA. */
function cutCircle(pixels: Uint8Array, side: number) {
  const center = (side - 1) / 2;
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const inside = side / 2 - Math.hypot(x - center, y - center);
      if (inside < 1) pixels[(y * side + x) * 4 + 3] = Math.round(255 * Math.max(0, inside));
    }
}

/** The two colors of the card from top to bottom. */
async function cardBackground(background: PassContent["colors"]["background"]) {
  const sharp = await loadSharp();
  const [from, to] = background.map(channels);
  return drawAll("background", async ({ width, height }) => {
    const pixels = Buffer.alloc(width * height * 3);
    for (let y = 0; y < height; y++) {
      const share = y / (height - 1);
      const row = [0, 1, 2].map((at) => Math.round((from?.[at] ?? 0) * (1 - share) + (to?.[at] ?? 0) * share));
      pixels.fill(Buffer.from(row), y * width * 3, (y + 1) * width * 3);
    }
    return sharp(pixels, { raw: { width, height, channels: 3 } })
      .png({ compressionLevel: 6 })
      .toBuffer();
  });
}

/** An uploaded or default image, with its tint and a veil that makes texts readable. iOS blurs it. */
async function photoBackground(photo: Uint8Array, tint: HexColor | ""): Promise<DrawnPart> {
  const sharp = await loadSharp();
  const { width, height } = passSizes.background;
  const largest = { width: width * 3, height: height * 3 };
  const upright = sharp(photo)
    .resize({ ...largest, fit: "cover" })
    .flatten({ background: "#ffffff" });
  const pixels = await readPixels(upright.removeAlpha());
  const { data, ...raw } = pixels;
  if (tint) overlay(data, tint, tintOpacity);
  const style = backgroundStyle(await sampleColors(sharp(data, { raw })));
  overlay(data, style.veil.color, style.veil.opacity);
  const base = (await sampleColors(sharp(data, { raw }), { width: 1, height: 1 }))[0] ?? style.veil.color;
  const files = await encodeWithin("background", pixels, 72_000);
  return { files, colors: { text: style.text, label: style.label, background: base } };
}

/** The colors of a few parts of an image, as blurred as iOS shows it. */
async function sampleColors(image: Sharp, size = { width: 9, height: 11 }): Promise<HexColor[]> {
  const { data, info } = await image
    .resize({ ...size, fit: "fill" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Array.from({ length: info.width * info.height }, (_, index): HexColor => {
    const at = index * info.channels;
    return `#${data.subarray(at, at + 3).toString("hex")}`;
  });
}

export function overlay(pixels: Uint8Array, color: HexColor, opacity: number) {
  if (opacity === 0) return;
  const over = channels(color);
  const table = over.map((above) =>
    Uint8Array.from({ length: 256 }, (_, below) => Math.round(below + (above - below) * opacity)),
  );
  table.forEach((values, channel) => {
    for (let at = channel; at < pixels.length; at += 3) pixels[at] = values[pixels[at] ?? 0] ?? 0;
  });
}

export function channels(color: HexColor): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

async function readPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels === 4 ? 4 : 3 };
}

/**
 * PNG files with a palette of an image at 3x, and of smaller ones of it. An image with too much detail for `maxBytes`, all three together,
 * gets fewer colors and is blurred, because a phone may refuse a large pass.
 */
async function encodeWithin(
  name: keyof typeof passSizes,
  pixels: Pixels,
  maxBytes: number,
): Promise<Record<string, Uint8Array>> {
  const isWithin = (step: number, bytes: number) => bytes <= maxBytes || step >= encodings.length - 1;
  let step = 0;
  // A quarter of the image shows which one it needs, in a quarter of the time.
  for (const quarter = middleQuarter(pixels); ; step++) {
    const png = await encode(await blur(quarter, step), step);
    if (isWithin(step, png.length * 4 * sharesOf3x)) break;
  }
  for (; ; step++) {
    const blurred = await blur(pixels, step);
    const files = await drawAll(name, async (_, scale) =>
      encode(scale === 3 ? blurred : await shrink(blurred, scale), step),
    );
    const total = Object.values(files).reduce((sum, file) => sum + file.length, 0);
    if (isWithin(step, total)) return files;
  }
}

/** From the best to the smallest. Less than 100 shows steps in slight gradients, which are small; sigma is in pixels at 3x. */
const encodings = [
  { quality: 100, sigma: 0 },
  { quality: 80, sigma: 0 },
  { quality: 80, sigma: 1.5 },
  { quality: 80, sigma: 4 },
  { quality: 80, sigma: 10 },
  { quality: 80, sigma: 25 },
];

async function blur({ data, ...raw }: Pixels, step: number): Promise<Pixels> {
  const sigma = encodings[step]?.sigma;
  const sharp = await loadSharp();
  return sigma ? readPixels(sharp(data, { raw }).blur(sigma)) : { data, ...raw };
}

async function encode({ data, ...raw }: Pixels, step: number): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const quality = encodings[step]?.quality ?? 80;
  return sharp(data, { raw }).png({ palette: true, effort: 1, dither: 0, quality }).toBuffer();
}

/** The bytes of all three images as a multiple of those of the largest one. */
const sharesOf3x = 1.6;

/** Full rows, so nothing is copied. */
function middleQuarter({ data, width, height, channels }: Pixels): Pixels {
  const rows = Math.ceil(height / 4);
  const start = Math.floor((height - rows) / 2) * width * channels;
  return { data: data.subarray(start, start + rows * width * channels), width, height: rows, channels };
}

/** From 3x to 1x or 2x. */
async function shrink({ data, ...raw }: Pixels, scale: number): Promise<Pixels> {
  const sharp = await loadSharp();
  const size = { width: Math.round((raw.width * scale) / 3), height: Math.round((raw.height * scale) / 3) };
  return readPixels(
    sharp(data, { raw }).resize({ width: Math.max(1, size.width), height: Math.max(1, size.height), fit: "fill" }),
  );
}
