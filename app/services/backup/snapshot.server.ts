import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { sql } from "kysely";

import { openDatabase } from "#app/services/database/database.server.ts";
import type { Config } from "#app/services/config/config.server.ts";
import { startProblem } from "#app/services/base/errors.ts";

export type Row = Record<string, unknown>;

/** All tables at one moment, however long they are read and whatever is written meanwhile. */
export type Snapshot = {
  tables: readonly string[];
  /** The names of applied migrations. */
  migrations: readonly string[];
  /** Parts of at most 500 rows. */
  rows: (table: string) => AsyncIterable<Row[]>;
};

type DatabaseAddress = Pick<Config, "dataDir" | "databaseUrl">;

/**
 * Calls `work` with a snapshot of the database. On SQLite with a connection of its own, which reads beside the running program: with a
 * write-ahead log, readers and writers don't wait for each other (https://sqlite.org/wal.html#concurrency).
 */
export async function withSnapshot<T>(address: DatabaseAddress, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return address.databaseUrl ? withPostgresSnapshot(address, work) : withSqliteSnapshot(address.dataDir, work);
}

/** Tables whose rows are made again when they are missing. */
const cacheTables = ["rendered_page", "sitemap_file"];
const migrationTable = "migration";
const rowsPerPart = 500;

/** Which tables a backup has, in the order in which they can be filled: better-auth's tables reference `user`. */
export function storedTables(all: readonly string[]): string[] {
  const stored = all.filter((name) => name !== migrationTable && !cacheTables.includes(name));
  return stored.toSorted((a, b) => Number(b === "user") - Number(a === "user") || (a < b ? -1 : 1));
}

async function withSqliteSnapshot<T>(dataDir: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const path = join(dataDir, "meishi.db");
  const database = openExisting(path);
  try {
    database.exec("begin");
    const list = (query: string) =>
      database
        .prepare(query)
        .all()
        .map(({ name }) => String(name));
    return await work({
      tables: storedTables(list("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'")),
      migrations: list(`select name from ${migrationTable} where name <> '(lock)' order by name`),
      async *rows(table) {
        let part: Row[] = [];
        for (const row of database.prepare(`select * from "${table}"`).iterate()) {
          part.push(row);
          if (part.length < rowsPerPart) continue;
          yield part;
          part = [];
        }
        if (part.length > 0) yield part;
      },
    });
  } finally {
    database.close();
  }
}

function openExisting(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  } catch (error) {
    throw startProblem(
      `There is no database at ${path}: ${error instanceof Error ? error.message : String(error)}. Check DATA_DIR and DATABASE_URL.`,
      error,
    );
  }
}

async function withPostgresSnapshot<T>(address: DatabaseAddress, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const { db, close } = await openDatabase({ ...address, hasDeadline: false });
  try {
    return await db
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute(async (trx) => {
        const { rows: tables } = await sql<{ name: string }>`
          select table_name as name from information_schema.tables
          where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(trx);
        const migrations = await trx
          .selectFrom("migration")
          .select("name")
          .where("name", "<>", "(lock)")
          .orderBy("name")
          .execute();
        return work({
          tables: storedTables(tables.map(({ name }) => name)),
          migrations: migrations.map(({ name }) => name),
          async *rows(table) {
            await sql`declare backup_rows no scroll cursor for select * from ${sql.table(table)}`.execute(trx);
            for (;;) {
              const { rows } = await sql<Row>`fetch ${sql.lit(rowsPerPart)} from backup_rows`.execute(trx);
              if (rows.length === 0) break;
              yield rows;
            }
            await sql`close backup_rows`.execute(trx);
          },
        });
      });
  } finally {
    await close();
  }
}
