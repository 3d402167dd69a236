import { promisify } from "node:util";
import { inflate } from "node:zlib";

/**
 * A WOFF file (W3C Recommendation, version 1) as the TrueType file it was made from: what PDF files embed, and what is read without
 * unpacking a table again for each letter. Throws for what is no such file, or ends too early. Unpacks off the event loop.
 */
export async function trueTypeFromWoff(file: Buffer): Promise<Buffer> {
  if (file.toString("latin1", 0, 4) !== "wOFF" || file.readUInt32BE(8) !== file.length) {
    throw new Error("Not a whole WOFF file");
  }
  const count = file.readUInt16BE(12);
  const tables = await Promise.all(Array.from({ length: count }, (_, at) => unpack(file, 44 + 20 * at)));
  const directory = Buffer.alloc(12 + 16 * count);
  directory.writeUInt32BE(file.readUInt32BE(4), 0);
  directory.writeUInt16BE(count, 4);
  const parts: Uint8Array[] = [directory];
  let offset = directory.length;
  for (const [at, { tag, checksum, table }] of tables.entries()) {
    const entry = 12 + 16 * at;
    directory.write(tag, entry, "latin1");
    directory.writeUInt32BE(checksum, entry + 4);
    directory.writeUInt32BE(offset, entry + 8);
    directory.writeUInt32BE(table.length, entry + 12);
    // OpenType: each table starts on a multiple of four.
    const padding = Buffer.alloc(-table.length & 3);
    parts.push(table, padding);
    offset += table.length + padding.length;
  }
  return Buffer.concat(parts);
}

const inflated = promisify(inflate);

/** WOFF §4: tag, where it is, its packed length and its own, its checksum. One that did not get smaller is not packed. */
async function unpack(file: Buffer, entry: number) {
  const [offset = 0, packed = 0, length = 0, checksum = 0] = [4, 8, 12, 16].map((at) => file.readUInt32BE(entry + at));
  const bytes = file.subarray(offset, offset + packed);
  const table = packed < length ? await inflated(bytes, { maxOutputLength: length }) : bytes;
  if (table.length !== length) throw new Error("Not a whole WOFF file");
  return { tag: file.toString("latin1", entry, entry + 4), checksum, table };
}
