import { existsSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import pino from "pino";

import { findBackup, openBackupTarget } from "#app/services/backup/backup-target.server.ts";
import { verifyBackup } from "#app/services/backup/load-backup.server.ts";
import type { Manifest } from "#app/services/backup/manifest.ts";
import { restoreBackup } from "#app/services/backup/restore-backup.server.ts";
import { backUp, backUpTo } from "#app/services/backup/run-backup.server.ts";
import { startProblem } from "#app/services/base/errors.ts";
import { formatBytes, formatDate, formatNumber } from "#app/services/base/format.ts";
import { environment, readConfig } from "#app/services/config/config.server.ts";
import type { Config } from "#app/services/config/config.server.ts";
import { copyFiles } from "#app/services/storage/copy-files.server.ts";
import { openFileStorage } from "#app/services/storage/file-storage.server.ts";

import { runCommand } from "./run-command.ts";

const usage = `Usage:
  npm run backup                       Makes a backup in BACKUP_TO (DATA_DIR/backups), checks it and removes old ones.
  npm run backup -- <file>             Makes a backup in a new file, and checks it.
  npm run backup -- --list             Lists the backups in BACKUP_TO.
  npm run restore -- <file or name>    Restores a backup into an empty DATA_DIR, database and bucket.
  npm run restore -- --check <file>    Checks whether a backup can be restored, and changes nothing.
  npm run copy-files                   Copies uploaded files from DATA_DIR to the bucket of S3_…; again: only new ones.

Works while Meishi is running, with its settings. BACKUP_PASSPHRASE encrypts backups. See docs/backups.md.`;

const log = pino({ level: "error" }, pino.destination(2));
const migrations = fileURLToPath(new URL("../../migrations", import.meta.url));

async function run([command, ...given]: string[]): Promise<string> {
  lowerPriority();
  const [first, second, ...more] = given;
  if (given.includes("--help") || given.includes("-h")) return usage;
  const config = readSettings();
  if (command === "copy-files" && first === undefined) return copyToBucket(config);
  const isRestore = command === "restore";
  if (!isRestore && first === undefined) return makeKeptBackup(config);
  if (!isRestore && first === "--list" && second === undefined) return listBackups(config);
  if (!isRestore && first !== undefined && !first.startsWith("-") && second === undefined)
    return makeBackup(config, first);
  if (isRestore && first === "--check" && second !== undefined && more.length === 0) return check(config, second);
  if (isRestore && first !== undefined && !first.startsWith("-") && second === undefined) return restore(config, first);
  throw startProblem(usage);
}

/** So that the site stays fast. A hardened service may not be allowed to. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    log.debug({ err: error }, "the priority can't be lowered");
  }
}

function readSettings(): Config {
  const read = readConfig(environment(), process.cwd());
  if ("problems" in read) throw startProblem(read.problems.join("\n"));
  return read.config;
}

async function makeKeptBackup(config: Config): Promise<string> {
  const { name, label, manifest, bytes, removed } = await backUp(await backupOptions(config));
  const old = removed.length > 0 ? `\nRemoved ${removed.join(", ")}: older than ${config.backupDays} days.` : "";
  return `${join(label, name)}: ${describe(manifest, bytes)} It was checked and can be restored.${old}`;
}

async function makeBackup(config: Config, typed: string): Promise<string> {
  const path = resolve(typed);
  if (existsSync(path)) throw startProblem(`${path} exists. A backup replaces nothing: choose another name.`);
  const { manifest, bytes } = await backUpTo(path, await backupOptions(config));
  return `${path}: ${describe(manifest, bytes)} It was checked and can be restored.`;
}

async function backupOptions(config: Config) {
  const folder = { filesDir: join(config.dataDir, "files"), tempDir: join(config.dataDir, "files/.drafts") };
  const files = await openFileStorage({ config, folder, log });
  return { config, files, migrations, now: Date.now(), onProgress: createProgress() };
}

/** Reports on standard error what was read so far, at most once a second. */
function createProgress() {
  let last = Date.now();
  return ({ rows, files }: { rows?: number; files: number }) => {
    if (Date.now() - last < 1_000) return;
    last = Date.now();
    process.stderr.write(rows === undefined ? `${files} files…\n` : `${rows} rows, ${files} files…\n`);
  };
}

async function copyToBucket(config: Config): Promise<string> {
  if (!config.s3) throw startProblem("Set the S3_… settings of the bucket for this command.");
  const folder = { filesDir: join(config.dataDir, "files"), tempDir: join(config.dataDir, "files/.drafts") };
  const from = await openFileStorage({ config: { s3: undefined }, folder, log });
  const to = await openFileStorage({ config, folder, log });
  const progress = createProgress();
  const { copied, existing } = await copyFiles(from, to, (files) => progress({ files }));
  return `${formatNumber(copied)} files were copied to the bucket ${config.s3.bucket}, which had ${formatNumber(existing)} already.`;
}

async function listBackups(config: Config): Promise<string> {
  const target = await openBackupTarget(config);
  const names = await target.list();
  return names.length > 0 ? names.join("\n") : `There are no backups in ${target.label}.`;
}

async function check(config: Config, name: string): Promise<string> {
  const source = await findBackup(name, config);
  const manifest = await verifyBackup(source, { migrations, tempDir: config.dataDir });
  return `${name}: ${describe(manifest)} It can be restored.`;
}

async function restore(config: Config, name: string): Promise<string> {
  const source = await findBackup(name, config);
  process.stderr.write(`Reading ${name}…\n`);
  const manifest = await restoreBackup(source, { config, migrations, log });
  const moved = manifest.baseUrl === config.baseUrl ? "" : ` Its BASE_URL was ${manifest.baseUrl}.`;
  return `Restored: ${describe(manifest)}${moved} Start Meishi now.`;
}

function describe({ createdAt, version, tables, files }: Manifest, bytes?: number): string {
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  const count = (table: string) => formatNumber(tables[table] ?? 0);
  return [
    `accounts: ${count("user")}, cards: ${count("card")}, leads: ${count("lead")}, all rows: ${formatNumber(rows)}`,
    files ? `files: ${formatNumber(files.count)} (${formatBytes(files.bytes)})` : "files: none",
    ...(bytes === undefined ? [] : [`size: ${formatBytes(bytes)}`]),
    `made by Meishi ${version} on ${formatDate(createdAt)}.`,
  ].join(", ");
}

runCommand(run);
