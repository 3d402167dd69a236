import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Writes a file whole or not at all, readable by its owner alone, and returns when it is on the disk: a reader never sees
 * half of it, also after a power cut. Small files only: it waits for the disk.
 */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const draft = `${path}.${randomUUID()}.draft`;
  try {
    const file = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** The new name is on the disk only once its folder is. */
function syncFolder(folder: string) {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
