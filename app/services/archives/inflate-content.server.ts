import type { Inflate, InflateRaw } from "node:zlib";

type Inflated = { length: number; isDamaged: boolean; bytes: Buffer };

/**
 * Unpacks deflated bytes and stops once there are more than `limit`, so that a bomb takes no longer than that. `length` is the number of
 * bytes unpacked until then or until the damage; `bytes` is empty unless they are to be kept.
 */
export async function inflateContent(
  packed: Uint8Array,
  { inflater, limit, isKept = false }: { inflater: Inflate | InflateRaw; limit: number; isKept?: boolean },
): Promise<Inflated> {
  inflater.end(packed);
  const inflated: Inflated = { length: 0, isDamaged: false, bytes: Buffer.alloc(0) };
  const kept: Buffer[] = [];
  try {
    for await (const chunk of inflater as AsyncIterable<Buffer>) {
      inflated.length += chunk.length;
      if (inflated.length > limit) break;
      if (isKept) kept.push(chunk);
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && String(error.code).startsWith("Z_"))) throw error;
    inflated.isDamaged = true;
  }
  return { ...inflated, bytes: Buffer.concat(kept) };
}
