import { randomUUID } from "node:crypto";
import { createReadStream, existsSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";

import { startProblem } from "#app/services/base/errors.ts";
import type { Config } from "#app/services/config/config.server.ts";
import { fingerprintOf, openSecrets } from "#app/services/config/secrets.server.ts";
import { openFolderStore } from "#app/services/storage/folder-store.server.ts";
import { createS3Store } from "#app/services/storage/s3-store.server.ts";

import { fromWeb } from "./archive-writer.server.ts";
import type { ArchiveSource } from "./archive-reader.server.ts";

type TargetConfig = Pick<Config, "dataDir" | "backupTo" | "backupPassphrase" | "backupDays">;

/** Where backups are kept: a folder or a bucket. */
export type BackupTarget = Awaited<ReturnType<typeof openBackupTarget>>;

export async function openBackupTarget({ dataDir, backupTo }: TargetConfig) {
  const isBucket = typeof backupTo === "object";
  const folder = isBucket || backupTo === undefined ? join(dataDir, "backups") : backupTo;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  /** Unfinished backups, in the same folder, so that they can be moved. Listings leave out names that start with a dot. */
  const tempPath = () => join(folder, `.unfinished-${randomUUID()}`);
  // A response begins when the whole file is there.
  const store = isBucket
    ? await createS3Store(backupTo, { timeoutMs: maxUploadMs })
    : openFolderStore(folder, tempPath);
  const prefix = isBucket ? backupTo.prefix : "";

  async function open(name: string) {
    const found = await store.open(prefix + name);
    if (!found) throw startProblem(`${name} doesn't exist: not here, and not in ${label}.`);
    return fromWeb(found.body);
  }

  /** The names of backups; those of one installation are oldest first. */
  async function list(): Promise<string[]> {
    const names: string[] = [];
    for await (const { path } of store.list(prefix))
      if (timeOf(path.slice(prefix.length)) !== undefined) names.push(path.slice(prefix.length));
    return names.toSorted();
  }

  const label = isBucket ? `${backupTo.endpoint}/${backupTo.bucket}/${prefix}` : folder;
  return {
    /** As messages name it, without keys. */
    label,
    tempDir: folder,
    tempPath,
    open,
    list,
    /** Moves or uploads a local file. */
    save: (name: string, file: string) => store.put(prefix + name, { file }, "application/x-tar"),
    remove: (name: string) => store.remove(prefix + name),
  };
}

const maxUploadMs = 60 * 60_000;

/** Eight characters that tell the backups of installations apart that share a place: others are never removed. */
export function findInstallation(dataDir: string): string {
  const { find } = openSecrets(join(dataDir, "secrets.json"));
  return fingerprintOf(find("first") ?? find("auth") ?? "")
    .replaceAll(/[^a-z0-9]/gi, "")
    .slice(0, 8)
    .toLowerCase();
}

/** "meishi-k3f9a1bc-20261128T030000Z.tar.age". */
export function backupName(installation: string, time: number, isEncrypted: boolean): string {
  const timestamp = new Date(time).toISOString().replace(/\.\d+/, "").replaceAll(/[-:]/g, "");
  return `meishi-${installation}-${timestamp}.tar${isEncrypted ? ".age" : ""}`;
}

/** When a backup of this name was made, in epoch milliseconds; undefined for other files. */
function timeOf(name: string): number | undefined {
  const [, year, month, day, hour, minute, second] =
    /^meishi-[a-z0-9]{8}-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar(?:\.age)?$/.exec(name) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** Removes backups of this installation that are older than `days`, but never its newest. Returns their names. */
export async function removeOldBackups(
  target: Pick<BackupTarget, "list" | "remove">,
  { installation, now, days }: { installation: string; now: number; days: number },
): Promise<string[]> {
  const names = (await target.list()).filter((name) => name.startsWith(`meishi-${installation}-`));
  const old = names.slice(0, -1).filter((name) => now - (timeOf(name) ?? now) > days * dayMs);
  for (const name of old) await target.remove(name);
  return old;
}

const dayMs = 24 * 60 * 60_000;

/** A backup by the path of a file, or by its name where backups are kept. */
export async function findBackup(name: string, config: TargetConfig): Promise<ArchiveSource> {
  const passphrase = config.backupPassphrase;
  if (existsSync(name)) return fileSource(name, passphrase);
  if (name !== basename(name)) throw startProblem(`${name} doesn't exist.`);
  const target = await openBackupTarget(config);
  return { name, open: () => target.open(name), passphrase };
}

export function fileSource(path: string, passphrase: string | undefined): ArchiveSource {
  return { name: path, open: async () => createReadStream(path), passphrase };
}
