import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";
import type { Logger } from "pino";

import { writeAtomically } from "#app/services/base/atomic-write.server.ts";
import { startProblem } from "#app/services/base/errors.ts";
import type { Config } from "#app/services/config/config.server.ts";
import { openDataFolder, restoreMarker } from "#app/services/config/data-folder.server.ts";
import { findSetting, removeSetting, saveSetting } from "#app/services/config/setting-rows.server.ts";
import { openDatabase } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { fileTypeOf } from "#app/services/storage/copy-files.server.ts";
import { openFileStorage } from "#app/services/storage/file-storage.server.ts";
import type { FileStorage } from "#app/services/storage/file-storage.server.ts";

import { readArchive } from "./archive-reader.server.ts";
import type { ArchiveSource } from "./archive-reader.server.ts";
import { forgetLastBackup } from "./last-backup.server.ts";
import { listOwnTables, loadRows, makeTables, openFast, refuseNewer, refuseSyncTokens } from "./load-backup.server.ts";
import type { Manifest } from "./manifest.ts";
import {
  readMarker,
  refuseFilledDatabase,
  refuseFilledFolder,
  refuseFilledStore,
  writeMarker,
} from "./restore-checks.server.ts";

type RestoreOptions = { config: Config; migrations: string; log: Logger };

/**
 * Restores a backup into an empty data folder and, if they are configured, an empty PostgreSQL database and an empty bucket, whatever the
 * backup was made of. Writes nothing before the whole backup has been read and its hashes checked. A restore that was killed is started
 * again; until it is complete, the program refuses to start. Throws a start problem.
 */
export async function restoreBackup(
  source: ArchiveSource,
  { config, migrations, log }: RestoreOptions,
): Promise<Manifest> {
  const manifest = await readArchive(source);
  refuseNewer(source, manifest, migrations);
  const { dataDir } = config;
  const folder = openDataFolder(dataDir, { isRestore: true });
  try {
    const begun = readMarker(dataDir, manifest);
    if (!begun?.isLoaded) {
      const files = await openFileStorage({ config, folder, log });
      refuseFilledFolder(config, manifest, begun !== undefined);
      if (manifest.files && !begun) await refuseFilledStore(config, files);
      const onFile = (path: string, bytes: Buffer) => putBack(path, bytes, { dataDir, files });
      const fill = config.databaseUrl ? fillPostgres : fillSqlite;
      await fill(source, { config, manifest, migrations, onFile, isBegun: begun !== undefined });
    }
    finish(dataDir);
    return manifest;
  } finally {
    folder.close();
  }
}

/** Moves a complete SQLite database to its place. Can be repeated after a kill. */
function finish(dataDir: string): void {
  const loaded = join(dataDir, loadingFolder, "meishi.db");
  if (existsSync(loaded)) renameSync(loaded, join(dataDir, "meishi.db"));
  rmSync(join(dataDir, loadingFolder), { recursive: true, force: true });
  rmSync(join(dataDir, restoreMarker));
}

/** Where a SQLite database is filled. */
const loadingFolder = "restoring";

/** Writes an entry where it was. */
async function putBack(path: string, bytes: Buffer, { dataDir, files }: { dataDir: string; files: FileStorage }) {
  const [area = "", ...rest] = path.split("/");
  if (area === "files") return files.put(rest.join("/"), bytes, fileTypeOf(path));
  const isKnown =
    path === "secrets.json" || (area === "content" && rest.length === 1 && !/^\.\.?$/.test(rest[0] ?? ""));
  if (!isKnown) throw startProblem(`The backup has an unknown entry, ${path}.`);
  if (area === "content") mkdirSync(join(dataDir, "content"), { recursive: true, mode: 0o700 });
  writeAtomically(join(dataDir, path), bytes);
}

type Filling = {
  config: Config;
  manifest: Manifest;
  migrations: string;
  onFile: (path: string, bytes: Buffer) => Promise<void>;
  /** By a restore of the same backup, which was killed. */
  isBegun: boolean;
};

async function fillSqlite(source: ArchiveSource, { config, manifest, migrations, onFile }: Filling): Promise<void> {
  const { dataDir } = config;
  const folder = join(dataDir, loadingFolder);
  writeMarker(dataDir, { sums: manifest.sums, isLoaded: false });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  const database = await openFast(folder);
  try {
    await makeTables(database, manifest, migrations);
    await loadRows(source, database, onFile);
    await forgetLastBackup(database.db);
    await refuseSyncTokens(database.db, manifest);
    await sql`pragma synchronous = full`.execute(database.db);
  } finally {
    await database.close();
  }
  writeMarker(dataDir, { sums: manifest.sums, isLoaded: true });
}

/** Fills all tables in one transaction. */
async function fillPostgres(
  source: ArchiveSource,
  { config, manifest, migrations, ...options }: Filling,
): Promise<void> {
  const { dataDir } = config;
  const database = await openDatabase({ ...config, hasDeadline: false });
  const { db } = database;
  try {
    if (options.isBegun && (await wasLoaded(db, manifest))) return;
    await refuseFilledDatabase(database, manifest, await listOwnTables(manifest, migrations));
    writeMarker(dataDir, { sums: manifest.sums, isLoaded: false });
    await makeTables(database, manifest, migrations);
    await db.transaction().execute(async (trx) => {
      await loadRows(source, { db: trx, engine: "postgres" }, options.onFile);
      await forgetLastBackup(trx);
      await refuseSyncTokens(trx, manifest);
      // A kill after the commit leaves a marker that doesn't know of it.
      await saveSetting(trx, restoredName, manifest.sums);
    });
    writeMarker(dataDir, { sums: manifest.sums, isLoaded: true });
    await removeSetting(db, restoredName);
  } finally {
    await database.close();
  }
}

/** The setting with the hash of the backup that a PostgreSQL database was filled from. */
const restoredName = "restored-backup";

async function wasLoaded(db: Db, { sums }: Manifest): Promise<boolean> {
  const tables = await db.introspection.getTables();
  return tables.some(({ name }) => name === "setting") && (await findSetting(db, restoredName)) === sums;
}
