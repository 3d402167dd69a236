import { open } from "node:fs/promises";

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
