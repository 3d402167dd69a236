import { open } from "node:fs/promises";

/** An upload as it is looked into: a piece at a time, never whole. */
export type Source = {
  size: number;
  /** So many bytes from there; fewer where the file ends. */
  read: (start: number, length: number) => Promise<Uint8Array>;
};

export async function withSource<T>(
  upload: { file: string } | Uint8Array,
  work: (source: Source) => Promise<T>,
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
