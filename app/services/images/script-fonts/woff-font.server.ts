import { promisify } from "node:util";
import { inflate } from "node:zlib";

import type { FontTables } from "./truetype-font.server.ts";

/**
 * Reads the tables of a WOFF 1.0 file, except those in `without`. Throws for an invalid or truncated file. Decompresses off the event loop.
 */
export async function readWoff(
  file: Buffer,
  { without = [] }: { without?: readonly string[] } = {},
): Promise<{ flavor: number; tables: FontTables }> {
  if (file.toString("latin1", 0, 4) !== "wOFF" || file.readUInt32BE(8) !== file.length) {
    throw new Error("Incomplete WOFF file");
  }
  const entries = Array.from({ length: file.readUInt16BE(12) }, (_, at) => 44 + 20 * at);
  const wanted = entries.filter((entry) => !without.includes(tagOf(file, entry)));
  const tables = await Promise.all(wanted.map((entry) => unpack(file, entry)));
  return { flavor: file.readUInt32BE(4), tables: new Map(tables) };
}

const tagOf = (file: Buffer, entry: number) => file.toString("latin1", entry, entry + 4);

const inflated = promisify(inflate);

/** WOFF §4: an entry has the tag, offset, compressed and original length, and checksum. Equal lengths mean: not compressed. */
async function unpack(file: Buffer, entry: number): Promise<[string, Buffer]> {
  const [offset = 0, packed = 0, length = 0] = [4, 8, 12].map((at) => file.readUInt32BE(entry + at));
  const bytes = file.subarray(offset, offset + packed);
  const table = packed < length ? await inflated(bytes, { maxOutputLength: length }) : bytes;
  if (table.length !== length) throw new Error("Incomplete WOFF file");
  return [tagOf(file, entry), table];
}
