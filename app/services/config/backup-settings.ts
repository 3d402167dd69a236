import { resolve } from "node:path";

import { choice, matching, oneOf, settingIn, wholeNumber } from "./setting-values.ts";
import type { SettingProblem } from "./setting-values.ts";

/** A bucket for backups, with the access keys in its URL. `prefix` ends with "/" unless it is empty. */
export type BackupBucket = {
  endpoint: string;
  bucket: string;
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** The path of a folder, or a bucket: `https://KEY:SECRET@s3.eu-central-1.amazonaws.com/bucket/folder?region=eu-central-1`. */
function parseBackupTarget(text: string, cwd: string): string | BackupBucket | SettingProblem {
  if (!/^\w+:\/\//.test(text)) return resolve(cwd, text);
  const url = URL.parse(text);
  const [, bucket = "", ...folders] = url?.pathname.split("/") ?? [];
  const prefix = folders.filter(Boolean).map((folder) => `${folder}/`);
  const isStorable = [bucket, ...prefix].every((part) => /^[\w-][\w.-]*\/?$/.test(part));
  if (!url || !["http:", "https:"].includes(url.protocol) || !url.username || !url.password || !isStorable)
    return {
      problem:
        "must be the path of a folder or the URL of a bucket, https://KEY:SECRET@host/bucket/folder?region=…, with / + % in the keys as %2F %2B %25.",
    };
  const [accessKeyId, secretAccessKey] = [url.username, url.password].map(decoded);
  if (accessKeyId === undefined || secretAccessKey === undefined)
    return { problem: "has a key with a % that isn't written as %25." };
  return {
    endpoint: url.origin,
    bucket,
    prefix: prefix.join(""),
    region: url.searchParams.get("region") ?? "us-east-1",
    accessKeyId,
    secretAccessKey,
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Why backups can't be kept there; undefined if they can. Backups of files among them would contain all backups before. */
export function backupTargetProblem(
  target: string | BackupBucket | undefined,
  { dataDir, s3 }: { dataDir: string; s3: { endpoint: string; bucket: string } | undefined },
): string | undefined {
  if (typeof target === "object")
    return target.bucket === s3?.bucket && target.endpoint === new URL(s3.endpoint).origin
      ? "BACKUP_TO must not be in S3_BUCKET, which has the files that are backed up. Use a bucket of its own."
      : undefined;
  const isAmongFiles = target !== undefined && `${target}/`.startsWith(`${dataDir}/files/`);
  return isAmongFiles ? "BACKUP_TO must not be in DATA_DIR/files, which is backed up." : undefined;
}

/** At least twelve characters: a backup can be tried offline. */
const parsePassphrase = matching(/^.{12,}$/su, "must have at least 12 characters.");

const ofBackups = settingIn("Backups");

export const backupSettings = {
  backup: ofBackups("BACKUP", oneOf("off", "daily"), {
    default: "off",
    doc: "`daily` makes a backup every night after 03:00 UTC, or at the start if there is none of that day, and checks it. See [docs/backups.md](backups.md).",
  }),
  backupTo: ofBackups("BACKUP_TO", parseBackupTarget, {
    without: "`DATA_DIR/backups`",
    doc: "Folder for backups, or a bucket: `https://KEY:SECRET@s3.eu-central-1.amazonaws.com/bucket/folder?region=eu-central-1`.",
  }),
  backupDays: ofBackups("BACKUP_DAYS", wholeNumber(1, 3_650, "a whole number of days"), {
    default: "7",
    doc: "Days for which backups are kept. The newest is always kept.",
  }),
  backupBeforeUpdate: ofBackups("BACKUP_BEFORE_UPDATE", choice("on", "off"), {
    default: "on",
    doc: "`off` leaves out the backup of the database that is made in `DATA_DIR/backups` before an update changes its tables.",
  }),
  backupPassphrase: ofBackups("BACKUP_PASSPHRASE", parsePassphrase, {
    without: "none: backups aren’t encrypted",
    doc: "Encrypts backups with [age](https://age-encryption.org). Without it, no one can restore them: keep a copy elsewhere.",
  }),
};
