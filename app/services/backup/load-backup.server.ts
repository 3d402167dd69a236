import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sql } from "kysely";

import { createAuthTables } from "#app/services/auth/better-auth.server.ts";
import { startProblem } from "#app/services/base/errors.ts";
import { openDatabase } from "#app/services/database/database.server.ts";
import type { Db, Engine, OpenDatabase, Trx } from "#app/services/database/database.server.ts";
import { listMigrations, migrate } from "#app/services/database/migrate.server.ts";

import { readArchive } from "./archive-reader.server.ts";
import type { ArchiveSource } from "./archive-reader.server.ts";
import type { Manifest } from "./manifest.ts";
import { insertPart, listBooleans, tableOf } from "./row-parts.server.ts";
import { storedTables } from "./snapshot.server.ts";

/** Called with each entry that isn't of the database. */
type OnFile = (path: string, bytes: Buffer) => Promise<void>;

/** Throws a start problem if this program doesn't know the schema of the backup. */
export function refuseNewer({ name }: ArchiveSource, { migrations, version }: Manifest, folder: string): void {
  const known = listMigrations(folder);
  if (migrations.every((migration) => known.includes(migration))) return;
  throw startProblem(
    `${name} was made by Meishi ${version}, whose database is newer than this version knows. Use that version or a newer one.`,
  );
}

/** Gives an empty database the tables that the backup was made of. The next start brings them up to date. */
export async function makeTables(
  { db, engine }: OpenDatabase,
  { migrations }: Pick<Manifest, "migrations">,
  folder: string,
): Promise<void> {
  await migrate(db, engine, { folder, names: migrations });
  await createAuthTables(db, engine);
}

/** The tables that a backup with these migrations has: others may share a PostgreSQL database. */
export async function listOwnTables(schema: Pick<Manifest, "migrations">, folder: string): Promise<string[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "meishi-tables-"));
  try {
    const database = await openFast(dataDir);
    try {
      await makeTables(database, schema, folder);
      return storedTables((await database.db.introspection.getTables()).map(({ name }) => name));
    } finally {
      await database.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

/** Inserts all rows of the backup. Throws a start problem if their number isn't what its manifest says. */
export async function loadRows(
  source: ArchiveSource,
  { db, engine }: { db: Db | Trx; engine: Engine },
  onFile: OnFile = async () => undefined,
): Promise<void> {
  const counts = new Map<string, number>();
  const booleans = await listBooleans(db, engine);
  const manifest = await readArchive(source, async (path, bytes) => {
    const table = tableOf(path);
    if (table === undefined) return onFile(path, bytes);
    const rows = await insertPart({ db, engine, booleans }, table, bytes).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw startProblem(`Rows of the table ${table} in ${source.name} can't be stored: ${reason}.`, error);
    });
    counts.set(table, (counts.get(table) ?? 0) + rows);
  });
  for (const [table, wanted] of Object.entries(manifest.tables)) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db);
    const found = Number(rows[0]?.n);
    if (found !== wanted || (counts.get(table) ?? 0) !== wanted)
      throw startProblem(`${source.name} can't be used: ${found} of ${wanted} rows of the table ${table} were read.`);
  }
}

/**
 * Devices that synchronized contacts after the backup start over: revisions that they know, or that were given out since, aren't used again.
 */
export async function refuseSyncTokens(db: Db | Trx, { tables }: Pick<Manifest, "tables">): Promise<void> {
  if (!("address_book" in tables)) return;
  await sql`update address_book set revision = revision + ${sql.lit(revisionGap)}, oldest_revision = revision + ${sql.lit(revisionGap)}`.execute(
    db,
  );
}

/** More changes than anyone makes between two backups. */
const revisionGap = 1_000_000_000;

/**
 * Checks that a backup can be restored: all hashes, and by filling a temporary SQLite database in `tempDir`, the number of rows. Returns
 * its manifest, or throws a start problem.
 */
export async function verifyBackup(
  source: ArchiveSource,
  { migrations, tempDir }: { migrations: string; tempDir: string },
): Promise<Manifest> {
  const manifest = await readArchive(source);
  refuseNewer(source, manifest, migrations);
  const dataDir = join(tempDir, `.check-${process.pid}`);
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    const database = await openFast(dataDir);
    try {
      await makeTables(database, manifest, migrations);
      await loadRows(source, database);
    } finally {
      await database.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  return manifest;
}

/** A new SQLite database that doesn't wait for the disk. `OpenDatabase.close` writes everything into its file. */
export async function openFast(dataDir: string): Promise<OpenDatabase> {
  const database = await openDatabase({ dataDir });
  await sql`pragma synchronous = off`.execute(database.db);
  return database;
}
