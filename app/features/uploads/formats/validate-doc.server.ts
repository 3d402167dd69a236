import { messages, serverMessages } from "#app/features/uploads/messages.ts";
import { refuse } from "#app/features/uploads/rules.ts";
import type { Refusal } from "#app/features/uploads/rules.ts";
import type { ByteSource } from "#app/services/archives/byte-source.server.ts";

/**
 * Refuses a compound file ([MS-CFB], the container of Office until 2003) that isn't a Word document without macros, OLE objects and password. A Word
 * document has a stream named WordDocument; spreadsheets, installers and emails are compound files too. Why this isn't a library:
 * docs/decisions/0023-parsers-for-uploaded-documents.md.
 */
export async function validateDoc(source: ByteSource): Promise<Refusal | undefined> {
  const names = await listNames(source);
  if (!names) return refuse(422, serverMessages.damagedDocument);
  if (names.has("EncryptedPackage")) return refuse(422, serverMessages.encrypted);
  if (!names.has("WordDocument")) return refuse(415, messages.resumeType);
  if (names.has("Macros") || names.has("_VBA_PROJECT")) return refuse(422, messages.macros);
  // [MS-DOC], ObjectPool storage: each embedded or linked OLE object has a stream of this name.
  return names.has("\u0003ObjInfo") ? refuse(422, serverMessages.embedded) : undefined;
}

/** The names in the directory; undefined when it can't be read. */
async function listNames(source: ByteSource): Promise<Set<string> | undefined> {
  const header = Buffer.from(await source.read(0, 512));
  if (header.length < 512) return undefined;
  const shift = header.readUInt16LE(0x1e);
  if (shift !== 9 && shift !== 12) return undefined;
  const sectorSize = 2 ** shift;
  const maxSectors = Math.ceil(source.size / sectorSize);
  const names = new Set<string>();
  let sector = header.readUInt32LE(0x30);
  // A chain of sectors may be cyclic: read no more sectors than the file has.
  for (let read = 0; sector <= lastSector; read++) {
    if (read > maxSectors) return undefined;
    const bytes = Buffer.from(await source.read((sector + 1) * sectorSize, sectorSize));
    if (bytes.length < sectorSize) return undefined;
    for (let at = 0; at < sectorSize; at += entrySize) addName(names, bytes.subarray(at, at + entrySize));
    const next = await nextSector(source, { header, sector, sectorSize });
    if (next === undefined) return undefined;
    sector = next;
  }
  return sector === endOfChain ? names : undefined;
}

type SectorPosition = { header: Buffer; sector: number; sectorSize: number };

/** Looks the sector up in the allocation table, whose first 109 sectors are listed in the header: enough for 7 MB. */
async function nextSector(
  source: ByteSource,
  { header, sector, sectorSize }: SectorPosition,
): Promise<number | undefined> {
  const perTableSector = sectorSize / 4;
  const tableSector = Math.floor(sector / perTableSector);
  if (tableSector >= 109) return undefined;
  const start = (header.readUInt32LE(0x4c + tableSector * 4) + 1) * sectorSize + (sector % perTableSector) * 4;
  const bytes = Buffer.from(await source.read(start, 4));
  return bytes.length === 4 ? bytes.readUInt32LE(0) : undefined;
}

/** [MS-CFB] §2.6.1: a UTF-16 name, and its length in bytes with the final zero; type 0 is an unused entry. */
function addName(names: Set<string>, entry: Buffer) {
  const length = entry.readUInt16LE(64);
  if (entry[66] !== 0 && length >= 2 && length <= 64) names.add(entry.toString("utf16le", 0, length - 2));
}

const entrySize = 128;
const lastSector = 0xff_ff_ff_fa;
const endOfChain = 0xff_ff_ff_fe;
