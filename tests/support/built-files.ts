import { crc32, deflateRawSync, deflateSync } from "node:zlib";

/** A chunk of a PNG: length, type, content, checksum. */
export function pngChunk(type: string, content: Uint8Array = new Uint8Array()): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  return Buffer.concat([uint32(content.length, "be"), body, uint32(crc32(body), "be")]);
}

/** A PNG of eight-bit grey that says it is so large; `between` are chunks before its pixels. */
export function png(
  width: number,
  height: number,
  { between = [], pixels = new Uint8Array(height * (width + 1)) }: { between?: Buffer[]; pixels?: Uint8Array } = {},
) {
  const header = Buffer.concat([uint32(width, "be"), uint32(height, "be"), Buffer.from([8, 0, 0, 0, 0])]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk("IHDR", header),
    ...between,
    pngChunk("IDAT", deflateSync(pixels)),
    pngChunk("IEND"),
  ]);
}

export type Entry = {
  name: string;
  content?: string | Uint8Array;
  /** What it says of itself, where that is not the truth. */
  saysSize?: number;
  isEncrypted?: boolean;
};

/** A ZIP archive, deflated. `repeated`: so many entries of the directory for each one that is there, all of the same content. */
export function zip(entries: Entry[], { repeated = 1 } = {}): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let start = 0;
  for (const { name, content = "", saysSize, isEncrypted = false } of entries) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const shared = Buffer.concat([
      uint16(20),
      uint16(isEncrypted ? 1 : 0),
      uint16(8),
      uint32(0),
      uint32(crc32(bytes)),
      uint32(packed.length),
      uint32(saysSize ?? bytes.length),
      uint16(Buffer.byteLength(name)),
      uint16(0),
    ]);
    const file = Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), shared, Buffer.from(name), packed]);
    for (let n = 0; n < repeated; n++) {
      const called = n === 0 ? name : `${name.slice(0, -4)}${String(n).padStart(4, "0")}`;
      const place = Buffer.concat([uint16(0), uint16(0), uint16(0), uint32(0), uint32(start)]);
      directory.push(
        Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0000", "latin1"), shared, place, Buffer.from(called)]),
      );
    }
    files.push(file);
    start += file.length;
  }
  const list = Buffer.concat(directory);
  const count = uint16(directory.length);
  const end = Buffer.concat([
    Buffer.from("PK\u0005\u0006\0\0\0\0", "latin1"),
    count,
    count,
    uint32(list.length),
    uint32(start),
    uint16(0),
  ]);
  return Buffer.concat([...files, list, end]);
}

export const wordTypes = `<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;

/** A Word document with nothing in it, and what is added. */
export function docx(more: Entry[] = [], types = wordTypes): Buffer {
  return zip([
    { name: "[Content_Types].xml", content: types },
    { name: "word/document.xml", content: "<w:document/>" },
    ...more,
  ]);
}

/** A compound file whose directory holds these names, as Word wrote it until 2003. */
export function compoundFile(names: string[], { next = 0xff_ff_ff_fe } = {}): Buffer {
  const header = Buffer.alloc(512);
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(header);
  header.writeUInt16LE(9, 0x1e);
  // The directory is sector 1, the table of sectors is sector 0.
  header.writeUInt32LE(1, 0x30);
  const table = Buffer.alloc(512, 0xff);
  table.writeUInt32LE(next, 4);
  const directory = Buffer.alloc(512);
  for (const [index, name] of ["Root Entry", ...names].slice(0, 4).entries()) {
    directory.write(name, index * 128, "utf16le");
    directory.writeUInt16LE((name.length + 1) * 2, index * 128 + 64);
    directory.writeUInt8(index === 0 ? 5 : 2, index * 128 + 66);
  }
  return Buffer.concat([header, table, directory, Buffer.alloc(2048)]);
}

function uint32(value: number, order: "be" | "le" = "le"): Buffer {
  const bytes = Buffer.alloc(4);
  if (order === "be") bytes.writeUInt32BE(value);
  else bytes.writeUInt32LE(value);
  return bytes;
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}
