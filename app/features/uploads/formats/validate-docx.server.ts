import { messages, serverMessages, notResume } from "#app/features/uploads/messages.ts";
import { refuse } from "#app/features/uploads/rules.ts";
import type { Refusal } from "#app/features/uploads/rules.ts";
import type { ByteSource } from "#app/services/archives/byte-source.server.ts";
import { listZipEntries, readZipEntry } from "#app/services/archives/zip-archive.server.ts";
import type { ZipEntry } from "#app/services/archives/zip-archive.server.ts";

import { contentTypesPart, identifyPackage } from "./docx-parts.server.ts";

/**
 * Refuses a ZIP archive that isn't a Word document or template (see `identifyPackage`) without password, or that is a bomb: no entry may
 * unpack to more than it declares, and all together may declare no more than a real document. Why this isn't a library:
 * docs/decisions/0023-parsers-for-uploaded-documents.md.
 */
export async function validateDocx(source: ByteSource): Promise<"docx" | "dotx" | Refusal> {
  const entries = await listZipEntries(source);
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
    const content = await readZipEntry(source, entry, { limit: entry.size, isKept: isPackageText(entry) });
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

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

const maxUnpackedBytes = 100_000_000;
/** Of content types and relationships: enough for thousands of links. */
const maxTextBytes = 1_000_000;
