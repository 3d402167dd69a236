import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";

import type { Logger } from "pino";

import { findLastBackup } from "#app/services/backup/last-backup.server.ts";
import { formatBytes, formatDate } from "#app/services/base/format.ts";
import { findSigner, openApplePasses } from "#app/services/config/apple-passes.server.ts";
import type { Config } from "#app/services/config/config.server.ts";
import { openGoogleWallet } from "#app/services/config/google-wallet-account.server.ts";
import { openSecrets } from "#app/services/config/secrets.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { FileStorage } from "#app/services/storage/file-storage.server.ts";

import { isLow } from "../checks.server.ts";
import type { Check } from "./run-checks.server.ts";

const dayMs = 24 * 60 * 60_000;

/** The data folder, its disk and the secrets. */
export function folderChecks({ dataDir }: Config): Check[] {
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  return [
    {
      name: "Data folder",
      fix: "Set DATA_DIR to the folder of the running program, and run this as its user.",
      run() {
        const mode = modeOf(dataDir);
        if ((mode & 0o077) === 0) return `${dataDir}, readable by its user only.`;
        return { warning: `Others may open ${dataDir} (${mode.toString(8)}).`, fix: `chmod 700 ${dataDir}` };
      },
    },
    {
      name: "Disk",
      fix: "Check the disk of DATA_DIR.",
      async run() {
        const { bavail, blocks, bsize } = await statfs(dataDir);
        const space = { free: bavail * bsize, total: blocks * bsize };
        const text = `${formatBytes(space.free)} of ${formatBytes(space.total)} are free.`;
        const fix =
          "Make room: saves fail when the disk is full. Backups in DATA_DIR/backups may go to another disk (BACKUP_TO).";
        if (space.free < nearlyFullBytes) return { error: text, fix };
        return isLow(space) ? { warning: text, fix } : text;
      },
    },
    {
      name: "Secrets",
      fix: "Restore secrets.json from a backup, as the user who runs Meishi.",
      run() {
        const path = join(dataDir, "secrets.json");
        if (!existsSync(path))
          return {
            error: `${path} doesn't exist.`,
            fix: "Restore it from a backup. Without one, start Meishi: everyone has to sign in again.",
          };
        const mode = modeOf(path);
        // Throws for a damaged file.
        openSecrets(path);
        if ((mode & 0o077) === 0) return `${path}, readable by its user only.`;
        return { error: `Others may read ${path} (${mode.toString(8)}).`, fix: `chmod 600 ${path}` };
      },
    },
  ];
}

const nearlyFullBytes = 100_000_000;

/** The folder or the bucket with uploaded files. */
export function storageCheck({ s3 }: Config, files: FileStorage): Check {
  const fix = s3
    ? "Check the S3_… settings, and that the key may list, read, write and delete."
    : "Check DATA_DIR/files.";
  const path = "status/doctor/probe";
  return {
    name: "File storage",
    fix,
    async run() {
      const bytes = randomBytes(1_000);
      await files.put(path, bytes, "application/octet-stream");
      const read = await files.read(path);
      await files.remove(path);
      if (!read || !bytes.equals(read)) return { error: "A file was read that differs from what was written.", fix };
      return s3 ? `The bucket ${s3.bucket} can be written and read.` : "DATA_DIR/files can be written and read.";
    },
  };
}

export function backupCheck(
  { backup, backupTo, backupPassphrase }: Config,
  { db, now }: { db: Db; now: number },
): Check {
  return {
    name: "Backups",
    fix: "Run `npm run backup`, and see what it says.",
    async run() {
      const last = await findLastBackup(db);
      if (backup === "off")
        return { warning: "There are no daily backups.", fix: "Set BACKUP=daily, and see docs/backups.md." };
      if (!last || now - last.createdAt > 2 * dayMs)
        return {
          error: last ? `The last backup is of ${formatDate(last.createdAt)}.` : "No backup was made yet.",
          fix: "Run `npm run backup`: it says what is wrong. The log has “the daily backup failed”.",
        };
      const text = `The last one was made and checked on ${formatDate(last.createdAt)} (${formatBytes(last.bytes)}).`;
      if (backupTo === undefined)
        return { warning: `${text} It is on the disk of DATA_DIR.`, fix: "Set BACKUP_TO to another disk or a bucket." };
      if (typeof backupTo === "object" && backupPassphrase === undefined)
        return { warning: `${text} It isn't encrypted.`, fix: "Set BACKUP_PASSPHRASE, and keep a copy elsewhere." };
      return text;
    },
  };
}

/** Certificates and keys of wallet passes, where they are configured. */
export function passChecks({ applePasses, googleWallet }: Config, { now, log }: { now: number; log: Logger }): Check[] {
  const fix = "See docs/wallet.md.";
  const checks: Check[] = [];
  if (applePasses)
    checks.push({
      name: "Apple Wallet",
      fix,
      async run() {
        const passes = await openApplePasses(applePasses, { now, log });
        if (passes.state !== "ready")
          return { error: passes.state === "invalid" ? passes.problems.join(" ") : "Off.", fix };
        const end = formatDate(passes.signer.expiresAt);
        if (!findSigner(passes, now)) return { error: `A certificate expired on ${end}. Passes can't be made.`, fix };
        const text = `The certificates are valid until ${end}.`;
        return passes.signer.expiresAt - now > 30 * dayMs ? text : { warning: text, fix: `Renew them. ${fix}` };
      },
    });
  if (googleWallet)
    checks.push({
      name: "Google Wallet",
      fix,
      run() {
        const setup = openGoogleWallet(googleWallet, log);
        return setup.state === "ready"
          ? `Issuer ${setup.account.issuerId}.`
          : { error: setup.state === "invalid" ? setup.problems.join(" ") : "Off.", fix };
      },
    });
  return checks;
}
