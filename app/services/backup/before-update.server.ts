import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

import { sql } from "kysely";
import type { Logger } from "pino";

import { writeAtomically } from "#app/services/base/atomic-write.server.ts";
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
 * problem if it can't: then nothing has changed yet. Call what it returns once the update is complete: only then older backups are removed.
 */
export async function backUpBeforeUpdate(
  { db }: Pick<OpenDatabase, "db">,
  { config, migrations, log }: UpdateOptions,
): Promise<() => void> {
  if (!config.backupBeforeUpdate) return () => undefined;
  const folder = join(config.dataDir, "backups");
  const unfinishedUpdate = join(folder, ".unfinished-update");
  const applied = await listApplied(db);
  const isUpdate = applied.length > 0 && listMigrations(migrations).some((name) => !applied.includes(name));
  // A program that restarts because its update fails has the backup of its first try.
  if (isUpdate && !isRecent(unfinishedUpdate)) {
    const path = join(folder, `before-update-${Date.now()}.tar${config.backupPassphrase === undefined ? "" : ".age"}`);
    log.info({ file: path }, "backing up the database before the update");
    try {
      await write(path, { config, migrations });
      writeAtomically(unfinishedUpdate, path);
    } catch (error) {
      const reason = isDiskFull(error) ? "the disk is full" : error instanceof Error ? error.message : String(error);
      throw startProblem(
        `The backup before the update couldn't be made in ${folder}: ${reason}. Nothing was changed. Fix it and start again, or set BACKUP_BEFORE_UPDATE=off if you have a backup.`,
        error,
      );
    }
  }
  return () => {
    if (!existsSync(unfinishedUpdate)) return;
    rmSync(unfinishedUpdate);
    const old = readdirSync(folder).filter((name) => name.startsWith("before-update-"));
    for (const name of old.toSorted().slice(0, -keptBackups)) rmSync(join(folder, name));
  };
}

async function write(path: string, { config, migrations }: Pick<UpdateOptions, "config" | "migrations">) {
  // A start that is killed leaves a file of this name, and not one that looks like a backup.
  const unfinished = join(dirname(path), ".unfinished-before-update");
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(unfinished, { force: true });
  // Loaded only when needed: it would take memory at every start.
  const { writeBackup } = await import("./write-backup.server.ts");
  await writeBackup(unfinished, { config, passphrase: config.backupPassphrase, migrations, now: Date.now() });
  renameSync(unfinished, path);
}

function isRecent(path: string): boolean {
  return existsSync(path) && Date.now() - statSync(path).mtimeMs < updateMs;
}

/** An update that fails is given up within a day; the next try makes another backup. */
const updateMs = 24 * 60 * 60_000;
const keptBackups = 3;

/** The migrations that the database has; none if it is new. */
async function listApplied(db: OpenDatabase["db"]): Promise<string[]> {
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === "migration")) return [];
  const { rows } = await sql<{ name: string }>`select name from migration where name <> '(lock)'`.execute(db);
  return rows.map(({ name }) => name);
}
