import { createInflateRaw } from "node:zlib";
import type { Inflate, InflateRaw } from "node:zlib";

import type { ByteSource } from "./byte-source.server.ts";

export type ZipEntry = {
  name: string;
  isEncrypted: boolean;
  /** 0: stored, 8: deflated. */
  method: number;
  /** The declared sizes, in bytes. */
  packed: number;
  size: number;
  start: number;
};

/**
 * The entries of an archive (APPNOTE.TXT §4.3). Undefined for an archive that is truncated, or has bytes before its first entry or between
 * its directory and its end record.
 */
export async function listZipEntries(source: ByteSource): Promise<ZipEntry[] | undefined> {
  const end = await findEndRecord(source);
  if (!end || end.count > maxEntries) return undefined;
  const directory = Buffer.from(await source.read(end.start, end.size));
  // Readers that locate the directory by its offset, and readers that locate it before the end record, must find the same one.
  if (directory.length < end.size || end.start + end.size !== end.at) return undefined;
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at < directory.length) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02_01_4b_50) return undefined;
    const length = 46 + [28, 30, 32].reduce((total, field) => total + directory.readUInt16LE(at + field), 0);
    entries.push(readEntry(directory.subarray(at, at + length)));
    at += length;
  }
  return at === directory.length && entries.length === end.count ? entries : undefined;
}

const maxEntries = 5_000;

type EndRecord = { at: number; count: number; size: number; start: number };

/** The end record is the last record, followed only by a comment of the length it declares (at most 65,535 bytes). */
async function findEndRecord(source: ByteSource): Promise<EndRecord | undefined> {
  const length = Math.min(source.size, 22 + 65_535);
  const tail = Buffer.from(await source.read(source.size - length, length));
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== 0x06_05_4b_50 || at + 22 + tail.readUInt16LE(at + 20) !== tail.length) continue;
    const [count, total] = [tail.readUInt16LE(at + 8), tail.readUInt16LE(at + 10)];
    const [size, start] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
    return count === total ? readZip64End(source, { at: source.size - length + at, count, size, start }) : undefined;
  }
  return undefined;
}

/**
 * The larger end record of ZIP64, which some programs write for small archives too, if a locator says where it is (APPNOTE.TXT §4.3.14,
 * §4.3.15). Undefined when it isn't right before the locator, or when the two records disagree.
 */
async function readZip64End(source: ByteSource, end: EndRecord): Promise<EndRecord | undefined> {
  const locator = Buffer.from(await source.read(Math.max(0, end.at - 20), 20));
  if (locator.length < 20 || locator.readUInt32LE(0) !== 0x07_06_4b_50) return end;
  const at = readUint64(locator, 8);
  const record = Buffer.from(await source.read(at, 56));
  if (record.length < 56 || record.readUInt32LE(0) !== 0x06_06_4b_50) return undefined;
  const [count, size, start] = [readUint64(record, 32), readUint64(record, 40), readUint64(record, 48)];
  const isSame =
    at + 12 + readUint64(record, 4) === end.at - 20 &&
    (end.count === count || end.count === 0xff_ff) &&
    (end.size === size || end.size === inZip64) &&
    (end.start === start || end.start === inZip64);
  return isSame ? { at, count, size, start } : undefined;
}

/** Unpacks an entry, as `inflateContent` does. Undefined when it can't be found or read. */
export async function readZipEntry(source: ByteSource, entry: ZipEntry, options: { limit: number; isKept: boolean }) {
  const head = Buffer.from(await source.read(entry.start, 30));
  if (head.length < 30 || head.readUInt32LE(0) !== 0x04_03_4b_50) return undefined;
  const start = entry.start + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  const packed = await source.read(start, entry.packed);
  if (packed.length < entry.packed) return undefined;
  if (entry.method === 0) return { length: packed.length, isDamaged: false, bytes: Buffer.from(packed) };
  if (entry.method !== 8) return undefined;
  return inflateContent(packed, { inflater: createInflateRaw(), ...options });
}

function readEntry(entry: Buffer): ZipEntry {
  const nameLength = entry.readUInt16LE(28);
  const extra = entry.subarray(46 + nameLength, 46 + nameLength + entry.readUInt16LE(30));
  const [size = 0, packed = 0, start = 0] = readZip64Numbers(
    [24, 20, 42].map((at) => entry.readUInt32LE(at)),
    extra,
  );
  return {
    name: entry.toString("utf8", 46, 46 + nameLength),
    isEncrypted: (entry.readUInt16LE(8) & 1) === 1,
    method: entry.readUInt16LE(10),
    packed,
    size,
    start,
  };
}

/** APPNOTE.TXT §4.5.3: the extra field 1 holds, in this order, the numbers that have all bits set in the entry. */
function readZip64Numbers(numbers: number[], extra: Buffer): number[] {
  let at = 0;
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2);
  at += 4;
  return numbers.map((number) => {
    if (number !== inZip64 || at + 8 > extra.length) return number;
    at += 8;
    return readUint64(extra, at - 8);
  });
}

/** In place of a 32-bit number that the ZIP64 record or field has. */
const inZip64 = 0xff_ff_ff_ff;

/** Numbers beyond any file are cut to the largest one that a file can be read at. */
function readUint64(bytes: Buffer, at: number): number {
  return Math.min(Number(bytes.readBigUInt64LE(at)), 2 ** 48);
}

type Inflated = { length: number; isDamaged: boolean; bytes: Buffer };

/**
 * Unpacks deflated bytes and stops once there are more than `limit`, so that a bomb takes no longer than that. `length` is the number of
 * bytes unpacked until then or until the damage; `bytes` is empty unless they are to be kept.
 */
export async function inflateContent(
  packed: Uint8Array,
  { inflater, limit, isKept = false }: { inflater: Inflate | InflateRaw; limit: number; isKept?: boolean },
): Promise<Inflated> {
  inflater.end(packed);
  const inflated: Inflated = { length: 0, isDamaged: false, bytes: Buffer.alloc(0) };
  const kept: Buffer[] = [];
  try {
    for await (const chunk of inflater as AsyncIterable<Buffer>) {
      inflated.length += chunk.length;
      if (inflated.length > limit) break;
      if (isKept) kept.push(chunk);
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && String(error.code).startsWith("Z_"))) throw error;
    inflated.isDamaged = true;
  }
  return { ...inflated, bytes: Buffer.concat(kept) };
}
