import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";
import type { Logger } from "pino";

import { isDiskFull, startProblem } from "#app/services/base/errors.ts";
import type { Config } from "#app/services/config/config.server.ts";
import type { OpenDatabase } from "#app/services/database/database.server.ts";
import { listMigrations } from "#app/services/database/migrate.server.ts";

type UpdateOptions = {
  config: Pick<Config, "dataDir" | "databaseUrl" | "baseUrl" | "backupBeforeUpdate" | "backupPassphrase">;
  /** Folder of the .sql files. */
  migrations: string;
  log: Logger;
};

/**
 * Backs up the database, without files, to DATA_DIR/backups before migrations change it. Does nothing for a new database. Throws a start
 * problem if it can't: then nothing has changed yet.
 */
export async function backUpBeforeUpdate(
  { db }: Pick<OpenDatabase, "db">,
  { config, migrations, log }: UpdateOptions,
): Promise<void> {
  if (!config.backupBeforeUpdate) return;
  const applied = await listApplied(db);
  const isUpdate = applied.length > 0 && listMigrations(migrations).some((name) => !applied.includes(name));
  if (!isUpdate) return;
  const folder = join(config.dataDir, "backups");
  const now = Date.now();
  const path = join(folder, `before-update-${now}.tar${config.backupPassphrase === undefined ? "" : ".age"}`);
  // A start that is killed leaves a file of this name, and not one that looks like a backup.
  const unfinished = join(folder, ".unfinished-before-update");
  log.info({ file: path }, "backing up the database before the update");
  // Loaded only when needed: it would take memory at every start.
  const { writeBackup } = await import("./write-backup.server.ts");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    rmSync(unfinished, { force: true });
    await writeBackup(unfinished, { config, passphrase: config.backupPassphrase, now });
    renameSync(unfinished, path);
  } catch (error) {
    const reason = isDiskFull(error) ? "the disk is full" : error instanceof Error ? error.message : String(error);
    throw startProblem(
      `The backup before the update couldn't be made in ${folder}: ${reason}. Nothing was changed. Fix it and start again, or set BACKUP_BEFORE_UPDATE=off if you have a backup.`,
      error,
    );
  }
  const old = readdirSync(folder).filter((name) => name.startsWith("before-update-"));
  for (const name of old.toSorted().slice(0, -keptBackups)) rmSync(join(folder, name));
}

const keptBackups = 3;

/** The migrations that the database has; none if it is new. */
async function listApplied(db: OpenDatabase["db"]): Promise<string[]> {
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === "migration")) return [];
  const { rows } = await sql<{ name: string }>`select name from migration where name <> '(lock)'`.execute(db);
  return rows.map(({ name }) => name);
}
