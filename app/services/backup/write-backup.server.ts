import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { startProblem } from "#app/services/base/errors.ts";
import { restoreMarker } from "#app/services/config/data-folder.server.ts";
import { programVersion } from "#app/services/config/version.ts";
import type { Config } from "#app/services/config/config.server.ts";
import { fingerprintName, fingerprintOf, openSecrets } from "#app/services/config/secrets.server.ts";
import { listMigrations } from "#app/services/database/migrate.server.ts";
import type { FileStorage } from "#app/services/storage/file-storage.server.ts";

import { createArchive } from "./archive-writer.server.ts";
import type { Archive } from "./archive-writer.server.ts";
import { listOwnTables } from "./load-backup.server.ts";
import type { Manifest } from "./manifest.ts";
import { packRows } from "./row-parts.server.ts";
import { withSnapshot } from "./snapshot.server.ts";
import type { Snapshot } from "./snapshot.server.ts";

/** What is being written: "12,000 rows, 340 files". */
export type OnProgress = (done: { rows: number; files: number }) => void;

type BackupOptions = {
  config: Pick<Config, "dataDir" | "databaseUrl" | "baseUrl">;
  /** Without them, the backup has only the database. */
  files?: Pick<FileStorage, "list" | "open" | "read"> | undefined;
  passphrase?: string | undefined;
  /** Folder of the .sql files. */
  migrations: string;
  now: number;
  onProgress?: OnProgress;
};

/**
 * Writes a backup of the installation to a new file, while the program is running or not: the database at one moment, each uploaded file
 * that its rows name, secrets.json and the operator's content. After an error the file is removed.
 */
export async function writeBackup(
  path: string,
  { config, files, passphrase, migrations, now, onProgress = () => undefined }: BackupOptions,
): Promise<Manifest> {
  if (existsSync(join(config.dataDir, restoreMarker)))
    throw startProblem(`A restore into ${config.dataDir} (DATA_DIR) didn't finish, so there is nothing to back up.`);
  const archive = createArchive(path, passphrase);
  const done = { rows: 0, files: 0 };
  const report = () => onProgress(done);
  try {
    const copied = files && createFileCopy(files, archive, { done, report });
    // Before and after the database, so that a file is there whether it was replaced or uploaded meanwhile.
    await copied?.addNew();
    const { settings, ...described } = await withSnapshot(config, async (snapshot) => {
      const own = await ownTables(snapshot, migrations);
      return {
        engine: config.databaseUrl ? ("postgres" as const) : ("sqlite" as const),
        migrations: [...snapshot.migrations],
        ...(await addRows(archive, { ...snapshot, tables: own }, { done, report })),
      };
    });
    await copied?.addNew();
    if (files) {
      await refuseForeign(config.dataDir, files, settings);
      await addOwnFiles(archive, config.dataDir);
    }
    const manifest = {
      format: 1 as const,
      version: programVersion,
      createdAt: now,
      baseUrl: config.baseUrl,
      ...described,
      files: copied ? { count: done.files, bytes: copied.bytes() } : null,
    };
    return await archive.finish(manifest);
  } catch (error) {
    await archive.abort();
    rmSync(path, { force: true });
    throw error;
  }
}

type Progress = { done: { rows: number; files: number }; report: () => void };

/** Those of the snapshot's tables that are ours. Throws a start problem if this program doesn't know them all. */
async function ownTables({ tables, migrations: applied }: Snapshot, migrations: string): Promise<string[]> {
  const unknown = applied.filter((name) => !listMigrations(migrations).includes(name));
  if (unknown.length > 0)
    throw startProblem(`The database is newer than this version of Meishi (${unknown.join(", ")}). Use that version.`);
  const own = await listOwnTables({ migrations: [...applied] }, migrations);
  return tables.filter((name) => own.includes(name));
}

async function addRows(archive: Archive, snapshot: Snapshot, { done, report }: Progress) {
  const tables: Record<string, number> = {};
  const settings = new Map<unknown, unknown>();
  async function* rowsOf(table: string) {
    for await (const rows of snapshot.rows(table)) {
      if (table === "setting") for (const { name, value } of rows) settings.set(name, value);
      yield rows;
    }
  }
  for (const table of snapshot.tables) {
    tables[table] = 0;
    for await (const { name, rows, bytes } of packRows(table, rowsOf(table))) {
      await archive.add(name, bytes);
      tables[table] += rows;
      done.rows += rows;
      report();
    }
  }
  return { tables, settings };
}

/** A backup with the files or secrets of another installation, or none, couldn't replace this one. */
async function refuseForeign(dataDir: string, files: Pick<FileStorage, "read">, settings: Map<unknown, unknown>) {
  const path = join(dataDir, "secrets.json");
  const check = "Check that DATA_DIR, DATABASE_URL and S3_… are those of the running program.";
  if (!existsSync(path)) throw startProblem(`${path} doesn't exist. ${check}`);
  const secret = openSecrets(path).find("auth");
  const fingerprint = settings.get(fingerprintName);
  if (secret !== undefined && fingerprint !== undefined && fingerprint !== fingerprintOf(secret))
    throw startProblem(`${path} isn't the one that was first used with this database. ${check}`);
  const storeId = settings.get(storeIdName);
  const found = await files.read(storeIdName);
  if (
    storeId !== undefined &&
    Buffer.from(found ?? [])
      .toString()
      .trim() !== storeId
  )
    throw startProblem(`The uploaded files of this database are elsewhere. ${check}`);
}

/** The setting and the file with the random id of an installation's file storage. */
const storeIdName = "store-id";

/** Short-lived files with which a process checks its storage. */
const probePrefix = "status/";

function createFileCopy(files: Pick<FileStorage, "list" | "open">, archive: Archive, { done, report }: Progress) {
  const copied = new Map<string, { writtenAt: number; size: number }>();
  return {
    bytes: () => [...copied.values()].reduce((sum, { size }) => sum + size, 0),
    /** A file that was replaced since it was copied is written again; the later entry counts. */
    async addNew() {
      for await (const { path, writtenAt } of files.list("")) {
        if (path.startsWith(probePrefix) || copied.get(path)?.writtenAt === writtenAt) continue;
        const found = await files.open(path);
        if (!found) continue;
        await archive.add(`files/${path}`, found);
        copied.set(path, { writtenAt, size: found.size });
        done.files = copied.size;
        report();
      }
    },
  };
}

async function addOwnFiles(archive: Archive, dataDir: string): Promise<void> {
  const content = join(dataDir, "content");
  const entries = existsSync(content) ? readdirSync(content, { withFileTypes: true }) : [];
  const names = entries.flatMap((entry) => (entry.isFile() ? `content/${entry.name}` : []));
  for (const name of ["secrets.json", ...names]) await archive.add(name, readFileSync(join(dataDir, name)));
}
