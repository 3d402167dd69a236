import { chmodSync, closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { isDiskFull, primary, sqliteCode } from "./database-errors.ts";
import { startProblem } from "./start-problem.ts";

/** Opens (and makes) `meishi.db` in the data folder, readable by its owner alone. Throws a start problem. */
export function openSqlite(dataDir: string): DatabaseSync {
  const path = join(dataDir, "meishi.db");
  try {
    return open(path);
  } catch (error) {
    throw startProblem(`${path} can't be opened: ${reason(error)}.`, error);
  }
}

function open(path: string) {
  // SQLite would make the file readable by all; its -wal and -shm take over the mode that the file has.
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
  const database = new DatabaseSync(path, {
    timeout: BUSY_TIMEOUT,
    enableForeignKeyConstraints: true,
    defensive: true,
  });
  try {
    // FULL: what was answered with "saved" is on the disk, also after a power cut.
    database.exec(`
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma journal_size_limit = ${LARGEST_IDLE_WAL};
    `);
    database.prepare("select count(*) from sqlite_schema").get();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const BUSY_TIMEOUT = 5000;
const LARGEST_IDLE_WAL = 64 * 1024 * 1024;

function reason(error: unknown): string {
  if (isDiskFull(error)) return "the disk is full";
  const said = REASONS.get(primary(sqliteCode(error)));
  return said ?? (error instanceof Error ? error.message : String(error));
}

// https://sqlite.org/rescode.html
const REASONS = new Map([
  [5, "another program holds it locked"],
  [8, "it may not be written"],
  [11, "it is damaged; put back a backup"],
  [14, "it may not be read or written"],
  [26, "it is not a SQLite database, or it is damaged; put back a backup"],
]);
