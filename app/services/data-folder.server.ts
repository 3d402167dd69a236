import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

import { isDiskFull, primary, sqliteCode, systemCode } from "./database-errors.ts";
import { lockFolder } from "./folder-lock.server.ts";
import { openSecrets } from "./secrets.server.ts";
import { isStartProblem, startProblem } from "./start-problem.ts";
import { writeWhole } from "./whole-file.server.ts";

export type DataFolder = {
  /** A random text of 43 signs that belongs to this installation; made when it is asked for the first time. */
  secret: (name: string) => string;
  mailDir: string;
  /** Where uploaded files are kept, unless they lie in a bucket. */
  filesDir: string;
  /** For files that are still on their way; on the same disk. Empty at the start. */
  draftsDir: string;
  /** Lets the next process in. */
  close: () => void;
};

/** Makes the folder, sees that it can be written, and keeps it for this process alone. Throws a start problem. */
export function openDataFolder(dataDir: string): DataFolder {
  return mend(dataDir, () => {
    makeFolder(dataDir);
    const close = lockFolder(dataDir);
    try {
      return { ...furnish(dataDir), close };
    } catch (error) {
      close();
      throw error;
    }
  });
}

/** What is in the folder. Only after the lock: a second start must not touch what belongs to the first. */
function furnish(dataDir: string) {
  const mailDir = join(dataDir, "mail");
  makeFolder(mailDir);
  const filesDir = join(dataDir, "files");
  const draftsDir = join(filesDir, ".drafts");
  // What a process that was killed had begun: the folder is this process's alone.
  rmSync(draftsDir, { recursive: true, force: true });
  makeFolder(draftsDir);
  tryToWrite(dataDir);
  const secrets = openSecrets(join(dataDir, "secrets.json"));
  return { mailDir, filesDir, draftsDir, secret: (name: string) => mend(dataDir, () => secrets.secret(name)) };
}

/** Not mkdir's own `recursive`: where nothing can be made (/proc) it tries for ever. */
function makeFolder(path: string) {
  const parent = dirname(path);
  if (!existsSync(parent) && parent !== path) makeFolder(parent);
  if (!existsSync(path) || !statSync(path).isDirectory()) mkdirSync(path, { mode: 0o700 });
}

function tryToWrite(dataDir: string) {
  const path = join(dataDir, "write-test");
  writeWhole(path, "can this folder be written?");
  rmSync(path);
}

/** Turns what the system says into one line that names the folder. */
function mend<T>(dataDir: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isStartProblem(error)) throw error;
    throw startProblem(`The data folder ${dataDir} (DATA_DIR) can't be used: ${reason(error)}.`, error);
  }
}

function reason(error: unknown): string {
  if (isDiskFull(error)) return "the disk is full";
  const code = primary(sqliteCode(error)) || systemCode(error);
  return REASONS.get(code) ?? (error instanceof Error ? error.message : String(error));
}

const NO_PERMISSION = "no permission to write there";

const REASONS = new Map<string | number, string>([
  ["EACCES", NO_PERMISSION],
  ["EPERM", NO_PERMISSION],
  ["EROFS", "it is on a disk that can only be read"],
  ["EEXIST", "there is a file in its place"],
  ["ENOTDIR", "a part of that path is a file"],
  ["ENOENT", "it can't be made there"],
  // Of SQLite, which keeps the lock.
  [8, NO_PERMISSION],
  [10, "its disk can't lock files (a network folder?)"],
  [14, NO_PERMISSION],
]);
