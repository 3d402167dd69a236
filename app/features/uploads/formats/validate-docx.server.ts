import { createInflateRaw } from "node:zlib";

import { messages } from "#app/features/uploads/messages.ts";
import { refuse } from "#app/features/uploads/rules.ts";
import type { Refusal } from "#app/features/uploads/rules.ts";

import type { ByteSource } from "./detect.server.ts";

/**
 * Refuses a ZIP archive that isn't a Word document (ECMA-376 Part 2) without macros and password, or that is a bomb: no entry may unpack
 * to more than it declares, and all together may declare no more than a real document. Why this isn't a library:
 * docs/decisions/0023-parsers-for-uploaded-documents.md.
 */
export async function validateDocx(source: ByteSource): Promise<Refusal | undefined> {
  const entries = await listEntries(source);
  if (!entries) return refuse(422, messages.damagedDocument);
  return validateNames(entries) ?? validateSizes(entries, source.size) ?? (await validateContents(source, entries));
}

function validateNames(entries: ZipEntry[]): Refusal | undefined {
  const names = new Set(entries.map(({ name }) => name));
  if (!names.has(contentTypesName) || !names.has("word/document.xml")) return refuse(415, messages.resumeType);
  if (entries.some(({ isEncrypted }) => isEncrypted)) return refuse(422, messages.encrypted);
  if (entries.some(({ name }) => /(^|\/)vba\w*\.(bin|xml)$/i.test(name))) return refuse(422, messages.macros);
  // Names that leave the folder they are unpacked to, and duplicates: another reader may open the entry that this one didn't check.
  const isInvalid =
    entries.length > names.size || entries.some(({ name }) => /(^|\/)\.\.(\/|$)|^\/|[\\\0:]/.test(name));
  return isInvalid ? refuse(422, messages.damagedDocument) : undefined;
}

/** Entries may share the same bytes of the archive: then they are larger than the archive when added up. */
function validateSizes(entries: ZipEntry[], archiveBytes: number): Refusal | undefined {
  const unpacked = entries.reduce((sum, { size }) => sum + size, 0);
  const packed = entries.reduce((sum, entry) => sum + entry.packed, 0);
  return unpacked > maxUnpackedBytes || packed > archiveBytes ? refuse(422, messages.bomb) : undefined;
}

/** Unpacks each entry up to its declared size and discards it; an entry that is longer declared a wrong size. */
async function validateContents(source: ByteSource, entries: ZipEntry[]): Promise<Refusal | undefined> {
  for (const entry of entries) {
    const content = await inflateEntry(source, entry, { withText: entry.name === contentTypesName });
    if (content.kind === "longer") return refuse(422, messages.bomb);
    if (content.kind === "damaged") return refuse(422, messages.damagedDocument);
    if (entry.name !== contentTypesName) continue;
    if (/macroEnabled/i.test(content.text)) return refuse(422, messages.macros);
    if (!content.text.includes(documentContentType)) return refuse(415, messages.resumeType);
  }
  return undefined;
}

const contentTypesName = "[Content_Types].xml";
const documentContentType = "wordprocessingml.document.main+xml";
const maxUnpackedBytes = 100_000_000;

type ZipEntry = {
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
 * The entries of an archive (APPNOTE.TXT §4.3). Undefined for an archive that is truncated, spans disks, uses ZIP64 (no file under 4 GB
 * needs it), or has bytes before its first entry or between its directory and its end record.
 */
async function listEntries(source: ByteSource): Promise<ZipEntry[] | undefined> {
  const end = await findEndRecord(source);
  if (!end) return undefined;
  const directory = Buffer.from(await source.read(end.start, end.size));
  // Readers that locate the directory by its offset, and readers that locate it before the end record, must find the same one.
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

/** `longer`: the entry is longer than its declared size. `text` is "" unless it was requested. */
type InflateResult = { kind: "read"; text: string } | { kind: "longer" } | { kind: "damaged" };

/** Unpacks an entry up to its declared size, without holding it in memory. */
async function inflateEntry(
  source: ByteSource,
  entry: ZipEntry,
  { withText }: { withText: boolean },
): Promise<InflateResult> {
  const head = Buffer.from(await source.read(entry.start, 30));
  if (head.length < 30 || head.readUInt32LE(0) !== 0x04_03_4b_50) return { kind: "damaged" };
  const start = entry.start + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  const packed = await source.read(start, entry.packed);
  if (packed.length < entry.packed || entry.packed > source.size) return { kind: "damaged" };
  if (entry.method === 0) {
    if (entry.packed !== entry.size) return { kind: "longer" };
    return { kind: "read", text: withText ? Buffer.from(packed).toString() : "" };
  }
  return entry.method === 8 ? inflate(packed, entry.size, withText) : { kind: "damaged" };
}

async function inflate(packed: Uint8Array, size: number, withText: boolean): Promise<InflateResult> {
  const inflated = createInflateRaw();
  inflated.end(packed);
  let length = 0;
  const text: Buffer[] = [];
  try {
    for await (const chunk of inflated as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > size) return { kind: "longer" };
      if (withText && length < maxTextBytes) text.push(chunk);
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_")) return { kind: "damaged" };
    throw error;
  }
  return length === size ? { kind: "read", text: Buffer.concat(text).toString() } : { kind: "damaged" };
}

const maxTextBytes = 1_000_000;

/** The end record is the last record, followed only by a comment of the length it declares (at most 65,535 bytes). */
async function findEndRecord(source: ByteSource) {
  const length = Math.min(source.size, 22 + 65_535);
  const tail = Buffer.from(await source.read(source.size - length, length));
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== 0x06_05_4b_50 || at + 22 + tail.readUInt16LE(at + 20) !== tail.length) continue;
    const [disk, count, total] = [tail.readUInt16LE(at + 4), tail.readUInt16LE(at + 8), tail.readUInt16LE(at + 10)];
    if (disk !== 0 || count !== total || count > maxEntries) return undefined;
    const [size, start] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
    return { at: source.size - length + at, count, size, start };
  }
  return undefined;
}

const maxEntries = 5_000;

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
