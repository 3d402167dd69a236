import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Mounting needs root, and isn't allowed in many containers. */
export const canMount = tryToMount();

/** Mounts a tmpfs of this many megabytes at a temporary folder. */
export function mountSmallDisk(megabytes: number) {
  const folder = mkdtempSync(join(tmpdir(), "meishi-disk-"));
  mount(folder, megabytes);
  const filler = join(folder, "filler");
  return {
    folder,
    /** Fills the disk to the last page. */
    fill: () => fillUp(filler),
    free: () => rmSync(filler, { force: true }),
    remove: () => {
      spawnSync("umount", ["-l", folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function mount(folder: string, megabytes: number): boolean {
  const options = `size=${megabytes}m,mode=0700`;
  return spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]).status === 0;
}

function tryToMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "meishi-mount-"));
  const isMounted = mount(folder, 1);
  if (isMounted) spawnSync("umount", [folder]);
  rmSync(folder, { recursive: true, force: true });
  return isMounted;
}

function fillUp(path: string) {
  const file = openSync(path, "a");
  try {
    for (const size of [1_048_576, 4_096]) {
      while (isWritten(file, new Uint8Array(size)));
    }
  } finally {
    closeSync(file);
  }
}

function isWritten(file: number, bytes: Uint8Array): boolean {
  try {
    return writeSync(file, bytes) === bytes.length;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOSPC") return false;
    throw error;
  }
}
