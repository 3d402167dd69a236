import type { Sharp } from "sharp";

import { iconSvg } from "#app/features/shell/icons/icon-files.ts";
import { sealDrawing } from "#app/features/shell/seal-drawing.ts";
import { drawDefaultImage } from "#app/features/wallet/assets/default-image-drawing.ts";
import type { PassContent } from "#app/features/wallet/pass-content.ts";
import { backgroundStyle, passScales, passSizes, tintOpacity } from "#app/features/wallet/pass-style.ts";
import type { HexColor } from "#app/services/base/color-contrast.ts";
import { loadSharp, rasterize } from "#app/services/images/sharp.server.ts";

import type { PassJsonOptions } from "./pass-json.ts";

/** The uploaded images that a pass shows; undefined for none, and for a file that is missing. */
export type PassPhotos = {
  avatar: Uint8Array | undefined;
  logo: Uint8Array | undefined;
  background: Uint8Array | undefined;
};

type PassImageFiles = {
  /** PNG files by their name in the package: "icon@2x.png". */
  files: Record<string, Uint8Array>;
  /** Readable on the background as it was drawn. */
  colors: PassJsonOptions["colors"];
};

/** Draws the images of a pass at 1x, 2x and 3x. Together they stay below 140 kB, whatever was uploaded. */
export async function drawPassImages(content: PassContent, photos: PassPhotos): Promise<PassImageFiles> {
  const { images, colors } = content;
  const photo = photos.background ?? (await drawDefault(images.background));
  const background = photo
    ? await photoBackground(photo, images.tint)
    : { files: await cardBackground(content), text: colors.text, label: colors.label, base: colors.background[0] };
  return {
    files: {
      ...(await drawIcons()),
      ...(await drawLogo(images.logo.kind, photos.logo)),
      ...(photos.avatar && (await drawThumbnail(photos.avatar))),
      ...background.files,
    },
    colors: { text: background.text, label: background.label, background: background.base },
  };
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
  return drawAll("logo", async (size, scale) => {
    const fitted = sharp(photo).resize({ ...size, fit: "inside" });
    return encodeWithin(fitted, 8_000 * scale);
  });
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
  return drawAll("thumbnail", async ({ width, height }, scale) => {
    const pixels = await sharp(photo).resize(width, height, { fit: "cover" }).ensureAlpha().raw().toBuffer();
    cutCircle(pixels, width);
    return encodeWithin(sharp(pixels, { raw: { width, height, channels: 4 } }), 3_800 * scale * scale);
  });
}

/** Makes everything outside a circle transparent, with a soft edge. `pixels` are RGBA. */
function cutCircle(pixels: Buffer, side: number) {
  const center = (side - 1) / 2;
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const inside = side / 2 - Math.hypot(x - center, y - center);
      if (inside < 1) pixels[(y * side + x) * 4 + 3] = Math.round(255 * Math.max(0, inside));
    }
}

/** The two colors of the card from top to bottom. */
async function cardBackground({ colors: { background } }: PassContent) {
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

/** One of our own images. */
async function drawDefault(background: PassContent["images"]["background"]): Promise<Buffer | undefined> {
  const svg = background.kind === "default" ? drawDefaultImage(background.id) : undefined;
  return svg === undefined ? undefined : rasterize(svg, { width: passSizes.background.width * 3 });
}

/** An uploaded or default image, with its tint and a veil that makes texts readable. iOS blurs it. */
async function photoBackground(photo: Uint8Array, tint: HexColor | "") {
  const sharp = await loadSharp();
  const { width, height } = passSizes.background;
  const largest = { width: width * 3, height: height * 3 };
  const upright = sharp(photo)
    .resize({ ...largest, fit: "cover" })
    .flatten({ background: "#ffffff" });
  const plain = await upright.toColourspace("srgb").removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { channels: count } = plain.info;
  const image = (pixels: Buffer) => sharp(pixels, { raw: { ...largest, channels: count } });
  if (tint) overlay(plain.data, tint, tintOpacity);
  const samples = await sampleColors(image(plain.data));
  const style = backgroundStyle(samples);
  overlay(plain.data, style.veil.color, style.veil.opacity);
  const base = (await sampleColors(image(plain.data), { width: 1, height: 1 }))[0] ?? style.veil.color;
  const files = await drawAll("background", async (size, scale) =>
    encodeWithin(image(plain.data).resize(size), 5_500 * scale * scale),
  );
  return { files, text: style.text, label: style.label, base };
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

export function overlay(pixels: Buffer, color: HexColor, opacity: number) {
  if (opacity === 0) return;
  const over = channels(color);
  const table = over.map((above) =>
    Uint8Array.from({ length: 256 }, (_, below) => Math.round(below + (above - below) * opacity)),
  );
  for (let at = 0; at < pixels.length; at++) pixels[at] = table[at % 3]?.[pixels[at] ?? 0] ?? 0;
}

export function channels(color: HexColor): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

/** A PNG with a palette. An image with too much detail for `maxBytes` is blurred, because a phone may refuse a large pass. */
async function encodeWithin(image: Sharp, maxBytes: number): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  let png = await sharp(data, { raw }).png({ palette: true, effort: 1, dither: 0.5 }).toBuffer();
  for (const sigma of [1.5, 4, 10, 25]) {
    if (png.length <= maxBytes) break;
    png = await sharp(data, { raw }).blur(sigma).png({ palette: true, effort: 1, dither: 0 }).toBuffer();
  }
  return png;
}
