/** The tables of a font by their tags: "cmap", "glyf" … */
export type FontTables = Map<string, Buffer>;

/** Reads the tables of a TrueType file. */
export function readTrueType(file: Buffer): { flavor: number; tables: FontTables } {
  const entries = Array.from({ length: file.readUInt16BE(4) }, (_, at) => 12 + 16 * at);
  const tables = entries.map((entry): [string, Buffer] => {
    const offset = file.readUInt32BE(entry + 8);
    return [file.toString("latin1", entry, entry + 4), file.subarray(offset, offset + file.readUInt32BE(entry + 12))];
  });
  return { flavor: file.readUInt32BE(0), tables: new Map(tables) };
}

/**
 * Writes a TrueType file. OpenType, "Organization of an OpenType font": a directory sorted by tag; each table starts on a multiple of four.
 * Checksums stay 0, because FreeType, HarfBuzz and fontkit don't compare them.
 */
export function writeTrueType(flavor: number, tables: FontTables): Buffer {
  const sorted = [...tables].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const directory = Buffer.alloc(12 + 16 * sorted.length);
  directory.writeUInt32BE(flavor, 0);
  directory.writeUInt16BE(sorted.length, 4);
  const parts: Uint8Array[] = [directory];
  let offset = directory.length;
  for (const [index, [tag, table]] of sorted.entries()) {
    const entry = 12 + 16 * index;
    directory.write(tag, entry, "latin1");
    directory.writeUInt32BE(offset, entry + 8);
    directory.writeUInt32BE(table.length, entry + 12);
    const padding = Buffer.alloc(-table.length & 3);
    parts.push(table, padding);
    offset += table.length + padding.length;
  }
  return Buffer.concat(parts);
}

/** A table "name" with a family (name 1) and a style (name 2), in the encoding of Windows: UTF-16, American English. */
export function nameTable(family: string): Buffer {
  const names = [family, "Regular"].map((name) => Buffer.from(name, "utf16le").swap16());
  const head = Buffer.alloc(6 + 12 * names.length);
  head.writeUInt16BE(names.length, 2);
  head.writeUInt16BE(head.length, 4);
  let offset = 0;
  for (const [index, name] of names.entries()) {
    const record = [3, 1, 0x409, index + 1, name.length, offset];
    for (const [field, value] of record.entries()) head.writeUInt16BE(value, 6 + 12 * index + 2 * field);
    offset += name.length;
  }
  return Buffer.concat([head, ...names]);
}
