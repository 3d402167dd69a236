import { z } from "zod";

import { findSetting, removeSetting, saveSetting } from "#app/services/config/setting-rows.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

const settingName = "last-backup";

/**
 * A backup that was checked. `createdAt`: everything that was stored before is in it, in epoch milliseconds. `days`: how long backups are
 * kept.
 */
export type LastBackup = z.infer<typeof lastBackupSchema>;

const lastBackupSchema = z.object({ name: z.string(), createdAt: z.number(), bytes: z.number(), days: z.number() });

export async function findLastBackup(db: Db): Promise<LastBackup | undefined> {
  const stored = await findSetting(db, settingName);
  return stored === undefined ? undefined : lastBackupSchema.parse(JSON.parse(stored));
}

export function saveLastBackup(db: Db, last: LastBackup): Promise<void> {
  return saveSetting(db, settingName, JSON.stringify(last));
}

/** A restored installation has no backup of its own yet. */
export async function forgetLastBackup(db: Db | Trx): Promise<void> {
  await removeSetting(db, settingName);
}

/** The last backup where there is one every day: undefined where backups are off, or the last is older than two days. */
export async function findDailyBackup(
  { db, config }: { db: Db; config: { backup: string } },
  now: number,
): Promise<LastBackup | undefined> {
  if (config.backup !== "daily") return undefined;
  const last = await findLastBackup(db);
  return last && now - last.createdAt < maxAgeMs ? last : undefined;
}

const maxAgeMs = 48 * 60 * 60_000;
