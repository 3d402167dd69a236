import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openDatabase } from "#app/services/database/database.server.ts";
import { migrate } from "#app/services/database/migrate.server.ts";
import { startPostgres } from "#tests/support/database/postgres-server.ts";

import { root } from "../program.ts";
import { notMeasured } from "../table.ts";
import type { Row } from "../table.ts";

/** A data folder of its own, and its database with all tables: SQLite, or the given PostgreSQL. */
export async function createDatabase(databaseUrl?: string) {
  const dataDir = mkdtempSync(join(tmpdir(), "meishi-bench-"));
  const database = await openDatabase({ dataDir, databaseUrl });
  await migrate(database.db, database.engine, join(root, "migrations"));
  return { dataDir, ...database };
}

/** Measures with the settings of SQLite, then with those of a new PostgreSQL. Where there is none, a row says that `what` wasn't measured. */
export async function onBothDatabases(
  what: string,
  measure: (label: string, environment: Record<string, string>) => Promise<Row[]>,
): Promise<Row[]> {
  const onSqlite = await measure("SQLite", {});
  const server = await startPostgres();
  if ("missing" in server) return [...onSqlite, notMeasured(`${what}, PostgreSQL`, `no PostgreSQL: ${server.missing}`)];
  try {
    return [...onSqlite, ...(await measure("PostgreSQL", { DATABASE_URL: server.url }))];
  } finally {
    await server.stop();
  }
}
