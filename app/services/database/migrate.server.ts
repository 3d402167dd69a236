import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { sql } from "kysely";

import { transact } from "./database.server.ts";
import type { Db, Engine } from "./database.server.ts";
import { startProblem, systemCode } from "#app/services/base/errors.ts";

/** Some migrations of a folder, for the schema of an earlier version. */
type MigrationSet = { folder: string; names: readonly string[] };

/**
 * Applies the .sql files of a folder that the database doesn't have yet, in the order of their names. Throws a start problem, and changes
 * nothing, when the database has migrations that are unknown here.
 */
export async function migrate(db: Db, engine: Engine, migrations: string | MigrationSet): Promise<void> {
  const { folder, names: files } =
    typeof migrations === "string" ? { folder: migrations, names: listMigrations(migrations) } : migrations;
  await makeMigrationTable(db);
  refuseUnknown(await listApplied(db), files);
  await withMigrationLock(db, engine, async () => {
    const applied = await listApplied(db);
    refuseUnknown(applied, files);
    for (const name of files.filter((file) => !applied.includes(file))) await apply(db, folder, name);
  });
}

/** The start problem for a user of PostgreSQL who may not create or use tables; any other error as it is. */
export async function explainRights(db: Db, error: unknown): Promise<unknown> {
  const code = systemCode(error);
  if (code === "25006")
    return startProblem("The database (DATABASE_URL) is read-only. Use the address of the primary server.", error);
  // No right on a table or a schema; none of the schemas in search_path may be used.
  if (!(error instanceof Error) || !["42501", "3F000"].includes(code)) return error;
  const { rows } = await sql<{ user: string }>`select current_user as user`.execute(db);
  return startProblem(
    `The database (DATABASE_URL) refuses its user: ${error.message}. As an administrator of PostgreSQL, connect to this database and run ` +
      `GRANT ALL ON SCHEMA public TO "${rows[0]?.user}"; or, if another user created the tables, set DATABASE_URL to that user.`,
    error,
  );
}

/**
 * Runs `work` in one process at a time; others on the same database wait. For work that must not run twice at a start. The lock ends with
 * the connection, even when the process is killed. Needs `migrate` to have run once.
 */
export async function withMigrationLock<T>(db: Db, engine: Engine, work: () => Promise<T>): Promise<T> {
  // The data folder, and with it the SQLite file, is already locked by this process.
  if (engine === "sqlite") return work();
  return db.transaction().execute(async (trx) => {
    // A row lock, because every database that is compatible with PostgreSQL has it.
    await trx.updateTable("migration").set({ applied_at: Date.now() }).where("name", "=", lockRow).execute();
    return work();
  });
}

const lockRow = "(lock)";
const maxTries = 10;

/** The names of all migrations of this program, in their order. */
export function listMigrations(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .map((file) => file.slice(0, -".sql".length))
    .toSorted();
}

async function listApplied(db: Db): Promise<string[]> {
  const rows = await db.selectFrom("migration").select("name").where("name", "!=", lockRow).orderBy("name").execute();
  return rows.map(({ name }) => name);
}

function refuseUnknown(applied: readonly string[], files: readonly string[]) {
  const unknown = applied.filter((name) => !files.includes(name));
  if (unknown.length === 0) return;
  if (unknown.includes("0001-profiles-and-cards"))
    throw startProblem(
      "The database was created by a version before 0.1.0, which can't be upgraded. " +
        "Use an empty database: set DATABASE_URL to another one or, for SQLite, DATA_DIR to an empty folder.",
    );
  throw startProblem(
    `The database was created by a newer version of Meishi (${unknown.join(", ")}). Start that version, or restore a backup.`,
  );
}

/** "if not exists" fails when another process creates the table at the same time. Then it exists at the next try. */
async function makeMigrationTable(db: Db): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await sql`create table if not exists migration (name text not null primary key, applied_at bigint not null)`.execute(
        db,
      );
      await db
        .insertInto("migration")
        .values({ name: lockRow, applied_at: 0 })
        .onConflict((row) => row.doNothing())
        .execute();
      return;
    } catch (error) {
      if (tries === maxTries || systemCode(error) === "42501") throw error;
      await pause(Math.random() * 20 * tries);
    }
  }
}

/**
 * Applies and records the file in one transaction, so a crash leaves neither. One that starts with "-- Unless column table.column" only
 * records it where the column exists.
 */
async function apply(db: Db, folder: string, name: string): Promise<void> {
  const text = readFileSync(join(folder, `${name}.sql`), "utf8");
  const [, table, column] = /^-- Unless column (\w+)\.(\w+)/.exec(text) ?? [];
  const existing = table ? (await db.introspection.getTables()).find((one) => one.name === table) : undefined;
  const isDone = existing?.columns.some((one) => one.name === column);
  await transact(db, async (trx) => {
    for (const statement of isDone ? [] : splitStatements(text)) await sql.raw(statement).execute(trx);
    await trx.insertInto("migration").values({ name, applied_at: Date.now() }).execute();
  });
}

/** Splits our own files, where a comment is a whole line and a semicolon at the end of a line ends a statement. */
function splitStatements(text: string): string[] {
  return text
    .replace(/^\s*--.*$/gm, "")
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}
