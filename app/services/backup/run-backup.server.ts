import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

import type { Config } from "#app/services/config/config.server.ts";
import { openDatabase } from "#app/services/database/database.server.ts";
import type { FileStorage } from "#app/services/storage/file-storage.server.ts";

import {
  backupName,
  fileSource,
  findInstallation,
  openBackupTarget,
  removeOldBackups,
} from "./backup-target.server.ts";
import { saveLastBackup } from "./last-backup.server.ts";
import { verifyBackup } from "./load-backup.server.ts";
import { writeBackup } from "./write-backup.server.ts";
import type { OnProgress } from "./write-backup.server.ts";

type RunOptions = {
  config: Config;
  files: FileStorage;
  /** Folder of the .sql files. */
  migrations: string;
  now: number;
  onProgress?: OnProgress;
};

/** Makes a backup and checks it by restoring its database. Nothing has the name `path` before. */
export async function backUpTo(path: string, { config, migrations, ...options }: RunOptions) {
  const unfinished = `${path}.unfinished`;
  rmSync(unfinished, { force: true });
  const passphrase = config.backupPassphrase;
  try {
    await writeBackup(unfinished, { config, passphrase, migrations, ...options });
    const source = fileSource(unfinished, passphrase);
    const manifest = await verifyBackup(source, { migrations, tempDir: config.dataDir });
    const { size: bytes } = statSync(unfinished);
    renameSync(unfinished, path);
    return { manifest, bytes };
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** The same to where backups are kept, where it replaces those that are too old. It is then the last backup. */
export async function backUp(options: RunOptions) {
  const { config, now } = options;
  const target = await openBackupTarget(config);
  for (const folder of new Set([target.tempDir, config.dataDir])) removeLeftovers(folder, now);
  const file = target.tempPath();
  const { manifest, bytes } = await backUpTo(file, options);
  const installation = findInstallation(config.dataDir);
  const name = backupName(installation, now, config.backupPassphrase !== undefined);
  try {
    await target.save(name, file);
  } finally {
    rmSync(file, { force: true });
  }
  const { db, close } = await openDatabase(config);
  try {
    await saveLastBackup(db, { name, createdAt: now, bytes, days: config.backupDays });
  } finally {
    await close();
  }
  const removed = await removeOldBackups(target, { installation, now, days: config.backupDays });
  return { name, label: target.label, manifest, bytes, removed };
}

/** Removes what a backup that was killed left behind. */
function removeLeftovers(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const isOurs = /^\.(?:unfinished|check)-/.test(name);
    if (isOurs && now - statSync(path).mtimeMs > leftoverAfterMs) rmSync(path, { recursive: true, force: true });
  }
}

const leftoverAfterMs = 6 * 60 * 60_000;
