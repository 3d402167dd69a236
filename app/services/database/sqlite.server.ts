import { chmodSync, closeSync, openSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SQLInputValue } from "node:sqlite";

import type { SqliteDatabase, SqliteStatement } from "kysely";
import { LRUCache } from "lru-cache";

import { isDiskFull, primaryCode, sqliteBusy, sqliteCode, startProblem } from "#app/services/base/errors.ts";
import { formatBytes } from "#app/services/base/format.ts";

/** Opens or creates `meishi.db` in the data folder, readable by its owner only. Throws a start problem. */
export function openSqlite(dataDir: string): DatabaseSync {
  const path = join(dataDir, "meishi.db");
  try {
    return open(path);
  } catch (error) {
    throw startProblem(`${path} can't be opened: ${reason(error)}.`, error);
  }
}

function open(path: string) {
  // SQLite would create the file readable by all users. Its -wal and -shm files get the mode of this file.
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
  const database = new DatabaseSync(path, {
    timeout: busyTimeoutMs,
    enableForeignKeyConstraints: true,
    defensive: true,
  });
  try {
    // FULL: a write that was answered with "saved" survives a power cut.
    database.exec(`
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma journal_size_limit = ${maxIdleWalBytes};
    `);
    // All pages, 1 to 2 seconds for 500 MB: later, a damaged one would fail some requests, and backups would replace whole ones. Of a
    // large database only the first page is read, so that it starts at once.
    const check =
      statSync(path).size > maxCheckedBytes ? "select 'ok' as quick_check from sqlite_schema" : "pragma quick_check(1)";
    const [result = { quick_check: "ok" }] = database.prepare(check).all();
    if (result["quick_check"] !== "ok")
      throw Object.assign(new Error(String(result["quick_check"])), { errcode: sqliteCorrupt });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The file with its WAL. */
export function sqliteBytes(dataDir: string): number {
  const sizes = ["", "-wal"].map((end) => statSync(join(dataDir, `meishi.db${end}`), { throwIfNoEntry: false })?.size);
  return sizes.reduce<number>((sum, size = 0) => sum + size, 0);
}

/**
 * Writes the file again without the space of deleted rows, while Meishi runs. Returns its bytes before and after, without the WAL. Throws a
 * start problem when another program writes for `waitMs`, or when the disk has too little space.
 */
export function vacuumSqlite(dataDir: string, waitMs = 60_000): { before: number; after: number } {
  const database = openSqlite(dataDir);
  const read = (name: string) => Number(database.prepare(`pragma ${name}`).get()?.[name]);
  const pageBytes = read("page_size");
  try {
    const before = read("page_count");
    // The new content is first in a temporary file, then in the WAL.
    const needed = 2 * (before - read("freelist_count")) * pageBytes;
    const { bavail, bsize } = statfsSync(dataDir);
    if (bavail * bsize < needed)
      throw startProblem(
        `The disk of DATA_DIR has ${formatBytes(bavail * bsize)} of free space, and this needs ${formatBytes(needed)}. Make space and try again.`,
      );
    database.exec(`pragma busy_timeout = ${waitMs}; vacuum`);
    // Makes the file smaller. No write is possible while this waits for programs that read the old content, so they do it later.
    database.exec("pragma busy_timeout = 1000; pragma wal_checkpoint(truncate)");
    return { before: before * pageBytes, after: read("page_count") * pageBytes };
  } catch (error) {
    if (primaryCode(sqliteCode(error)) !== sqliteBusy) throw error;
    throw startProblem("The database is busy: another program is writing to it. Try again later.", error);
  } finally {
    database.close();
  }
}

const maxCheckedBytes = 1_000_000_000;
const sqliteCorrupt = 11;
const busyTimeoutMs = 5000;
const maxIdleWalBytes = 64 * 1024 * 1024;

function reason(error: unknown): string {
  if (isDiskFull(error)) return "the disk is full";
  const known = reasons.get(primaryCode(sqliteCode(error)));
  return known ?? (error instanceof Error ? error.message : String(error));
}

// https://sqlite.org/rescode.html
const reasons = new Map([
  [5, "another program has locked it"],
  [8, "it isn't writable"],
  [sqliteCorrupt, "it is damaged; restore a backup"],
  [14, "it can't be read or written"],
  [26, "it is not a SQLite database, or it is damaged; restore a backup"],
]);

/** Adapts node:sqlite to what Kysely's SqliteDialect expects (the interface of better-sqlite3). Statements are prepared once. */
export function toKyselyDatabase(database: DatabaseSync): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({ max: 500 });

  function prepare(sql: string): SqliteStatement {
    // A full disk makes SQLite roll back on its own. A second rollback would throw and hide the first error.
    if (sql === "rollback" && !database.isTransaction) return nothingToDo;
    const cached = statements.get(sql);
    if (cached) return cached;
    // IMMEDIATE: another program (the sqlite3 shell, a backup) may write too. A transaction that requests the write lock at its start
    // waits for it (busy_timeout); one that reads first and asks later fails at once.
    const statement = prepareStatement(database, sql === "begin" ? "begin immediate" : sql);
    statements.set(sql, statement);
    return statement;
  }

  return { prepare, close: () => database.close() };
}

function prepareStatement(database: DatabaseSync, sql: string): SqliteStatement {
  const statement = database.prepare(sql);
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...parameters.map(toSqlite)),
    run: (parameters) => statement.run(...parameters.map(toSqlite)),
    iterate: refuseToStream,
  };
}

const nothingToDo: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: refuseToStream,
};

function refuseToStream(): never {
  throw new Error("Streaming needs a cursor on PostgreSQL. Read page by page with a key instead.");
}

/** Accepts only what PostgreSQL accepts too. Whole numbers become integers: Node binds every number as a float, and 5.0 / 2 is 2.5. */
function toSqlite(value: unknown): SQLInputValue {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (value === null || typeof value === "string" || typeof value === "bigint" || value instanceof Uint8Array)
    return value;
  throw new TypeError(`A ${typeof value} can't be stored: use text, a number, bytes or null.`);
}
