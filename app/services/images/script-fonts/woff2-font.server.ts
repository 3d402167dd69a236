import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

import type { FontTables } from "./truetype-font.server.ts";
import { rebuildGlyphs } from "./woff2-glyphs.server.ts";
import type { GlyphTables } from "./woff2-glyphs.server.ts";

/**
 * Reads the tables of a WOFF2 file as they are in a TrueType file, which is all that the FreeType in sharp can read. Throws for an invalid
 * or truncated file. Decompresses off the event loop.
 */
export async function readWoff2(file: Buffer): Promise<{ flavor: number; tables: FontTables }> {
  if (file.toString("latin1", 0, 4) !== "wOF2" || file.readUInt32BE(8) !== file.length) {
    throw new Error("Incomplete WOFF2 file");
  }
  const { entries, end } = readDirectory(file);
  const length = entries.reduce((sum, entry) => sum + entry.length, 0);
  const data = await decompress(file.subarray(end, end + file.readUInt32BE(20)), { maxOutputLength: length });
  if (data.length !== length) throw new Error("Incomplete WOFF2 file");
  const tables = sliceTables(entries, data);
  restoreGlyphs(entries, tables);
  return { flavor: file.readUInt32BE(4), tables };
}

const decompress = promisify(brotliDecompress);

/** `length` is the one in the compressed data. */
type Entry = { tag: string; length: number; isTransformed: boolean };

/** WOFF2 §4.1: the table directory. */
function readDirectory(file: Buffer): { entries: Entry[]; end: number } {
  let at = 48;
  const readLength = () => {
    let value = 0;
    for (let count = 0; count < 5; count++) {
      const byte = file.readUInt8(at++);
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    throw new Error("A WOFF2 length has more than five bytes");
  };
  const entries = Array.from({ length: file.readUInt16BE(12) }, () => {
    const flags = file.readUInt8(at++);
    const known = knownTags[flags & 0x3f];
    const tag = known ?? file.toString("latin1", at, (at += 4));
    const version = flags >> 6;
    // For these two, version 3 is the one without a transformation.
    const isTransformed = tag === "glyf" || tag === "loca" ? version !== 3 : version !== 0;
    const original = readLength();
    return { tag, isTransformed, length: isTransformed ? readLength() : original };
  });
  return { entries, end: at };
}

/** WOFF2 §4.1, table 1. */
const knownTags = (
  "cmap,head,hhea,hmtx,maxp,name,OS/2,post,cvt ,fpgm,glyf,loca,prep,CFF ,VORG,EBDT,EBLC,gasp,hdmx,kern,LTSH,PCLT,VDMX,vhea,vmtx,BASE,GDEF,GPOS,GSUB," +
  "EBSC,JSTF,MATH,CBDT,CBLC,COLR,CPAL,SVG ,sbix,acnt,avar,bdat,bloc,bsln,cvar,fdsc,feat,fmtx,fvar,gvar,hsty,just,lcar,mort,morx,opbd,prop,trak,Zapf,Silf,Glat,Gloc,Feat,Sill"
).split(",");

function sliceTables(entries: Entry[], data: Buffer): FontTables {
  let at = 0;
  return new Map(entries.map(({ tag, length }) => [tag, data.subarray(at, (at += length))]));
}

/** WOFF2 §5: glyf, loca and hmtx are stored in another form. */
function restoreGlyphs(entries: Entry[], tables: FontTables): void {
  const isTransformed = (tag: string) => entries.some((entry) => entry.tag === tag && entry.isTransformed);
  const table = (tag: string) => {
    const found = tables.get(tag);
    if (!found) throw new Error(`The WOFF2 file has no ${tag} table`);
    return found;
  };
  if (!isTransformed("glyf")) return;
  const glyphs = rebuildGlyphs(table("glyf"));
  tables.set("glyf", glyphs.glyf);
  tables.set("loca", glyphs.loca);
  // The offsets are written with four bytes.
  const head = Buffer.from(table("head"));
  head.writeInt16BE(1, 50);
  tables.set("head", head);
  if (isTransformed("hmtx")) tables.set("hmtx", rebuildMetrics(table("hmtx"), table("hhea").readUInt16BE(34), glyphs));
}

/** WOFF2 §5.4: left side bearings that equal the smallest x of their glyph are left out. */
function rebuildMetrics(data: Buffer, advances: number, { leftEdges }: GlyphTables): Buffer {
  const flags = data.readUInt8(0);
  let at = 1 + 2 * advances;
  const bearings = leftEdges.map((left, id) => {
    const isLeftOut = (flags & (id < advances ? 1 : 2)) !== 0;
    return isLeftOut ? left : data.readInt16BE((at += 2) - 2);
  });
  const table = Buffer.alloc(2 * advances + 2 * bearings.length);
  for (const [id, bearing] of bearings.entries()) {
    if (id < advances) table.writeUInt16BE(data.readUInt16BE(1 + 2 * id), 4 * id);
    table.writeInt16BE(bearing, id < advances ? 4 * id + 2 : 2 * advances + 2 * id);
  }
  return table;
}
