import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { constants, inflate } from "node:zlib";
import type { ZlibOptions } from "node:zlib";

import { z } from "zod";

import { serverMessages } from "#app/features/uploads/messages.ts";
import { refuse } from "#app/features/uploads/rules.ts";
import type { Refusal } from "#app/features/uploads/rules.ts";
import type { ByteSource } from "#app/services/archives/byte-source.server.ts";

import { headBytes } from "./detect.server.ts";
import { findObjectStreams, unescapeNames } from "./parse-pdf.server.ts";

/** ISO 32000-1 §7.5.5: a complete PDF ends with %%EOF; readers look for it in the last kilobyte. */
export async function validatePdf({ size, read }: ByteSource): Promise<Refusal | undefined> {
  const bytes = withoutPadding(Buffer.from(await read(0, size)));
  return bytes.subarray(-tailBytes).includes("%%EOF") ? undefined : refuse(422, serverMessages.damagedDocument);
}

/**
 * From the header, where offsets start in a PDF with something before it, to the last byte that isn't white space or zero: some programs
 * fill the last block of a file with zeros.
 */
function withoutPadding(bytes: Buffer): Buffer {
  let end = bytes.length;
  while ((bytes[end - 1] ?? 0x21) <= 0x20) end -= 1;
  return bytes.subarray(Math.max(0, bytes.subarray(0, headBytes).indexOf("%PDF-")), end);
}

/**
 * True when browsers may display a PDF: its structure is intact, and neither its objects nor its compressed streams contain scripts,
 * launch actions, embedded files or other active content. False when in doubt (encrypted, unusual filters, too large to unpack): such a
 * PDF is served as a download. Names are searched for anywhere, because a reader that repairs files finds objects that the
 * cross-reference table doesn't list.
 */
export async function isPassivePdf(bytes: Buffer): Promise<boolean> {
  if (!hasCrossReferences(withoutPadding(bytes)) || (await hasActiveName(bytes))) return false;
  const objectStreams = await findObjectStreams(bytes);
  if (!objectStreams) return false;
  let [streams, inflatedBytes] = [0, 0];
  for (const { keyword, start } of listStreams(bytes)) {
    if (++streams > maxStreams) return false;
    const inflated = isDeflated(bytes, start) ? await inflateStart(bytes.subarray(start)) : undefined;
    if (objectStreams.has(keyword) && !inflated?.isComplete) return false;
    inflatedBytes += inflated?.cost ?? 0;
    if (inflatedBytes > maxInflatedBytes || (inflated && (await hasActiveName(inflated.bytes)))) return false;
  }
  return true;
}

/** ISO 32000-1 §7.5.4, §7.5.8: the last `startxref` is the offset of a table or of a stream, either of which names the root object. */
function hasCrossReferences(bytes: Buffer): boolean {
  const tail = bytes.toString("latin1", Math.max(0, bytes.length - tailBytes));
  const offset = Number(/.*startxref\s+(\d{1,10})\s+%%EOF/s.exec(tail)?.[1] ?? Number.NaN);
  if (!(offset < bytes.length)) return false;
  const section = bytes.toString("latin1", offset, offset + 4_096).trimStart();
  if (section.startsWith("xref")) return bytes.includes("trailer", offset) && bytes.includes("/Root", offset);
  return /^\d+\s+\d+\s+obj\b.*\/XRef.*stream/s.test(section) && section.includes("/Root");
}

/** Looks at the bytes in windows, so that a large file doesn't hold the event loop. Names may be written with escapes (`/J#61vaScript`). */
async function hasActiveName(bytes: Buffer): Promise<boolean> {
  for (let start = 0; start < bytes.length; start += windowBytes) {
    const window = bytes.toString("latin1", start, start + windowBytes + longestName);
    if (activeName.test(unescapeNames(window))) return true;
    await nextTurn();
  }
  return false;
}

const activeName =
  /\/(?:JavaScript|JS|Launch|EmbeddedFiles?|RichMedia|Rendition|XFA|SubmitForm|ImportData|GoToE|Encrypt)(?![^\0\s()<>[\]{}/%])/;

/** The offsets of each keyword `stream` and of the data after it. */
function* listStreams(bytes: Buffer) {
  for (let at = bytes.indexOf("stream"); at >= 0; at = bytes.indexOf("stream", at + 6)) {
    if (bytes.toString("latin1", at - 3, at) === "end") continue;
    const isCrLf = bytes[at + 6] === 0x0d && bytes[at + 7] === 0x0a;
    yield { keyword: at, start: at + (isCrLf ? 8 : 7) };
  }
}

/** RFC 1950 §2.2. */
function isDeflated(bytes: Buffer, start: number): boolean {
  const header = start + 1 < bytes.length ? bytes.readUInt16BE(start) : 0;
  return ((header >> 8) & 15) === 8 && header % 31 === 0;
}

/**
 * Inflates a stream off the event loop, whatever length it declares. `cost` is the number of bytes read and written: empty blocks take
 * time to read, but produce nothing.
 */
async function inflateStart(packed: Buffer): Promise<{ bytes: Buffer; isComplete: boolean; cost: number }> {
  try {
    const options = { maxOutputLength: maxStreamBytes, finishFlush: constants.Z_SYNC_FLUSH, info: true };
    const { buffer, engine } = inflatedWithInfo.parse(await inflateOffThread(packed, options));
    return { bytes: buffer, isComplete: true, cost: engine.bytesWritten + buffer.length };
  } catch {
    // Not a compressed stream after all, or an image that is too large: neither can be displayed as objects.
    return { bytes: Buffer.alloc(0), isComplete: false, cost: maxStreamBytes };
  }
}

/** The result with `info: true`, which Node's types lack. */
const inflatedWithInfo = z.object({ buffer: z.instanceof(Buffer), engine: z.object({ bytesWritten: z.number() }) });

const inflateOffThread = promisify<Buffer, ZlibOptions, unknown>(inflate);

const tailBytes = 1_024;
const windowBytes = 131_072;
/** "/EmbeddedFiles" with each letter escaped, and a delimiter. */
const longestName = 64;
const maxStreams = 2_000;
const maxStreamBytes = 4_000_000;
const maxInflatedBytes = 64_000_000;
