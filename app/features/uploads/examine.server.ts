import sharp from "sharp";
import type { Sharp } from "sharp";

import type { Size } from "./crop.ts";
import { messages } from "./messages.ts";
import { refuse } from "./refusal.ts";
import type { Refusal } from "./refusal.ts";
import { sniff } from "./sniff.server.ts";
import { withSource } from "./source.server.ts";
import type { Source } from "./source.server.ts";

// Only these are ever read, whatever bytes arrive: sharp would draw SVG, open TIFF, GIF, PDF and more.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp"] });
// One picture at a time on one thread, and nothing kept of it: memory stays where it is.
sharp.concurrency(1);
sharp.cache(false);

export type Picture = Size & { kind: "picture"; open: () => Sharp };

const MAX_PIXELS = 40_000_000;
/** libvips holds whole lines at work: a picture of 4,000,000 by 9, in 280 kB, took six gigabytes. */
const MAX_SIDE = 16_384;
const MAX_SECONDS = 15;

/** Whether an upload is a picture that can be taken: asked of its bytes, before any of its pixels is decoded. */
export async function examine(upload: { file: string } | Uint8Array): Promise<Picture | Refusal> {
  const refusal = await withSource(upload, refuseByBytes);
  if (refusal) return refusal;
  const input = upload instanceof Uint8Array ? upload : upload.file;
  const size = await readSize(input);
  if ("message" in size) return size;
  const open = () =>
    sharp(input, { limitInputPixels: MAX_PIXELS, failOn: "error" }).timeout({ seconds: MAX_SECONDS }).autoOrient();
  return { kind: "picture", ...size, open };
}

/** What can't be decoded: broken, or so made that decoding takes for ever. */
export function refuseDamaged(error: unknown): Refusal {
  const isSlow = error instanceof Error && error.message.includes("timeout");
  return refuse(422, isSlow ? messages.tooSlow : messages.damagedPicture);
}

async function readSize(input: string | Uint8Array): Promise<Size | Refusal> {
  try {
    const { autoOrient, pages = 1 } = await sharp(input, { limitInputPixels: false, failOn: "error" }).metadata();
    if (pages > 1) return refuse(422, messages.animated);
    const { width, height } = autoOrient;
    if (width * height > MAX_PIXELS) return refuse(422, messages.tooManyPixels);
    return Math.max(width, height) > MAX_SIDE ? refuse(422, messages.tooLong) : { width, height };
  } catch (error) {
    return refuseDamaged(error);
  }
}

async function refuseByBytes(source: Source): Promise<Refusal | undefined> {
  if (source.size === 0) return refuse(422, messages.empty);
  const kind = sniff(await source.read(0, 16));
  if (kind === "jpeg") return (await countScans(source)) > MAX_SCANS ? refuse(422, messages.tooSlow) : undefined;
  if (kind === "png") return (await isAnimatedPng(source)) ? refuse(422, messages.animated) : undefined;
  return kind === "webp" ? undefined : refuse(415, messages.pictureType);
}

/**
 * A progressive JPEG is drawn once for each of its scans. Ten are usual; thousands, which take no room in the file, keep a processor
 * busy for hours. In what a scan holds FF is followed by 00, so FF DA starts one (T.81 §B.1.1.2).
 */
async function countScans(source: Source): Promise<number> {
  let scans = 0;
  for (let start = 0; start < source.size; start += PIECE) {
    // One byte more: a mark may lie across the border.
    const piece = Buffer.from(await source.read(start, PIECE + 1));
    for (let at = piece.indexOf(START_OF_SCAN); at >= 0; at = piece.indexOf(START_OF_SCAN, at + 2)) scans += 1;
  }
  return scans;
}

const START_OF_SCAN = Buffer.from([0xff, 0xda]);
const MAX_SCANS = 100;
const PIECE = 262_144;

/** PNG, third edition, §11.3.6: a picture that moves says so (acTL) before its first pixel (IDAT). */
async function isAnimatedPng(source: Source): Promise<boolean> {
  let start = 8;
  for (let chunks = 0; chunks < MAX_CHUNKS && start < source.size; chunks++) {
    const head = Buffer.from(await source.read(start, 8));
    if (head.length < 8) return false;
    const type = head.toString("latin1", 4);
    if (type === "acTL") return true;
    if (type === "IDAT") return false;
    // Length, type and checksum are 12 bytes.
    start += head.readUInt32BE(0) + 12;
  }
  return false;
}

const MAX_CHUNKS = 5_000;
