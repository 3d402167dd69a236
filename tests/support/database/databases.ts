import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CompiledQuery, sql } from "kysely";
import { describe, expect, inject } from "vitest";

import { createAuthTables } from "#app/services/auth/better-auth.server.ts";
import { openDatabase } from "#app/services/database/database.server.ts";
import type { Db, Engine, OpenDatabase } from "#app/services/database/database.server.ts";
import { migrate } from "#app/services/database/migrate.server.ts";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

import { borrowPostgresDatabase, openPostgresDatabase } from "./postgres-databases.ts";

/** A database for one test. `open` makes another connection to it, as a second process would. */
export type TestDatabase = OpenDatabase & {
  dataDir: string;
  databaseUrl: string | undefined;
  open: () => Promise<OpenDatabase>;
};

export const migrationsFolder = join(import.meta.dirname, "../../../migrations");

/**
 * Runs the block on SQLite and on PostgreSQL; each `makeDb()` is a migrated database without rows, for this test alone.
 * @example
 * describeOnEachDatabase("cards", (makeDb) => {
 *   test("a card is found by its id", async () => {
 *     const db = await makeDb();
 *   });
 * });
 */
export function describeOnEachDatabase(name: string, block: (makeDb: () => Promise<Db>, engine: Engine) => void) {
  for (const engine of listEngines()) {
    describe(`${name}, on ${engineLabels[engine]}`, () => {
      block(() => makeDb(engine), engine);
    });
  }
}

async function makeDb(engine: Engine): Promise<Db> {
  const borrowed = engine === "postgres" && (await borrowPostgresDatabase(migrationsFolder));
  return borrowed || (await makeDatabase(engine)).db;
}

/** The same with the folder and the address, for tests of what is below the queries. It is removed after the test. */
export async function makeDatabase(engine: Engine, { migrated = true } = {}): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), "meishi-test-"));
  cleanUpAfterTest(() => rmSync(dataDir, { recursive: true, force: true }));
  if (engine === "sqlite" && migrated) await copyMigratedDatabase(dataDir);
  const databaseUrl = engine === "postgres" ? await openPostgresDatabase(migrated, migrationsFolder) : undefined;
  async function open() {
    const opened = await openDatabase({ dataDir, databaseUrl });
    cleanUpAfterTest(() => opened.close());
    return opened;
  }
  return { ...(await open()), dataDir, databaseUrl, open };
}

/** Writes a migrated SQLite database into an empty data folder. */
export async function copyMigratedDatabase(dataDir: string): Promise<void> {
  writeFileSync(join(dataDir, databaseFile), await (sqliteTemplate ??= makeSqliteTemplate()));
}

const databaseFile = "meishi.db";
/** Migrated once per worker; every database of a test is a copy. */
let sqliteTemplate: Promise<Uint8Array> | undefined;

async function makeSqliteTemplate(): Promise<Uint8Array> {
  const dataDir = mkdtempSync(join(tmpdir(), "meishi-template-"));
  const { db, close } = await openDatabase({ dataDir });
  await migrate(db, "sqlite", migrationsFolder);
  await createAuthTables(db, "sqlite");
  await close();
  const bytes = readFileSync(join(dataDir, databaseFile));
  rmSync(dataDir, { recursive: true });
  return bytes;
}

/** Engines that this project tests on. Without a PostgreSQL server that is SQLite alone; the run says so at its end. */
export function listEngines(): Engine[] {
  return inject("engines").filter((engine) => engine !== "postgres" || "url" in inject("postgres"));
}

/** Until so many transactions wait for a row of this PostgreSQL database. */
export async function waitForLocks(db: Db, count: number): Promise<void> {
  const waiting = sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting.execute(db)).rows[0]?.n).toBe(count);
}

/** How the engine would run a query. */
export async function explain(db: Db, engine: Engine, query: { compile(db: Db): CompiledQuery }): Promise<string> {
  const { sql: text, parameters } = query.compile(db);
  const prefix = engine === "postgres" ? "explain" : "explain query plan";
  const { rows } = await db.executeQuery<object>(CompiledQuery.raw(`${prefix} ${text}`, [...parameters]));
  return rows.map((row) => Object.values(row).join(" ")).join("\n");
}

/** Ends the connections on which processes listen for messages of the others. */
export async function breakListeners({ db }: Pick<TestDatabase, "db">): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query ~ 'notify|^listen'`.execute(db);
}

const engineLabels: Record<Engine, string> = { sqlite: "SQLite", postgres: "PostgreSQL" };
