import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Client } from "pg";
import { afterEach, describe, inject } from "vitest";

import { openDatabase } from "#app/services/database.server.ts";
import type { Db, Engine, OpenDatabase } from "#app/services/database.server.ts";
import { migrate } from "#app/services/migrate.server.ts";

import "./postgres-setup.ts";

/** A database of its own. `open` makes another connection to the same one, as a second process would. */
export type TestDatabase = OpenDatabase & {
  dataDir: string;
  databaseUrl: string | undefined;
  open: () => Promise<OpenDatabase>;
};

export const migrationsFolder = join(import.meta.dirname, "../../migrations");

/**
 * Runs the block once on SQLite and once on PostgreSQL; each `makeDb()` is a fresh, migrated database that goes after the test.
 * @example
 * describeOnEachDatabase("cards", (makeDb) => {
 *   test("a card is found by its id", async () => {
 *     const db = await makeDb();
 *   });
 * });
 */
export function describeOnEachDatabase(name: string, block: (makeDb: () => Promise<Db>, engine: Engine) => void) {
  for (const engine of ["sqlite", "postgres"] as const) {
    describe.skipIf(isMissing(engine))(`${name}, on ${SHOWN[engine]}`, () => {
      block(async () => (await makeDatabase(engine)).db, engine);
    });
  }
}

/** The same with everything around it, for tests of what lies beneath the queries. Goes after the test as well. */
export async function makeDatabase(engine: Engine, { migrated = true } = {}): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), "meishi-test-"));
  toClean.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const databaseUrl = engine === "postgres" ? await createPostgresDatabase() : undefined;
  async function open() {
    const opened = await openDatabase({ dataDir, databaseUrl });
    toClean.push(() => opened.close());
    return opened;
  }
  const opened = await open();
  if (migrated) await migrate(opened.db, engine, migrationsFolder);
  return { ...opened, dataDir, databaseUrl, open };
}

/** Is there no PostgreSQL to test on? Then the run says so at its end. */
export function isMissing(engine: Engine) {
  return engine === "postgres" && "missing" in inject("postgres");
}

const SHOWN: Record<Engine, string> = { sqlite: "SQLite", postgres: "PostgreSQL" };

type CleanUp = () => void | Promise<void>;
const toClean: CleanUp[] = [];

// Backwards: connections are closed before the database or the folder they are to goes.
afterEach(async () => {
  for (let clean = toClean.pop(); clean; clean = toClean.pop()) await clean();
});

async function createPostgresDatabase(): Promise<string> {
  const postgres = inject("postgres");
  if ("missing" in postgres) throw new Error(`no PostgreSQL: ${postgres.missing}`);
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await asAdministrator(postgres.url, `create database ${name}`);
  toClean.push(() => asAdministrator(postgres.url, `drop database ${name} with (force)`));
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return url.href;
}

async function asAdministrator(url: string, statement: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
