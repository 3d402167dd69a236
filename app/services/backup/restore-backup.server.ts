import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { extname, join } from "node:path";

import { sql } from "kysely";
import type { Logger } from "pino";

import { writeAtomically } from "#app/services/base/atomic-write.server.ts";
import { startProblem } from "#app/services/base/errors.ts";
import type { Config } from "#app/services/config/config.server.ts";
import { openDataFolder, restoreMarker } from "#app/services/config/data-folder.server.ts";
import { openDatabase } from "#app/services/database/database.server.ts";
import type { OpenDatabase } from "#app/services/database/database.server.ts";
import { openFileStorage } from "#app/services/storage/file-storage.server.ts";
import type { FileStorage } from "#app/services/storage/file-storage.server.ts";

import { readArchive } from "./archive-reader.server.ts";
import type { ArchiveSource } from "./archive-reader.server.ts";
import { loadRows, makeTables, openFast, refuseNewer } from "./load-backup.server.ts";
import type { Manifest } from "./manifest.ts";

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
    const files = await openFileStorage({ config, folder, log });
    const marker = join(dataDir, restoreMarker);
    if (!existsSync(marker)) await refuseFilled(config, manifest, files);
    writeAtomically(marker, source.name);
    const onFile = (path: string, bytes: Buffer) => putBack(path, bytes, { dataDir, files });
    await (config.databaseUrl ? fillPostgres : fillSqlite)(source, { config, manifest, migrations, onFile });
    rmSync(marker);
    return manifest;
  } finally {
    folder.close();
  }
}

/** Throws a start problem that names what is already there. */
async function refuseFilled({ dataDir, s3 }: Config, manifest: Manifest, files: FileStorage): Promise<void> {
  const own = manifest.files ? ["meishi.db", "secrets.json", "content"] : ["meishi.db"];
  const found = own.filter((name) => existsSync(join(dataDir, name)));
  if (found.length > 0)
    throw startProblem(
      `The data folder ${dataDir} (DATA_DIR) isn't empty: it has ${found.join(", ")}. A restore replaces nothing. Stop Meishi, move the folder away or set DATA_DIR to another one, and try again.`,
    );
  for await (const { path } of manifest.files ? files.list("") : [])
    throw startProblem(
      `The file storage isn't empty: it has ${path}. A restore replaces nothing. ${s3 ? "Use an empty bucket (S3_BUCKET)." : `Move ${join(dataDir, "files")} away, and try again.`}`,
    );
}

/** Writes an entry where it was. */
async function putBack(path: string, bytes: Buffer, { dataDir, files }: { dataDir: string; files: FileStorage }) {
  const [area = "", ...rest] = path.split("/");
  if (area === "files") return files.put(rest.join("/"), bytes, typesByExtension[extname(path)] ?? unknownType);
  if (path !== "secrets.json" && !/^content\/[\w.-]+$/.test(path)) return;
  if (area === "content") mkdirSync(join(dataDir, "content"), { recursive: true, mode: 0o700 });
  writeAtomically(join(dataDir, path), bytes);
}

const unknownType = "application/octet-stream";
const typesByExtension: Record<string, string> = {
  ".webp": "image/webp",
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".pdf": "application/pdf",
};

type Filling = {
  config: Config;
  manifest: Manifest;
  migrations: string;
  onFile: (path: string, bytes: Buffer) => Promise<void>;
};

/** Fills a file beside the place of the database, and moves it there when it is complete. */
async function fillSqlite(source: ArchiveSource, { config, manifest, migrations, onFile }: Filling): Promise<void> {
  const unfinished = join(config.dataDir, "restoring");
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  const database = await openFast(unfinished);
  try {
    await makeTables(database, manifest, migrations);
    await loadRows(source, database, onFile);
    await sql`pragma synchronous = full`.execute(database.db);
  } finally {
    await database.close();
  }
  renameSync(join(unfinished, "meishi.db"), join(config.dataDir, "meishi.db"));
  rmSync(unfinished, { recursive: true });
}

/** Fills all tables in one transaction. */
async function fillPostgres(source: ArchiveSource, { config, manifest, migrations, onFile }: Filling): Promise<void> {
  const database = await openDatabase({ ...config, hasDeadline: false });
  try {
    await refuseFilledDatabase(database, manifest);
    await makeTables(database, manifest, migrations);
    await database.db.transaction().execute((trx) => loadRows(source, { db: trx, engine: "postgres" }, onFile));
  } finally {
    await database.close();
  }
}

/** Tables without rows are those of a restore that was killed. */
async function refuseFilledDatabase({ db }: OpenDatabase, { migrations }: Manifest): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = current_schema()`.execute(db);
  const refusal = (reason: string) =>
    startProblem(
      `The database (DATABASE_URL) isn't empty: ${reason}. A restore replaces nothing. Create another database (createdb), set DATABASE_URL to it, and try again.`,
    );
  for (const { name } of rows) {
    if (name === "migration") {
      const applied = await db.selectFrom("migration").select("name").where("name", "<>", "(lock)").execute();
      if (applied.some((row) => !migrations.includes(row.name))) throw refusal("it was used by a newer version");
      continue;
    }
    const { rows: found } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    if (found.length > 0) throw refusal(`its table ${name} has rows`);
  }
}
