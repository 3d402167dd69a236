import { createInflateRaw } from "node:zlib";

import type { Source } from "./source.server.ts";

export type ZipEntry = {
  name: string;
  isEncrypted: boolean;
  /** 0: stored, 8: deflated. */
  method: number;
  /** In bytes, as the archive says. */
  packed: number;
  size: number;
  start: number;
};

/**
 * What an archive says is in it (APPNOTE.TXT §4.3). Undefined for one that is cut off, spread over disks, needs ZIP64 (nothing under 4 GB
 * does), or has something in front or behind.
 */
export async function listEntries(source: Source): Promise<ZipEntry[] | undefined> {
  const end = await findEnd(source);
  if (!end) return undefined;
  const directory = Buffer.from(await source.read(end.start, end.size));
  if (directory.length < end.size || end.start + end.size !== end.at) return undefined;
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at < directory.length) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02_01_4b_50) return undefined;
    const lengths = [28, 30, 32].map((field) => directory.readUInt16LE(at + field));
    const [nameLength = 0] = lengths;
    entries.push(readEntry(directory.subarray(at), nameLength));
    at += 46 + lengths.reduce((sum, length) => sum + length, 0);
  }
  return at === directory.length && entries.length === end.count ? entries : undefined;
}

/** `longer`: it goes on after the size that it names. `text` is "" unless it is to be kept. */
type Inflated = { kind: "read"; text: string } | { kind: "longer" } | { kind: "damaged" };

/** Unpacks an entry as far as it says that it goes, and holds no more of it than asked. */
export async function inflateEntry(source: Source, entry: ZipEntry, { keep }: { keep: boolean }): Promise<Inflated> {
  const head = Buffer.from(await source.read(entry.start, 30));
  if (head.length < 30 || head.readUInt32LE(0) !== 0x04_03_4b_50) return { kind: "damaged" };
  const start = entry.start + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  const packed = await source.read(start, entry.packed);
  if (packed.length < entry.packed || entry.packed > source.size) return { kind: "damaged" };
  if (entry.method === 0) {
    if (entry.packed !== entry.size) return { kind: "longer" };
    return { kind: "read", text: keep ? Buffer.from(packed).toString() : "" };
  }
  return entry.method === 8 ? inflate(packed, entry.size, keep) : { kind: "damaged" };
}

async function inflate(packed: Uint8Array, size: number, keep: boolean): Promise<Inflated> {
  const inflated = createInflateRaw();
  inflated.end(packed);
  let length = 0;
  const kept: Buffer[] = [];
  try {
    for await (const piece of inflated as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > size) return { kind: "longer" };
      if (keep && length < MOST_KEPT) kept.push(piece);
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_")) return { kind: "damaged" };
    throw error;
  }
  return length === size ? { kind: "read", text: Buffer.concat(kept).toString() } : { kind: "damaged" };
}

const MOST_KEPT = 1_000_000;

/** The record at the very end; behind it there may be a comment of 65,535 bytes, as long as it says it is. */
async function findEnd(source: Source) {
  const length = Math.min(source.size, 22 + 65_535);
  const tail = Buffer.from(await source.read(source.size - length, length));
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== 0x06_05_4b_50 || at + 22 + tail.readUInt16LE(at + 20) !== tail.length) continue;
    const [disk, count, all] = [tail.readUInt16LE(at + 4), tail.readUInt16LE(at + 8), tail.readUInt16LE(at + 10)];
    if (disk !== 0 || count !== all || count > MOST_ENTRIES) return undefined;
    const [size, start] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
    return { at: source.size - length + at, count, size, start };
  }
  return undefined;
}

const MOST_ENTRIES = 5_000;

function readEntry(entry: Buffer, nameLength: number): ZipEntry {
  return {
    name: entry.toString("utf8", 46, 46 + nameLength),
    isEncrypted: (entry.readUInt16LE(8) & 1) === 1,
    method: entry.readUInt16LE(10),
    packed: entry.readUInt32LE(20),
    size: entry.readUInt32LE(24),
    start: entry.readUInt32LE(42),
  };
}
