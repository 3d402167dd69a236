import type { Sharp } from "sharp";

import {
  avatarVariants,
  bannerVariants,
  logoVariants,
  passBackgroundVariants,
  passLogoVariants,
  linkImageVariants,
} from "#app/features/uploads/image-urls.ts";
import { serverMessages } from "#app/features/uploads/messages.ts";
import { passImageOf, linkImageIdOf, refuse } from "#app/features/uploads/rules.ts";
import type { Crop, Refusal, Slot } from "#app/features/uploads/rules.ts";
import type { PreparedFile, PreparedFiles } from "#app/features/uploads/storage/asset-rows.server.ts";
import { oneLine, withoutDirectionMarks } from "#app/services/base/plain-text.ts";
import { loadSharp } from "#app/services/images/sharp.server.ts";

import { bannerCrop, linkImageCrop, planResize, proportionalCrop, squareCrop } from "./crop.ts";
import type { CropBox } from "./crop.ts";
import { refuseUndecodable, validateImage } from "./validate-image.server.ts";
import type { SourceImage } from "./validate-image.server.ts";

/**
 * An uploaded image in each variant that its slot is served in. They are encoded from the pixels alone, so no metadata, such as the place a
 * photo was taken, and nothing hidden in the file is stored.
 */
export async function prepareImages(
  upload: { file: string } | Uint8Array,
  { slot, crop, filename = "" }: { slot: Slot; crop: Crop | undefined; filename?: string },
): Promise<PreparedFiles> {
  const image = await validateImage(upload);
  if (image.kind === "refused") return image;
  const pixels = await decodeImage(image, slot, crop);
  if ("kind" in pixels) return pixels;
  return {
    kind: "prepared",
    files: await encodeOutputs(pixels, slot),
    filename: passImageOf(slot) ? cleanName(filename) : "",
  };
}

/** What the library of pass images calls a file: "Summer.png" -> "Summer". */
function cleanName(filename: string): string {
  return oneLine(withoutDirectionMarks(filename.slice(0, 300).replace(/\.[^.]*$/, ""))).slice(0, 80);
}

async function decodeImage(image: SourceImage, slot: Slot, crop: Crop | undefined): Promise<Pixels | Refusal> {
  const passImage = passImageOf(slot);
  if (passImage) return decodePassImage(image, passImage.kind, crop);
  const square = slot === "avatar" ? squareCrop(image, crop) : undefined;
  if (slot === "avatar" && !square) return refuse(422, serverMessages.crop);
  try {
    // Pages show initials behind an avatar until it has loaded: they would show through a transparent one.
    if (square) return await readPixels(resizeAndCrop(image, square, avatarWidth).flatten({ background: "#ffffff" }));
    if (slot === "banner") return await readPixels(resizeAndCrop(image, bannerCrop(image), bannerWidth));
    if (linkImageIdOf(slot) !== undefined)
      return await readPixels(
        resizeAndCrop(image, linkImageCrop(image), linkImageWidth).flatten({ background: "#ffffff" }),
      );
    const within = { width: logoSide, height: logoSide, fit: "inside", withoutEnlargement: true } as const;
    return await readPixels(image.open().resize(within));
  } catch (error) {
    return refuseUndecodable(error);
  }
}

/** Exactly as large as a pass shows it; a smaller image is enlarged. A logo keeps its transparency. */
async function decodePassImage(image: SourceImage, kind: "background" | "logo", crop: Crop | undefined) {
  const size = passImageSizes[kind];
  const box = proportionalCrop(image, size, crop);
  if (!box) return refuse(422, serverMessages.crop);
  try {
    const cropped = resizeAndCrop(image, box, size.width);
    const pixels = await readPixels(kind === "background" ? cropped.flatten({ background: "#ffffff" }) : cropped);
    return await readPixels((await openPixels(pixels)).resize({ ...size, fit: "fill" }));
  } catch (error) {
    return refuseUndecodable(error);
  }
}

/** The specification's sizes, three times those in points. */
const passImageSizes = { background: { width: 540, height: 660 }, logo: { width: 480, height: 150 } } as const;

function resizeAndCrop(image: SourceImage, box: CropBox, width: number) {
  const { resize, extract } = planResize(image, box, width);
  const opened = image.open();
  return (resize ? opened.resize({ ...resize, fit: "fill" }) : opened).extract(extract);
}

const avatarWidth = 384;
const bannerWidth = 1280;
const logoSide = 480;
const linkImageWidth = 860;

/** Encodes one variant after the other: in parallel they would take three times the memory. */
async function encodeOutputs(pixels: Pixels, slot: Slot): Promise<PreparedFile[]> {
  const passImage = passImageOf(slot);
  if (passImage) return [await encodePassImage(pixels, passImage.kind)];
  const files: PreparedFile[] = [];
  for (const output of outputsOf(slot)) files.push(await encodeOutput(pixels, output));
  return files;
}

