import { createInflateRaw } from "node:zlib";

import { messages, serverMessages, notResume } from "#app/features/uploads/messages.ts";
import { refuse } from "#app/features/uploads/rules.ts";
import type { Refusal } from "#app/features/uploads/rules.ts";

import type { ByteSource } from "./detect.server.ts";
import { contentTypesPart, identifyPackage } from "./docx-parts.server.ts";
import { inflateContent } from "./inflate-content.server.ts";

/**
 * Refuses a ZIP archive that isn't a Word document or template (see `identifyPackage`) without password, or that is a bomb: no entry may
 * unpack to more than it declares, and all together may declare no more than a real document. Why this isn't a library:
 * docs/decisions/0023-parsers-for-uploaded-documents.md.
 */
export async function validateDocx(source: ByteSource): Promise<"docx" | "dotx" | Refusal> {
  const entries = await listEntries(source);
  if (!entries) return refuse(422, serverMessages.damagedDocument);
  const refusal = validateNames(entries) ?? validateSizes(entries, source.size);
  if (refusal) return refusal;
  const texts = await readContents(source, entries);
  return texts instanceof Map ? identifyPackage(new Set(entries.map(partName)), texts) : texts;
}

/** Readers of packages ignore case (ECMA-376 Part 2). */
function partName({ name }: ZipEntry): string {
  return `/${name.toLowerCase()}`;
}

function validateNames(entries: ZipEntry[]): Refusal | undefined {
  const names = new Set(entries.map(partName));
  if (!names.has(contentTypesPart)) {
    const isPages = entries.some(({ name }) => /^Index(?:\.zip|\/.*\.iwa)$/.test(name));
    const other = names.has("/content.xml") ? "odt" : isPages ? "pages" : undefined;
    return refuse(415, other ? notResume(other) : messages.resumeType);
  }
  if (entries.some(({ isEncrypted }) => isEncrypted)) return refuse(422, serverMessages.encrypted);
  // Names that leave the folder they are unpacked to, and duplicates: another reader may open the entry that this one didn't check.
  const isInvalid =
    entries.length > names.size || entries.some(({ name }) => /(^|\/)\.\.(\/|$)|^\/|[\\\0:]/.test(name));
  return isInvalid ? refuse(422, serverMessages.damagedDocument) : undefined;
}

/** Entries may share the same bytes of the archive: then they are larger than the archive when added up. */
function validateSizes(entries: ZipEntry[], archiveBytes: number): Refusal | undefined {
  const [unpacked, packed] = [sum(entries.map(({ size }) => size)), sum(entries.map((entry) => entry.packed))];
  const texts = sum(entries.filter(isPackageText).map(({ size }) => size));
  const isBomb = unpacked > maxUnpackedBytes || texts > maxTextBytes || packed > archiveBytes;
  return isBomb ? refuse(422, serverMessages.bomb) : undefined;
}

/** Unpacks each entry up to its declared size; an entry that is longer declared a wrong size. Returns the texts of `isPackageText`. */
async function readContents(source: ByteSource, entries: ZipEntry[]): Promise<Map<string, string> | Refusal> {
  const texts = new Map<string, string>();
  for (const entry of entries) {
    const content = await readEntryContent(source, entry);
    if (!content || content.isDamaged || content.length < entry.size)
      return refuse(422, serverMessages.damagedDocument);
    if (content.length > entry.size) return refuse(422, serverMessages.bomb);
    if (isPackageText(entry)) texts.set(partName(entry), content.bytes.toString());
  }
  return texts;
}

/** What says how the parts of a package belong together: their content types and relationships. */
function isPackageText(entry: ZipEntry): boolean {
  return partName(entry) === contentTypesPart || partName(entry).endsWith(".rels");
}

/** Undefined when the entry can't be found or read. */
async function readEntryContent(source: ByteSource, entry: ZipEntry) {
  const head = Buffer.from(await source.read(entry.start, 30));
  if (head.length < 30 || head.readUInt32LE(0) !== 0x04_03_4b_50) return undefined;
  const start = entry.start + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  const packed = await source.read(start, entry.packed);
  if (packed.length < entry.packed) return undefined;
  if (entry.method === 0) return { length: packed.length, isDamaged: false, bytes: Buffer.from(packed) };
  if (entry.method !== 8) return undefined;
  return inflateContent(packed, { inflater: createInflateRaw(), limit: entry.size, isKept: isPackageText(entry) });
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

const maxUnpackedBytes = 100_000_000;
/** Of content types and relationships: enough for thousands of links. */
const maxTextBytes = 1_000_000;

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
 * The entries of an archive (APPNOTE.TXT §4.3). Undefined for an archive that is truncated, or has bytes before its first entry or between
 * its directory and its end record.
 */
async function listEntries(source: ByteSource): Promise<ZipEntry[] | undefined> {
  const end = await findEndRecord(source);
  if (!end || end.count > maxEntries) return undefined;
  const directory = Buffer.from(await source.read(end.start, end.size));
  // Readers that locate the directory by its offset, and readers that locate it before the end record, must find the same one.
  if (directory.length < end.size || end.start + end.size !== end.at) return undefined;
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at < directory.length) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02_01_4b_50) return undefined;
    const length = 46 + sum([28, 30, 32].map((field) => directory.readUInt16LE(at + field)));
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
