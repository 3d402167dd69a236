import { chmodSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { primary, SQLITE_BUSY, sqliteCode } from "./database-errors.ts";
import { startProblem } from "./start-problem.ts";

/**
 * Keeps other processes out of the folder until the returned function is called or this process ends, however it ends: the
 * lock is the kernel's, so nothing is left over after kill -9. Throws a start problem at once when another one has it.
 *
 * Node can't lock files, SQLite can: `lock.db` is an empty database with a transaction that stays open. Nothing else in this
 * process may open that file: closing it again would give up the lock (POSIX: a process loses its locks on a file with the
 * first of its handles to close).
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, "lock.db");
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    chmodSync(path, 0o600);
    database.exec("pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive");
  } catch (error) {
    database.close();
    if (primary(sqliteCode(error)) !== SQLITE_BUSY) throw error;
    throw startProblem(
      `Another Meishi is running on ${folder} (DATA_DIR). Stop it first, or give this one another folder.`,
      error,
    );
  }
  held.add(database);
  return () => {
    if (held.delete(database)) database.close();
  };
}

/** Keeps the locks from the garbage collector, which would close them while the process still runs. */
const held = new Set<DatabaseSync>();