function outputsOf(slot: Slot): ImageOutput[] {
  if (slot === "avatar") return avatarOutputs;
  if (slot === "banner") return bannerOutputs;
  return linkImageIdOf(slot) === undefined ? logoOutputs : linkImageOutputs;
}

/** The specification's formats: JPEG at a quality of 0.95, and PNG. */
async function encodePassImage(pixels: Pixels, kind: "background" | "logo"): Promise<PreparedFile> {
  if (kind === "logo") return encodeOutput(pixels, passLogoOutput);
  const body = await (await openPixels(pixels)).jpeg({ quality: 95 }).toBuffer();
  return { suffix: passBackgroundVariants.jpeg, type: "image/jpeg", bytes: body.length, body };
}

type ImageOutput = { suffix: string; format: ImageFormat; width: number; maxBytes: number };

async function encodeOutput(pixels: Pixels, { suffix, format, width, maxBytes }: ImageOutput): Promise<PreparedFile> {
  const body = await encodeWithin(await shrinkToWidth(pixels, width), format, maxBytes);
  return { suffix, type: `image/${format}`, bytes: body.length, body };
}

const avatarOutputs: ImageOutput[] = [
  { suffix: avatarVariants.small, format: "webp", width: 192, maxBytes: 15_000 },
  { suffix: avatarVariants.large, format: "webp", width: avatarWidth, maxBytes: 15_000 },
  { suffix: avatarVariants.jpeg, format: "jpeg", width: avatarWidth, maxBytes: 20_000 },
];

const bannerOutputs: ImageOutput[] = [
  { suffix: bannerVariants.small, format: "webp", width: 860, maxBytes: 60_000 },
  { suffix: bannerVariants.large, format: "webp", width: bannerWidth, maxBytes: 120_000 },
  { suffix: bannerVariants.jpeg, format: "jpeg", width: bannerWidth, maxBytes: 160_000 },
];

const passLogoOutput: ImageOutput = { suffix: passLogoVariants.png, format: "png", width: 480, maxBytes: 300_000 };

const logoOutputs: ImageOutput[] = [
  { suffix: logoVariants.webp, format: "webp", width: logoSide, maxBytes: 60_000 },
  { suffix: logoVariants.png, format: "png", width: logoSide, maxBytes: 200_000 },
];

const linkImageOutputs: ImageOutput[] = [
  { suffix: linkImageVariants.webp, format: "webp", width: linkImageWidth, maxBytes: 60_000 },
];

/** Decoded pixels: one to four channels of eight bits. */
type Pixels = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 };

type ImageFormat = "webp" | "jpeg" | "png";

async function readPixels(pipeline: Sharp): Promise<Pixels> {
  const { data, info } = await pipeline
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { data, width, height, channels };
}

async function shrinkToWidth(pixels: Pixels, width: number): Promise<Pixels> {
  return pixels.width <= width ? pixels : readPixels((await openPixels(pixels)).resize({ width }));
}

/**
 * Encodes with the best quality that fits in `maxBytes`: reduces the quality first, then the size. Each quality saves about the same share
 * for all images, so qualities that can't suffice are skipped: encoding takes longer than decoding.
 */
async function encodeWithin(pixels: Pixels, format: ImageFormat, maxBytes: number): Promise<Buffer> {
  const best = await encodeOnce(pixels, format, bestQuality);
  if (best.length <= maxBytes || pixels.width < minWidth) return best;
  for (const { quality, share } of qualitySteps) {
    if (best.length * share > maxBytes) continue;
    const bytes = await encodeOnce(pixels, format, quality);
    if (bytes.length <= maxBytes) return bytes;
  }
  // Small enough for a medium quality.
  const scale = Math.min(0.85, Math.sqrt(maxBytes / (best.length * 0.7)));
  return encodeWithin(await shrinkToWidth(pixels, Math.max(1, Math.round(pixels.width * scale))), format, maxBytes);
}

const bestQuality = 80;
/** The size of an image at each quality, as a share of its size at the best quality. */
const qualitySteps = [
  { quality: 68, share: 0.8 },
  { quality: 54, share: 0.7 },
  { quality: 40, share: 0.6 },
  { quality: 26, share: 0.45 },
];
const minWidth = 32;

async function encodeOnce(pixels: Pixels, format: ImageFormat, quality: number): Promise<Buffer> {
  const image = await openPixels(pixels);
  if (format === "webp") return image.webp({ quality, effort: 4 }).toBuffer();
  // JPEG has no transparency: what is transparent becomes white.
  if (format === "jpeg")
    return image.flatten({ background: "#ffffff" }).jpeg({ quality, progressive: true }).toBuffer();
  // Lossless if that fits, otherwise with fewer colors.
  return quality === bestQuality
    ? image.png({ compressionLevel: 9, palette: false }).toBuffer()
    : image.png({ quality, palette: true }).toBuffer();
}

async function openPixels({ data, width, height, channels }: Pixels): Promise<Sharp> {
  const sharp = await loadSharp();
  return sharp(data, { raw: { width, height, channels } });
}
