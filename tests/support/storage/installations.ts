import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import pino from "pino";

import { fileSource } from "#app/services/backup/backup-target.server.ts";
import { restoreBackup } from "#app/services/backup/restore-backup.server.ts";
import { writeBackup } from "#app/services/backup/write-backup.server.ts";
import { readConfig } from "#app/services/config/config.server.ts";
import type { Config } from "#app/services/config/config.server.ts";
import { openSecrets } from "#app/services/config/secrets.server.ts";
import type { Engine } from "#app/services/database/database.server.ts";
import { openFileStorage } from "#app/services/storage/file-storage.server.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";
import { makeDatabase, migrationsFolder as migrations } from "#tests/support/database/databases.ts";
import { accountRows, insertProfile } from "#tests/support/database/seed.ts";

import { makeTempFolder } from "./temp-folder.ts";

const log = pino({ level: "silent" });
export const now = Date.UTC(2026, 10, 28, 3);

export function configOf(env: Record<string, string>): Config {
  const read = readConfig(env, "/");
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  return read.config;
}

export function storageOf(config: Config) {
  const filesDir = join(config.dataDir, "files");
  const tempDir = join(filesDir, ".drafts");
  mkdirSync(tempDir, { recursive: true });
  return openFileStorage({ config, folder: { filesDir, tempDir }, log });
}

/** An installation on SQLite with accounts, files, secrets and content. */
export async function makeInstallation({ settings = 1 } = {}) {
  const { db, dataDir } = await makeDatabase("sqlite");
  const config = configOf({ DATA_DIR: dataDir });
  const { id, rows } = await accountRows("ada@example.com", 1);
  const setting = Array.from({ length: settings }, (_, n) => ({ name: `n${n}`, value: `“${n}\n”` }));
  await insertRows({ db }, { ...rows, setting });
  await insertProfile(db, id);
  openSecrets(join(dataDir, "secrets.json")).secret("auth");
  mkdirSync(join(dataDir, "content"));
  writeFileSync(join(dataDir, "content/site.json"), '{ "operator": { "name": "Åsa’s" } }');
  const files = await storageOf(config);
  await files.put("avatars/ada/a.webp", randomBytes(300_000), "image/webp");
  await files.put("resumes/ada/r.pdf", randomBytes(10), "application/pdf");
  await files.put("status/self/probe", randomBytes(4), "text/plain");
  return { db, dataDir, config, files };
}

export async function makeBackup(options: { settings?: number; passphrase?: string } = {}) {
  const source = await makeInstallation(options);
  const path = join(makeTempFolder(), "backup.tar");
  const manifest = await writeBackup(path, { ...source, passphrase: options.passphrase, migrations, now });
  return { ...source, path, manifest };
}

/** An empty place to restore to. */
export async function emptyConfig(engine: Engine, env: Record<string, string> = {}) {
  const { databaseUrl } = engine === "postgres" ? await makeDatabase(engine, { migrated: false }) : {};
  return configOf({
    DATA_DIR: join(makeTempFolder(), "data"),
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...env,
  });
}

export const restore = (path: string, config: Config, passphrase?: string) =>
  restoreBackup(fileSource(path, passphrase), { config, migrations, log });
