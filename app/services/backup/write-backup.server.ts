import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { startProblem } from "#app/services/base/errors.ts";
import { restoreMarker } from "#app/services/config/data-folder.server.ts";
import { programVersion } from "#app/services/config/version.ts";
import type { Config } from "#app/services/config/config.server.ts";
import type { FileStorage } from "#app/services/storage/file-storage.server.ts";

import { createArchive } from "./archive-writer.server.ts";
import type { Archive } from "./archive-writer.server.ts";
import type { Manifest } from "./manifest.ts";
import { packRows } from "./row-parts.server.ts";
import { withSnapshot } from "./snapshot.server.ts";
import type { Snapshot } from "./snapshot.server.ts";

/** What is being written: "12,000 rows, 340 files". */
export type OnProgress = (done: { rows: number; files: number }) => void;

type BackupOptions = {
  config: Pick<Config, "dataDir" | "databaseUrl" | "baseUrl">;
  /** Without them, the backup has only the database. */
  files?: Pick<FileStorage, "list" | "open"> | undefined;
  passphrase?: string | undefined;
  now: number;
  onProgress?: OnProgress;
};

/**
 * Writes a backup of the installation to a new file, while the program is running or not: the database at one moment, each uploaded file
 * that its rows name, secrets.json and the operator's content. After an error the file is removed.
 */
export async function writeBackup(
  path: string,
  { config, files, passphrase, now, onProgress = () => undefined }: BackupOptions,
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
    const described = await withSnapshot(config, async (snapshot) => ({
      engine: config.databaseUrl ? ("postgres" as const) : ("sqlite" as const),
      migrations: [...snapshot.migrations],
      tables: await addRows(archive, snapshot, { done, report }),
    }));
    await copied?.addNew();
    if (copied) await addOwnFiles(archive, config.dataDir);
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

async function addRows(archive: Archive, snapshot: Snapshot, { done, report }: Progress) {
  const tables: Record<string, number> = {};
  for (const table of snapshot.tables) {
    tables[table] = 0;
    for await (const { name, rows, bytes } of packRows(table, snapshot.rows(table))) {
      await archive.add(name, bytes);
      tables[table] += rows;
      done.rows += rows;
      report();
    }
  }
  return tables;
}

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
  const names = existsSync(content) ? readdirSync(content).map((name) => `content/${name}`) : [];
  for (const name of ["secrets.json", ...names])
    if (existsSync(join(dataDir, name))) await archive.add(name, readFileSync(join(dataDir, name)));
}
