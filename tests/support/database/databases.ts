import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Client } from "pg";
import { describe, inject } from "vitest";

import { openDatabase } from "#app/services/database/database.server.ts";
import type { Db, Engine, OpenDatabase } from "#app/services/database/database.server.ts";
import { migrate } from "#app/services/database/migrate.server.ts";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

import "./postgres-server.ts";

/** A database for one test. `open` makes another connection to it, as a second process would. */
export type TestDatabase = OpenDatabase & {
  dataDir: string;
  databaseUrl: string | undefined;
  open: () => Promise<OpenDatabase>;
};

export const migrationsFolder = join(import.meta.dirname, "../../../migrations");

/**
 * Runs the block on SQLite and on PostgreSQL; each `makeDb()` is a new, migrated database that is removed after the test.
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
      block(async () => (await makeDatabase(engine)).db, engine);
    });
  }
}

/** The same with the folder and the address, for tests of what is below the queries. It is removed after the test. */
export async function makeDatabase(engine: Engine, { migrated = true } = {}): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), "meishi-test-"));
  cleanUpAfterTest(() => rmSync(dataDir, { recursive: true, force: true }));
  if (engine === "sqlite" && migrated)
    writeFileSync(join(dataDir, databaseFile), await (sqliteTemplate ??= makeSqliteTemplate()));
  const databaseUrl = engine === "postgres" ? await createPostgresDatabase(migrated) : undefined;
  async function open() {
    const opened = await openDatabase({ dataDir, databaseUrl });
    cleanUpAfterTest(() => opened.close());
    return opened;
  }
  return { ...(await open()), dataDir, databaseUrl, open };
}

const databaseFile = "meishi.db";
/** Migrated once per worker; every database of a test is a copy. */
let sqliteTemplate: Promise<Uint8Array> | undefined;
let postgresTemplate: Promise<string> | undefined;

async function makeSqliteTemplate(): Promise<Uint8Array> {
  const dataDir = mkdtempSync(join(tmpdir(), "meishi-template-"));
  const { db, close } = await openDatabase({ dataDir });
  await migrate(db, "sqlite", migrationsFolder);
  await close();
  const bytes = readFileSync(join(dataDir, databaseFile));
  rmSync(dataDir, { recursive: true });
  return bytes;
}

/** The name of a migrated database to copy. A copy takes a third of the time of a schema of its own and its migrations. */
async function makePostgresTemplate(): Promise<string> {
  const { name, url } = await addPostgresDatabase("template1");
  const { db, close } = await openDatabase({ dataDir: tmpdir(), databaseUrl: url });
  await migrate(db, "postgres", migrationsFolder);
  await close();
  return name;
}

/** Engines that this project tests on. Without a PostgreSQL server that is SQLite alone; the run says so at its end. */
export function listEngines(): Engine[] {
  return inject("engines").filter((engine) => engine !== "postgres" || "url" in inject("postgres"));
}

const engineLabels: Record<Engine, string> = { sqlite: "SQLite", postgres: "PostgreSQL" };

async function createPostgresDatabase(migrated: boolean): Promise<string> {
  const template = migrated ? await (postgresTemplate ??= makePostgresTemplate()) : "template1";
  const { name, url } = await addPostgresDatabase(template);
  cleanUpAfterTest(() => asAdministrator(`drop database ${name} with (force)`));
  return url;
}

async function addPostgresDatabase(template: string): Promise<{ name: string; url: string }> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await asAdministrator(`create database ${name} template ${template}`);
  const url = new URL(postgresUrl());
  url.pathname = `/${name}`;
  return { name, url: url.href };
}

function postgresUrl(): string {
  const postgres = inject("postgres");
  if ("missing" in postgres) throw new Error(`no PostgreSQL: ${postgres.missing}`);
  return postgres.url;
}

async function asAdministrator(statement: string) {
  const client = new Client({ connectionString: postgresUrl() });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
