import sharp from "sharp";

import type { Visitor } from "./visitor.ts";

type Answer = { status: number; stem?: string; filename?: string; message: string };

/** Sends a file as our page does: its bytes as the body, its name in the address. */
export async function send(
  person: Pick<Visitor, "request">,
  slot: string,
  { bytes, name = "file.bin", query = "" }: { bytes: Uint8Array | ReadableStream; name?: string; query?: string },
): Promise<Answer> {
  const body = bytes instanceof Uint8Array ? new Uint8Array(bytes) : bytes;
  const address = `/uploads/${slot}?name=${encodeURIComponent(name)}${query}`;
  const origin = { origin: "http://localhost:3000" };
  const init = { method: "POST", body, headers: origin, ...(body instanceof ReadableStream && { duplex: "half" }) };
  return readAnswer(await person.request(address, init));
}

export async function remove(person: Pick<Visitor, "request">, slot: string): Promise<Answer> {
  const origin = { origin: "http://localhost:3000" };
  return readAnswer(await person.request(`/uploads/${slot}/remove`, { method: "POST", headers: origin }));
}

async function readAnswer(response: Response): Promise<Answer> {
  return { status: response.status, ...((await response.json()) as Omit<Answer, "status">) };
}

/** A photo of a kind: soft noise, so that it has something to be compressed. */
export function photo(width: number, height: number) {
  const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
  return sharp({ create: { width, height, channels: 3, background: "#808080", noise } }).blur(2);
}

/** One colour. */
export function plainPicture(width: number, height: number, background = "#2266aa") {
  return sharp({ create: { width, height, channels: 3, background } });
}

export const jpeg = () => plainPicture(40, 40).jpeg().toBuffer();

export const pdf = (words = "") =>
  Buffer.from(`%PDF-1.4\n%${words}\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`);

/** A file of exactly so many bytes that is a picture, with nothing behind it that a reader looks at. */
export async function jpegOf(bytes: number): Promise<Buffer> {
  return Buffer.concat([await jpeg(), Buffer.alloc(bytes)]).subarray(0, bytes);
}
