import { messages } from "./messages.ts";
import { refuse } from "./refusal.ts";
import type { Refusal } from "./refusal.ts";
import type { Source } from "./source.server.ts";
import { inflateEntry, listEntries } from "./zip.server.ts";
import type { ZipEntry } from "./zip.server.ts";

/**
 * Whether a ZIP archive is a Word document (ECMA-376 Part 2) without macros and passwords, and no bomb: nobody who opens it gets more than
 * it says, and it says no more than a real document may.
 */
export async function refuseWordArchive(source: Source): Promise<Refusal | undefined> {
  const entries = await listEntries(source);
  if (!entries) return refuse(422, messages.damagedDocument);
  return refuseByNames(entries) ?? refuseBySize(entries, source.size) ?? (await refuseByContent(source, entries));
}

function refuseByNames(entries: ZipEntry[]): Refusal | undefined {
  const names = new Set(entries.map(({ name }) => name));
  if (!names.has(TYPES) || !names.has("word/document.xml")) return refuse(415, messages.resumeType);
  if (entries.some(({ isEncrypted }) => isEncrypted)) return refuse(422, messages.encrypted);
  if (entries.some(({ name }) => /(^|\/)vba\w*\.(bin|xml)$/i.test(name))) return refuse(422, messages.macros);
  // Names that lead out of the folder they are unpacked to, and the same name twice: what one reader checks another may not open.
  const isOdd = entries.length > names.size || entries.some(({ name }) => /(^|\/)\.\.(\/|$)|^\/|[\\\0:]/.test(name));
  return isOdd ? refuse(422, messages.damagedDocument) : undefined;
}

/** Entries may share one place in the archive: packed, they are then larger than all of it. */
function refuseBySize(entries: ZipEntry[], archive: number): Refusal | undefined {
  const unpacked = entries.reduce((sum, { size }) => sum + size, 0);
  const packed = entries.reduce((sum, entry) => sum + entry.packed, 0);
  return unpacked > MOST_UNPACKED || packed > archive ? refuse(422, messages.bomb) : undefined;
}

/** Unpacks each entry as far as it says it goes, and throws it away; what then is not at its end has lied. */
async function refuseByContent(source: Source, entries: ZipEntry[]): Promise<Refusal | undefined> {
  for (const entry of entries) {
    const content = await inflateEntry(source, entry, { keep: entry.name === TYPES });
    if (content.kind === "longer") return refuse(422, messages.bomb);
    if (content.kind === "damaged") return refuse(422, messages.damagedDocument);
    if (entry.name !== TYPES) continue;
    if (/macroEnabled/i.test(content.text)) return refuse(422, messages.macros);
    if (!content.text.includes(DOCUMENT)) return refuse(415, messages.resumeType);
  }
  return undefined;
}

const TYPES = "[Content_Types].xml";
const DOCUMENT = "wordprocessingml.document.main+xml";
const MOST_UNPACKED = 100_000_000;
