import { createInflate } from "node:zlib";

import type { Sharp } from "sharp";

import { messages, serverMessages } from "#app/features/uploads/messages.ts";
import { maxImagePixels, maxImageSide, refuse } from "#app/features/uploads/rules.ts";
import type { Refusal } from "#app/features/uploads/rules.ts";
import { withByteSource } from "#app/services/archives/byte-source.server.ts";
import type { ByteSource } from "#app/services/archives/byte-source.server.ts";
import { inflateContent } from "#app/services/archives/zip-archive.server.ts";
import { loadSharp } from "#app/services/images/sharp.server.ts";

import type { ImageSize } from "./crop.ts";
import { detectFormat } from "./detect.server.ts";

/** An image that may be decoded: its upright size, and a pipeline that decodes it off the event loop. */
export type SourceImage = ImageSize & { kind: "image"; open: () => Sharp };

const maxDecodeSeconds = 15;

/** Checks an uploaded image by its bytes, before libvips sees it and before any pixel is decoded. */
export async function validateImage(upload: { file: string } | Uint8Array): Promise<SourceImage | Refusal> {
  const refusal = await withByteSource(upload, validateBytes);
  if (refusal) return refusal;
  const sharp = await loadSharp();
  const input = upload instanceof Uint8Array ? upload : upload.file;
  const size = await readSize(input);
  if ("message" in size) return size;
  const open = () =>
    sharp(input, { limitInputPixels: maxImagePixels, failOn: "error" })
      .timeout({ seconds: maxDecodeSeconds })
      .autoOrient();
  return { kind: "image", ...size, open };
}

/** The refusal for an image that is damaged, or takes too long to decode. */
export function refuseUndecodable(error: unknown): Refusal {
  const isSlow = error instanceof Error && error.message.includes("timeout");
  return refuse(422, isSlow ? serverMessages.tooSlow : messages.damagedImage);
}

async function readSize(input: string | Uint8Array): Promise<ImageSize | Refusal> {
  const sharp = await loadSharp();
  try {
    const { autoOrient, pages = 1 } = await sharp(input, { limitInputPixels: false, failOn: "error" }).metadata();
    if (pages > 1) return refuse(422, serverMessages.animated);
    const { width, height } = autoOrient;
    if (width * height > maxImagePixels) return refuse(422, messages.tooManyPixels);
    return Math.max(width, height) > maxImageSide ? refuse(422, messages.tooLong) : { width, height };
  } catch (error) {
    return refuseUndecodable(error);
  }
}

async function validateBytes(source: ByteSource): Promise<Refusal | undefined> {
  if (source.size === 0) return refuse(422, messages.empty);
  const format = detectFormat(await source.read(0, 16));
  if (format === "jpeg") return (await countScans(source)) > maxScans ? refuse(422, serverMessages.tooSlow) : undefined;
  if (format === "png") return validateChunks(source);
  return format === "webp" ? undefined : refuse(415, messages.imageType);
}

/**
 * A progressive JPEG is drawn once for each of its scans. Ten are usual; thousands, which take little space in the file, keep a processor
 * busy for hours. Within a scan FF is followed by 00, so FF DA starts one (T.81 §B.1.1.2).
 */
async function countScans(source: ByteSource): Promise<number> {
  let scans = 0;
  for (let start = 0; start < source.size; start += windowBytes) {
    // One more byte, because a marker may cross the border of two windows.
    const window = Buffer.from(await source.read(start, windowBytes + 1));
    for (let at = window.indexOf(startOfScan); at >= 0; at = window.indexOf(startOfScan, at + 2)) scans += 1;
  }
  return scans;
}

const startOfScan = Buffer.from([0xff, 0xda]);
const maxScans = 100;
const windowBytes = 262_144;

/**
 * Refuses an animated PNG, which has an acTL chunk before its first IDAT (PNG, third edition, §11.3.6), one with very many chunks, because
 * libpng warns about each that is invalid and sharp reports each warning on the event loop, and one whose texts and color profiles
 * unpack to too much, because libpng unpacks each.
 */
async function validateChunks(source: ByteSource): Promise<Refusal | undefined> {
  let window = Buffer.alloc(0);
  let [windowStart, hasPixels] = [0, false];
  let [at, inflatedBytes] = [8, 0];
  for (let chunks = 0; at < source.size; chunks++) {
    if (chunks === maxChunks) return refuse(422, serverMessages.tooSlow);
    if (at + 8 > windowStart + window.length)
      [window, windowStart] = [Buffer.from(await source.read(at, windowBytes)), at];
    const head = window.subarray(at - windowStart, at - windowStart + 8);
    if (head.length < 8) return undefined;
    const type = head.toString("latin1", 4);
    if (type === "IEND") return undefined;
    if (type === "acTL" && !hasPixels) return refuse(422, serverMessages.animated);
    const length = head.readUInt32BE(0);
    if (type === "zTXt" || type === "iTXt" || type === "iCCP") {
      const packed = packedBytes(type, Buffer.from(await source.read(at + 8, length)));
      const limit = maxInflatedBytes - inflatedBytes;
      inflatedBytes += packed ? (await inflateContent(packed, { inflater: createInflate(), limit })).length : 0;
      if (inflatedBytes > maxInflatedBytes) return refuse(422, serverMessages.tooSlow);
    }
    hasPixels ||= type === "IDAT";
    // The length, type and checksum take 12 bytes.
    at += length + 12;
  }
  return undefined;
}

/** The compressed bytes of a text or color profile; undefined for a text without compression (PNG, third edition, §11.3.2.3, §11.3.3). */
function packedBytes(type: "zTXt" | "iTXt" | "iCCP", content: Buffer): Buffer | undefined {
  const afterName = content.indexOf(0) + 1;
  if (type !== "iTXt") return content.subarray(afterName + 1);
  const afterLanguage = content.indexOf(0, afterName + 2) + 1;
  return content[afterName] === 0 ? undefined : content.subarray(content.indexOf(0, afterLanguage) + 1);
}

/** Some encoders write pixels in chunks of 8 kB: 640 chunks for an upload of the maximum size. */
const maxChunks = 5_000;
/** Of all texts and color profiles together. Image editors write a few hundred kB; libpng unpacks as much as 8 MB of each. */
const maxInflatedBytes = 8_000_000;
