import { open } from "node:fs/promises";

export type FileFormat = "jpeg" | "png" | "webp" | "pdf" | "ole" | "zip";

/**
 * The format of a file by its first 16 bytes, whatever its name or declared type; undefined when it isn't one we accept. The signature
 * must be at offset 0, so nothing can precede it. See docs/decisions/0023-parsers-for-uploaded-documents.md.
 */
export function detectFormat(head: Uint8Array): FileFormat | undefined {
  return signatures.find(([, bytes]) => startsWith(head, bytes))?.[0] ?? (isWebp(head) ? "webp" : undefined);
}

const signatures = [
  ["jpeg", [0xff, 0xd8, 0xff]],
  ["png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["pdf", [...Buffer.from("%PDF-")]],
  // [MS-CFB] §2.2: what Word wrote until 2003.
  ["ole", [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
  // A local file header: an archive that starts otherwise is empty or has a prefix.
  ["zip", [0x50, 0x4b, 0x03, 0x04]],
] as const;

function isWebp(head: Uint8Array): boolean {
  return startsWith(head, [...Buffer.from("RIFF")]) && startsWith(head.subarray(8), [...Buffer.from("WEBP")]);
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/** Random access to the bytes of an upload, so that it needn't be held in memory. */
export type ByteSource = {
  size: number;
  /** At most `length` bytes from `start`; fewer at the end of the file. */
  read: (start: number, length: number) => Promise<Uint8Array>;
};

export async function withByteSource<T>(
  upload: { file: string } | Uint8Array,
  work: (source: ByteSource) => Promise<T>,
): Promise<T> {
  if (upload instanceof Uint8Array) {
    return work({ size: upload.length, read: async (start, length) => upload.subarray(start, start + length) });
  }
  const file = await open(upload.file, "r");
  try {
    const { size } = await file.stat();
    async function read(start: number, length: number) {
      if (length <= 0 || start < 0) return new Uint8Array();
      const { buffer, bytesRead } = await file.read(new Uint8Array(Math.min(length, size)), { position: start });
      return buffer.subarray(0, bytesRead);
    }
    return await work({ size, read });
  } finally {
    await file.close();
  }
}
