import { setTimeout as pause } from "node:timers/promises";

import { Kysely, PostgresDialect, sql } from "kysely";
import type { LogConfig, Transaction } from "kysely";
import type { Logger } from "pino";

import { isConnectionLost, isRetryable } from "#app/services/base/errors.ts";
import type { PageCursor } from "#app/services/base/page-cursor.ts";
import { isWithoutTls, openPool, unreachableProblem } from "./postgres.server.ts";
import { reconnectingPool } from "./reconnecting-pool.server.ts";
import type { Schema } from "./schema.ts";
import { createSqliteDialect } from "./sqlite-dialect.server.ts";
import { openSqlite, sqliteBytes, toKyselyDatabase } from "./sqlite.server.ts";

export type Db = Kysely<Schema>;
export type Trx = Transaction<Schema>;
export type Engine = "sqlite" | "postgres";
export type OpenDatabase = {
  db: Db;
  engine: Engine;
  /** Connections of the pool: open ones, and work that waits for one. Undefined for SQLite, which has one. */
  connections?: () => { open: number; idle: number; waiting: number };
  /** For other connections to the same PostgreSQL. */
  databaseUrl?: string | undefined;
  close: () => Promise<void>;
};

type DatabaseOptions = {
  dataDir: string;
  databaseUrl?: string | undefined;
  log?: Logger | undefined;
  /** False: a statement may take any time, as those of migrations do. */
  hasDeadline?: boolean;
  /** Called after each query, in milliseconds. */
  onQuery?: (ms: number) => void;
};

/** Opens PostgreSQL if there is a `databaseUrl`, otherwise the file `meishi.db` in the data folder. Throws a start problem if it can't. */
export async function openDatabase({ dataDir, databaseUrl, ...options }: DatabaseOptions): Promise<OpenDatabase> {
  return databaseUrl ? openPostgresDatabase(databaseUrl, options) : openSqliteDatabase(dataDir, options);
}

/**
 * Runs `work` in a transaction, and again from its start when the database requests a retry or the connection was lost before COMMIT, so
 * `work` must be safe to repeat. Throws `outcomeUnknown` when the connection was lost during COMMIT.
 * `work` must use `trx` only: on SQLite a query on `db` inside it fails after waiting for the connection that the transaction holds.
 */
export async function transact<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const callbacks: (() => void)[] = [];
    let result: T;
    try {
      result = await db.transaction().execute((trx) => {
        callbacksOf.set(trx, callbacks);
        return work(trx);
      });
    } catch (error) {
      if (tries === maxTries || !(isRetryable(error) || isConnectionLost(error))) throw error;
      // Random, so that two conflicting transactions don't collide again.
      await pause(Math.random() * firstPauseMs * 2 ** tries);
      continue;
    }
    for (const callback of callbacks) callback();
    return result;
  }
}

/**
 * Calls `callback` when the transaction has committed, before `transact` returns; never when it is rolled back. It must not throw: the
 * change is already stored. Throws for a transaction that `transact` didn't start.
 */
export function afterCommit(trx: Trx, callback: () => void): void {
  const callbacks = callbacksOf.get(trx);
  if (!callbacks) throw new Error("Only a transaction started by `transact` can call back after its commit.");
  callbacks.push(callback);
}

/** What each running attempt of `transact` calls after its commit. */
const callbacksOf = new WeakMap<Trx, (() => void)[]>();

/**
 * Runs `work` in a transaction that doesn't wait for the disk: its writes survive the end of the process (kill -9 included), but may be
 * lost when the machine loses power within the next moments. For counts, and for deleting delivered events, which are then delivered
 * again. Use `transact` for anything a user typed.
 */
export async function transactWithoutFsync(
  { db, engine }: Pick<OpenDatabase, "db" | "engine">,
  work: (trx: Trx) => Promise<void>,
): Promise<void> {
  if (engine === "postgres") {
    return transact(db, async (trx) => {
      await sql`set local synchronous_commit = off`.execute(trx);
      await work(trx);
    });
  }
  await db.connection().execute(async (connection) => {
    await sql`pragma synchronous = normal`.execute(connection);
    const callbacks: (() => void)[] = [];
    try {
      await connection.transaction().execute((trx) => {
        callbacksOf.set(trx, callbacks);
        return work(trx);
      });
    } finally {
      await sql`pragma synchronous = full`.execute(connection);
    }
    for (const callback of callbacks) callback();
  });
}

