import { chmodSync, existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { writeAtomically } from "#app/services/base/atomic-write.server.ts";
import {
  isDiskFull,
  isStartProblem,
  primaryCode,
  sqliteBusy,
  sqliteCode,
  startProblem,
  systemCode,
} from "#app/services/base/errors.ts";

import { openSecrets } from "./secrets.server.ts";
import type { InstallationSecrets } from "./secrets.server.ts";

export type DataFolder = {
  /** Random texts of 43 characters that belong to this installation. Creates the first one on first use. */
  secrets: () => InstallationSecrets;
  mailDir: string;
  /** Where uploaded files are stored, unless they are in a bucket. */
  filesDir: string;
  /** For uploads in progress, on the same disk. Empty at the start. */
  tempDir: string;
  /** Releases the folder for the next process. */
  close: () => void;
};

/** A file in the data folder while a restore writes to it. */
export const restoreMarker = "restore-unfinished";

/**
 * Creates the folder, checks that it is writable, and locks it for this process. Throws a start problem, also when a restore was begun
 * there and isn't complete; `isRestore`: it goes on.
 */
export function openDataFolder(dataDir: string, { isRestore = false } = {}): DataFolder {
  return explainErrors(dataDir, () => {
    makeFolder(dataDir);
    const close = lockFolder(dataDir);
    try {
      if (!isRestore && existsSync(join(dataDir, restoreMarker)))
        throw startProblem(
          `A restore into ${dataDir} (DATA_DIR) didn't finish. Run \`npm run restore\` with the same backup again, or use another folder.`,
        );
      return { ...prepareFolders(dataDir), close };
    } catch (error) {
      close();
      throw error;
    }
  });
}

/** Runs after the lock is taken, because a second process must not touch files of the first. */
function prepareFolders(dataDir: string) {
  const mailDir = join(dataDir, "mail");
  makeFolder(mailDir);
  const filesDir = join(dataDir, "files");
  const tempDir = join(filesDir, ".drafts");
  // Uploads that a killed process had begun.
  rmSync(tempDir, { recursive: true, force: true });
  makeFolder(tempDir);
  checkWritable(dataDir);
  const secrets = openSecrets(join(dataDir, "secrets.json"));
  return { mailDir, filesDir, tempDir, secrets: () => explainErrors(dataDir, secrets.all) };
}

/** Without mkdir's `recursive`, which retries forever where no folder can be created (/proc). */
function makeFolder(path: string) {
  const parent = dirname(path);
  if (!existsSync(parent) && parent !== path) makeFolder(parent);
  if (!existsSync(path) || !statSync(path).isDirectory()) mkdirSync(path, { mode: 0o700 });
}

function checkWritable(dataDir: string) {
  const path = join(dataDir, "write-test");
  writeAtomically(path, "can this folder be written?");
  rmSync(path);
}

/** Turns a system error into a start problem that names the folder. */
function explainErrors<T>(dataDir: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isStartProblem(error)) throw error;
    throw startProblem(`The data folder ${dataDir} (DATA_DIR) can't be used: ${reason(error)}.`, error);
  }
}

function reason(error: unknown): string {
  if (isDiskFull(error)) return "the disk is full";
  const code = primaryCode(sqliteCode(error)) || systemCode(error);
  return reasons.get(code) ?? (error instanceof Error ? error.message : String(error));
}

const noPermission = "no permission to write there";

const reasons = new Map<string | number, string>([
  ["EACCES", noPermission],
  ["EPERM", noPermission],
  ["EROFS", "its disk is read-only"],
  ["EEXIST", "a file with that name already exists"],
  ["ENOTDIR", "a part of that path is a file"],
  ["ENOENT", "it can't be created there"],
  // SQLite result codes, from the lock.
  [8, noPermission],
  [10, "its disk can't lock files (a network folder?)"],
  [14, noPermission],
]);

/**
 * Locks the folder until the returned function is called or this process ends. Throws a start problem at once when another process holds
 * the lock. The kernel releases it, even after kill -9.
 *
 * Node has no file locks, but SQLite has: `lock.db` is an empty database with an open transaction. No other code of this process may open
 * that file: POSIX releases all locks of a process on a file when any of its handles closes.
 */
function lockFolder(folder: string): () => void {
  const path = join(folder, "lock.db");
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    chmodSync(path, 0o600);
    database.exec("pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive");
  } catch (error) {
    database.close();
    if (primaryCode(sqliteCode(error)) !== sqliteBusy) throw error;
    throw startProblem(
      `Another Meishi process is already using ${folder} (DATA_DIR). Stop it first, or use another folder for this one.`,
      error,
    );
  }
  openLocks.add(database);
  return () => {
    if (openLocks.delete(database)) database.close();
  };
}

/** Protects the locks from garbage collection, which would release them while the process runs. */
const openLocks = new Set<DatabaseSync>();
