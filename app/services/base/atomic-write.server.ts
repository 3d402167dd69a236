import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Writes a file completely or not at all, with mode 0600, and returns when it is on the disk. Readers never see a part of it, even after a
 * power cut. Blocks while it writes, so use it for small files only.
 */
export function writeAtomically(path: string, content: string | Uint8Array): void {
  const tempPath = `${path}.${randomUUID()}.draft`;
  try {
    const file = openSync(tempPath, "wx", 0o600);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(tempPath, path);
  } catch (error) {
    rmSync(tempPath, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** A new name is on the disk once its folder is synced. */
function syncFolder(folder: string) {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