/**
 * Has SQLite sample its tables where that helps it to choose indexes: without, it guesses. PostgreSQL does so itself. At the start all
 * tables are looked at, later those that were used. https://sqlite.org/pragma.html#pragma_optimize
 */
export async function updateStatistics({ db, engine }: Pick<OpenDatabase, "db" | "engine">, isStart = false) {
  if (engine === "sqlite") await sql`pragma optimize ${sql.raw(isStart ? "= 0x10002" : "")}`.execute(db);
}

/** Makes PostgreSQL use the space of deleted rows again, and updates the planner's statistics. */
export async function vacuumPostgres(databaseUrl: string): Promise<void> {
  const { db, close } = await openPostgresDatabase(databaseUrl, { hasDeadline: false });
  await sql`vacuum (analyze)`.execute(db).finally(close);
}

/** The size of the database in bytes, as it takes up space on its disk. */
export async function measureDatabase({ db, engine }: Pick<OpenDatabase, "db" | "engine">, dataDir: string) {
  if (engine === "sqlite") return sqliteBytes(dataDir);
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db);
  return rows[0]?.bytes;
}

const maxTries = 6;
const firstPauseMs = 10;

type ConnectionOptions = Omit<DatabaseOptions, "dataDir" | "databaseUrl">;

/** Reports each query, and logs slow ones without their values. */
function observeQueries({ log, hasDeadline = true, onQuery }: ConnectionOptions): LogConfig {
  return ({ query, queryDurationMillis: ms }) => {
    onQuery?.(ms);
    if (ms > slowQueryMs && hasDeadline)
      log?.warn({ ms: Math.round(ms), sql: query.sql.slice(0, maxLoggedSql) }, "a query took long");
  };
}

const slowQueryMs = 1_000;
const maxLoggedSql = 500;

function openSqliteDatabase(dataDir: string, options: ConnectionOptions): OpenDatabase {
  const database = openSqlite(dataDir);
  // There is one connection: queries and transactions wait for each other, so a query never becomes part of another one's transaction.
  const db = new Kysely<Schema>({
    dialect: createSqliteDialect(toKyselyDatabase(database)),
    log: observeQueries(options),
  });
  async function close() {
    if (!database.isOpen) return;
    // Waits for a transaction that is still running. On a full disk, the statistics stay as they are.
    await updateStatistics({ db, engine: "sqlite" }).catch(() => undefined);
    // Writes the WAL into the file.
    await db.destroy();
  }
  return { db, engine: "sqlite", close };
}

async function openPostgresDatabase(databaseUrl: string, options: ConnectionOptions): Promise<OpenDatabase> {
  const { log, hasDeadline = true } = options;
  // pg would check the certificate. As in libpq: TLS without a check where the server has it.
  const url = preferTls(databaseUrl);
  const pool = openPool(url, { log, hasDeadline });
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: reconnectingPool(pool) }),
    log: observeQueries(options),
  });
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    await db.destroy();
    if (url !== databaseUrl && isWithoutTls(error)) {
      const plainUrl = databaseUrl.replace(sslPreference, "$1disable");
      return openPostgresDatabase(plainUrl, options);
    }
    throw unreachableProblem(databaseUrl, error);
  }
  const connections = () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount });
  return { db, engine: "postgres", databaseUrl: url, connections, close: () => db.destroy() };
}

/** A URL with `sslmode=prefer` or `allow` as pg understands it, for a server with TLS. */
export function preferTls(databaseUrl: string): string {
  return databaseUrl.replace(sslPreference, "$1no-verify");
}

const sslPreference = /([?&]sslmode=)(?:prefer|allow)(?=&|$)/;

/** Rows of the pages that follow, by `created_at` and `id`; all rows without a cursor. Only one table of the query may have these columns. */
export function isAfterCursor(cursor: PageCursor | undefined) {
  return cursor ? sql<boolean>`(created_at, id) < (${cursor.createdAt}, ${cursor.id})` : sql<boolean>`true`;
}
