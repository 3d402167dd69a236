/** The tables of a TrueType font that WOFF2 transforms, and the smallest x of each glyph. */
export type GlyphTables = { glyf: Buffer; loca: Buffer; leftEdges: number[] };

type Stream = ReturnType<typeof openStream>;
type Streams = Record<"contours" | "points" | "flags" | "glyphs" | "components" | "boxes" | "instructions", Stream>;
type Point = { x: number; y: number; isOnCurve: boolean };

/** Rebuilds glyf and loca (with offsets of four bytes) from the transformed glyf table of a WOFF2 file, WOFF2 §5.1. */
export function rebuildGlyphs(table: Buffer): GlyphTables {
  const count = table.readUInt16BE(4);
  const streams = openStreams(table);
  const boxFlags = streams.boxes.bytes(4 * ((count + 31) >> 5));
  const loca = Buffer.alloc(4 * (count + 1));
  const parts: Buffer[] = [];
  const leftEdges: number[] = [];
  let offset = 0;
  for (let id = 0; id < count; id++) {
    const hasBox = ((boxFlags[id >> 3] ?? 0) & (0x80 >> (id & 7))) !== 0;
    const glyph = readGlyph(streams, hasBox);
    leftEdges.push(glyph.length > 0 ? glyph.readInt16BE(2) : 0);
    const padding = Buffer.alloc(-glyph.length & 3);
    parts.push(glyph, padding);
    offset += glyph.length + padding.length;
    loca.writeUInt32BE(offset, 4 * (id + 1));
  }
  return { glyf: Buffer.concat(parts), loca, leftEdges };
}

/** The seven streams behind each other, after their lengths. */
function openStreams(table: Buffer): Streams {
  let at = 36;
  const [contours, points, flags, glyphs, components, boxes, instructions] = Array.from({ length: 7 }, (_, index) => {
    const start = at;
    at += table.readUInt32BE(8 + 4 * index);
    if (at > table.length) throw new Error("Incomplete WOFF2 file");
    return openStream(table.subarray(start, at));
  });
  if (!contours || !points || !flags || !glyphs || !components || !boxes || !instructions)
    throw new Error("unreachable");
  return { contours, points, flags, glyphs, components, boxes, instructions };
}

function openStream(data: Buffer) {
  let at = 0;
  const byte = () => data.readUInt8(at++);
  const short = () => data.readUInt16BE((at += 2) - 2);
  return {
    byte,
    short,
    signed: () => data.readInt16BE((at += 2) - 2),
    bytes: (length: number) => {
      if (at + length > data.length) throw new RangeError("Incomplete WOFF2 file");
      return data.subarray(at, (at += length));
    },
    /** WOFF2 §6.1.1: 255UInt16. */
    compact: () => {
      const code = byte();
      if (code === 253) return short();
      if (code === 254) return byte() + 506;
      return code === 255 ? byte() + 253 : code;
    },
  };
}

function readGlyph(streams: Streams, hasBox: boolean): Buffer {
  const contours = streams.contours.signed();
  if (contours === 0) return Buffer.alloc(0);
  if (contours > 0) return readSimpleGlyph(streams, contours, hasBox);
  const { parts, hasInstructions } = readComponents(streams.components);
  const head = Buffer.alloc(10);
  head.writeInt16BE(-1, 0);
  // A composite glyph always has a box.
  streams.boxes.bytes(8).copy(head, 2);
  return Buffer.concat([head, ...parts, ...(hasInstructions ? readInstructions(streams) : [])]);
}

/** OpenType, glyf, "Composite glyph description": the components are stored unchanged. */
function readComponents(stream: Stream): { parts: Buffer[]; hasInstructions: boolean } {
  const parts: Buffer[] = [];
  let hasInstructions = false;
  for (let flags = 0x20; (flags & 0x20) !== 0;) {
    const start = stream.bytes(2);
    flags = start.readUInt16BE(0);
    hasInstructions ||= (flags & 0x100) !== 0;
    const scale = (flags & 0x8) !== 0 ? 2 : (flags & 0x40) !== 0 ? 4 : (flags & 0x80) !== 0 ? 8 : 0;
    parts.push(start, stream.bytes(2 + ((flags & 1) !== 0 ? 4 : 2) + scale));
  }
  return { parts, hasInstructions };
}

function readInstructions({ glyphs, instructions }: Streams): Buffer[] {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(glyphs.compact(), 0);
  return [length, instructions.bytes(length.readUInt16BE(0))];
}

function readSimpleGlyph(streams: Streams, contours: number, hasBox: boolean): Buffer {
  const ends = Buffer.alloc(2 * contours);
  let count = 0;
  for (let contour = 0; contour < contours; contour++) {
    count += streams.points.compact();
    ends.writeUInt16BE(count - 1, 2 * contour);
  }
  const points = readPoints(streams, count);
  const instructions = readInstructions(streams);
  const head = Buffer.alloc(10);
  head.writeInt16BE(contours, 0);
  if (hasBox) streams.boxes.bytes(8).copy(head, 2);
  else for (const [index, edge] of boxOf(points).entries()) head.writeInt16BE(edge, 2 + 2 * index);
  return Buffer.concat([head, ends, ...instructions, ...writePoints(points)]);
}

/** WOFF2 §5.2: the distance from each point to the next one, in one to four bytes and a flag that says how to read them. */
function readPoints({ flags, glyphs }: Streams, count: number): Point[] {
  let [x, y] = [0, 0];
  return Array.from({ length: count }, () => {
    const flag = flags.byte();
    const [dx, dy] = readDistance(flag & 0x7f, glyphs);
    x += dx;
    y += dy;
    return { x, y, isOnCurve: flag < 0x80 };
  });
}

function readDistance(code: number, stream: Stream): [number, number] {
  const signed = (sign: number, length: number) => ((sign & 1) !== 0 ? length : -length);
  const first = stream.byte();
  if (code < 10) return [0, signed(code, ((code & 14) << 7) + first)];
  if (code < 20) return [signed(code, (((code - 10) & 14) << 7) + first), 0];
  if (code < 84) {
    const base = code - 20;
    return [signed(code, 1 + (base & 0x30) + (first >> 4)), signed(code >> 1, 1 + ((base & 0xc) << 2) + (first & 0xf))];
  }
  const second = stream.byte();
  if (code < 120) {
    const base = code - 84;
    const [high, low] = [Math.floor(base / 12), (base % 12) >> 2];
    return [signed(code, 1 + (high << 8) + first), signed(code >> 1, 1 + (low << 8) + second)];
  }
  const third = stream.byte();
  if (code < 124) return [signed(code, (first << 4) + (second >> 4)), signed(code >> 1, ((second & 0xf) << 8) + third)];
  return [signed(code, (first << 8) + second), signed(code >> 1, (third << 8) + stream.byte())];
}

function boxOf(points: Point[]): number[] {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** OpenType, glyf, "Simple glyph description", without its shorter forms: a flag, then x, then y, two bytes each. */
function writePoints(points: Point[]): Buffer[] {
  const flags = Buffer.alloc(points.length);
  const xs = Buffer.alloc(2 * points.length);
  const ys = Buffer.alloc(2 * points.length);
  let last = { x: 0, y: 0 };
  for (const [index, point] of points.entries()) {
    flags[index] = point.isOnCurve ? 1 : 0;
    xs.writeInt16BE(point.x - last.x, 2 * index);
    ys.writeInt16BE(point.y - last.y, 2 * index);
    last = point;
  }
  return [flags, xs, ys];
}
