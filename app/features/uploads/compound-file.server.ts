import { messages } from "./messages.ts";
import { refuse } from "./refusal.ts";
import type { Refusal } from "./refusal.ts";
import type { Source } from "./source.server.ts";

/**
 * Whether a compound file ([MS-CFB]: files within a file, what Office wrote until 2003) is a Word document: it holds one named
 * WordDocument. Spreadsheets, installers and mails are compound files too.
 */
export async function refuseCompoundFile(source: Source): Promise<Refusal | undefined> {
  const names = await listNames(source);
  if (!names) return refuse(422, messages.damagedDocument);
  if (names.has("EncryptedPackage")) return refuse(422, messages.encrypted);
  if (!names.has("WordDocument")) return refuse(415, messages.resumeType);
  return names.has("Macros") || names.has("_VBA_PROJECT") ? refuse(422, messages.macros) : undefined;
}

/** The names in its directory; undefined when it has none that can be read. */
async function listNames(source: Source): Promise<Set<string> | undefined> {
  const header = Buffer.from(await source.read(0, 512));
  if (header.length < 512) return undefined;
  const shift = header.readUInt16LE(0x1e);
  if (shift !== 9 && shift !== 12) return undefined;
  const sectorSize = 2 ** shift;
  const most = Math.ceil(source.size / sectorSize);
  const names = new Set<string>();
  let sector = header.readUInt32LE(0x30);
  // Each sector once at most: a chain may be made to bite its own tail.
  for (let read = 0; sector <= LAST_SECTOR; read++) {
    if (read > most) return undefined;
    const bytes = Buffer.from(await source.read((sector + 1) * sectorSize, sectorSize));
    if (bytes.length < sectorSize) return undefined;
    for (let at = 0; at < sectorSize; at += ENTRY) addName(names, bytes.subarray(at, at + ENTRY));
    const next = await nextSector(source, { header, sector, sectorSize });
    if (next === undefined) return undefined;
    sector = next;
  }
  return sector === END_OF_CHAIN ? names : undefined;
}

type Place = { header: Buffer; sector: number; sectorSize: number };

/** From the table of sectors. Its first 109 parts are named in the header: enough for 7 MB. */
async function nextSector(source: Source, { header, sector, sectorSize }: Place): Promise<number | undefined> {
  const perPart = sectorSize / 4;
  const part = Math.floor(sector / perPart);
  if (part >= 109) return undefined;
  const start = (header.readUInt32LE(0x4c + part * 4) + 1) * sectorSize + (sector % perPart) * 4;
  const bytes = Buffer.from(await source.read(start, 4));
  return bytes.length === 4 ? bytes.readUInt32LE(0) : undefined;
}

/** [MS-CFB] §2.6.1: a name in UTF-16 and its length in bytes with the zero at its end; type 0 is an entry that is not used. */
function addName(names: Set<string>, entry: Buffer) {
  const length = entry.readUInt16LE(64);
  if (entry[66] !== 0 && length >= 2 && length <= 64) names.add(entry.toString("utf16le", 0, length - 2));
}

const ENTRY = 128;
const LAST_SECTOR = 0xff_ff_ff_fa;
const END_OF_CHAIN = 0xff_ff_ff_fe;
