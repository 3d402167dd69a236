import sharp from "sharp";

import type { Visitor } from "./visitor.ts";

type UploadResponse = { status: number; keyPrefix?: string; filename?: string; message: string };

/** Uploads a file as our pages do: its bytes as the body, its name in the query. */
export async function uploadFile(
  person: Pick<Visitor, "request">,
  slot: string,
  { bytes, name = "file.bin", query = "" }: { bytes: Uint8Array | ReadableStream; name?: string; query?: string },
): Promise<UploadResponse> {
  const body = bytes instanceof Uint8Array ? new Uint8Array(bytes) : bytes;
  const address = `/uploads/${slot}?name=${encodeURIComponent(name)}${query}`;
  const origin = { origin: "http://localhost:3000" };
  const init = { method: "POST", body, headers: origin, ...(body instanceof ReadableStream && { duplex: "half" }) };
  return readResponse(await person.request(address, init));
}

export async function removeFile(person: Pick<Visitor, "request">, slot: string): Promise<UploadResponse> {
  const origin = { origin: "http://localhost:3000" };
  return readResponse(await person.request(`/uploads/${slot}/remove`, { method: "POST", headers: origin }));
}

async function readResponse(response: Response): Promise<UploadResponse> {
  return { status: response.status, ...((await response.json()) as Omit<UploadResponse, "status">) };
}

/** Soft noise, which compresses like a photo. */
export function photo(width: number, height: number) {
  const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
  return sharp({ create: { width, height, channels: 3, background: "#808080", noise } }).blur(2);
}

export function plainImage(width: number, height: number, background = "#2266aa") {
  return sharp({ create: { width, height, channels: 3, background } });
}

export const jpeg = () => plainImage(40, 40).jpeg().toBuffer();

/** A small complete PDF with a comment, and with more objects ("<</S/JavaScript>>"), which nothing refers to. */
export function pdf(comment = "", moreObjects: (string | Buffer)[] = []): Buffer {
  const objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[]/Count 0>>", ...moreObjects];
  const parts = [Buffer.from(`%PDF-1.4\n%${comment}\n`)];
  const offsets: number[] = [];
  const position = () => parts.reduce((sum, { length }) => sum + length, 0);
  for (const [index, object] of objects.entries()) {
    offsets.push(position());
    parts.push(Buffer.from(`${index + 1} 0 obj`), Buffer.from(object), Buffer.from("endobj\n"));
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const start = position();
  const trailer = `trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  parts.push(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`));
  return Buffer.concat(parts);
}

/** A valid JPEG of exactly this many bytes, padded with zeros that decoders ignore. */
export async function jpegOfSize(bytes: number): Promise<Buffer> {
  return Buffer.concat([await jpeg(), Buffer.alloc(bytes)]).subarray(0, bytes);
}
