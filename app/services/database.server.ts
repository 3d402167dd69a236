import { setTimeout as pause } from "node:timers/promises";

import { Kysely, PostgresDialect, sql } from "kysely";
import type { Transaction } from "kysely";
import type { Logger } from "pino";

import { isRetryable } from "./database-errors.ts";
import { openPool, unreachable } from "./postgres.server.ts";
import type { Schema } from "./schema.ts";
import { sqliteDialect } from "./sqlite-dialect.server.ts";
import { openSqlite } from "./sqlite-file.server.ts";

export { isDiskFull, isUniqueViolation } from "./database-errors.ts";

export type Db = Kysely<Schema>;
export type Trx = Transaction<Schema>;
export type Engine = "sqlite" | "postgres";
export type OpenDatabase = { db: Db; engine: Engine; close: () => Promise<void> };

type Place = { dataDir: string; databaseUrl?: string | undefined; log?: Logger | undefined };

/** PostgreSQL where there is a `databaseUrl`, else the file `meishi.db` in the data folder. Throws a start problem when it can't be reached. */
export async function openDatabase({ dataDir, databaseUrl, log }: Place): Promise<OpenDatabase> {
  return databaseUrl ? openPostgres(databaseUrl, log) : openEmbedded(dataDir);
}

/**
 * Runs `work` as one transaction, again from its start when the database asks for that: it must be safe to repeat and must
 * use `trx` alone. `db` inside it would wait for the connection that the transaction holds.
 */
export async function transact<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (tries === MAX_TRIES || !isRetryable(error)) throw error;
      // Random, so that two that stood in each other's way do not meet again.
      await pause(Math.random() * FIRST_PAUSE * 2 ** tries);
    }
  }
}

/**
 * A transaction that does not wait for the disk: what it wrote survives the end of the process, kill -9 included, and is lost at most
 * when the machine loses its power a moment later. For counts; anything a person typed goes through `transact`.
 */
export async function transactSoon(
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
    try {
      await connection.transaction().execute(work);
    } finally {
      await sql`pragma synchronous = full`.execute(connection);
    }
  });
}

const MAX_TRIES = 6;
const FIRST_PAUSE = 10;

function openEmbedded(dataDir: string): OpenDatabase {
  const database = openSqlite(dataDir);
  const db = new Kysely<Schema>({ dialect: sqliteDialect(database) });
  async function close() {
    // Does nothing when no query was ever made. Closing writes what is in the WAL into the file.
    await db.destroy();
    if (database.isOpen) database.close();
  }
  return { db, engine: "sqlite", close };
}

async function openPostgres(databaseUrl: string, log?: Logger): Promise<OpenDatabase> {
  const pool = openPool(databaseUrl, log);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    await db.destroy();
    throw unreachable(databaseUrl, error);
  }
  return { db, engine: "postgres", close: () => db.destroy() };
}
