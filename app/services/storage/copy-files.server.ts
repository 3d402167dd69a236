import { extname } from "node:path";

import type { FileStore } from "./file-store.ts";

const unknownType = "application/octet-stream";
const typesByExtension: Record<string, string> = {
  ".webp": "image/webp",
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".pdf": "application/pdf",
};

/** The media type of a stored file, by its name. */
export function fileTypeOf(path: string): string {
  return typesByExtension[extname(path)] ?? unknownType;
}

type CopyResult = { copied: number; existing: number };

/**
 * Copies the files that `to` doesn't have. The program may be running: a path is never written twice with other content, and what is added
 * meanwhile is copied by the next call.
 */
export async function copyFiles(
  from: Pick<FileStore, "list" | "read">,
  to: Pick<FileStore, "list" | "put">,
  onCopy: (copied: number) => void = () => undefined,
): Promise<CopyResult> {
  const existing = new Set<string>();
  for await (const { path } of to.list("")) existing.add(path);
  const result = { copied: 0, existing: 0 };
  for await (const { path } of from.list("")) {
    // Files of the self-checks, which exist for a moment.
    if (path.startsWith("status/")) continue;
    if (existing.has(path)) {
      result.existing++;
      continue;
    }
    const bytes = await from.read(path);
    // It was deleted since it was listed.
    if (!bytes) continue;
    await to.put(path, bytes, fileTypeOf(path));
    onCopy(++result.copied);
  }
  return result;
}
