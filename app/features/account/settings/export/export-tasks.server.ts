import { rm, stat } from "node:fs/promises";

import { exportReadyMail } from "#app/features/account/account-mails.ts";
import { findAddress } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { writeArchive } from "./archive/archive-files.server.ts";
import { countStart, exportRef, failExport, findExport, finishExport, saveProgress } from "./data.server.ts";
import type { ExportRef } from "./data.server.ts";
import { exportLimit, exportPath, maxFailures, maxStarts, validHours, validMs } from "./rules.ts";

/**
 * Prepares an export: the job. It starts from the beginning when its process was killed, and may run twice at once: the file is replaced as a
 * whole, and one of them finishes it. After a few failures the owner is notified and may start again.
 */
export async function prepareExport(services: Services, payload: unknown): Promise<void> {
  const ref = exportRef.parse(payload);
  const starts = await countStart(services.db, ref);
  if (starts === undefined) return removeIfGone(services, ref);
  if (starts > maxStarts) return giveUp(services, ref);
  try {
    await finish(services, ref, await storeArchive(services, ref));
  } catch (error) {
    if (starts < maxFailures) throw error;
    services.log.error({ err: error, account: ref.ownerId }, "an export of an account’s data failed");
    await giveUp(services, ref);
  }
}

/** Writes the archive to this machine's disk, then to the store. Returns its size. */
async function storeArchive(services: Services, ref: ExportRef): Promise<number> {
  const { db, files, counter, config, log, clock, dataExports, secretBox } = services;
  const { ownerId, id } = ref;
  const path = files.tempPath();
  try {
    await counter.flush();
    const source = { ownerId, db, files, log, baseUrl: config.baseUrl, secretBox };
    const onProgress = throttle((progress: Progress) => saveProgress(db, ref, progress));
    await writeArchive(dataExports, source, { path, time: clock(), onProgress });
    const { size } = await stat(path);
    await files.put(exportPath(ownerId, id), { file: path }, "application/zip");
    return size;
  } finally {
    await rm(path, { force: true });
  }
}

type Progress = { done: number; total: number };

/** Saves progress twice a second: the page doesn't ask more often. */
function throttle(save: (progress: Progress) => Promise<void>): (progress: Progress) => Promise<void> {
  let savedAt = -Infinity;
  return async (progress) => {
    if (performance.now() - savedAt < saveIntervalMs) return;
    await save(progress);
    savedAt = performance.now();
  };
}

const saveIntervalMs = 500;

async function finish(services: Services, ref: ExportRef, bytes: number): Promise<void> {
  const { db, jobs, clock, config } = services;
  const expiresAt = clock() + validMs;
  const isFinished = await transact(db, async (trx) => {
    if (!(await finishExport(trx, ref, { bytes, expiresAt }))) return false;
    const owner = await findAddress(trx, ref.ownerId);
    if (owner)
      await jobs.enqueue(trx, "mail", exportReadyMail({ to: owner.email, baseUrl: config.baseUrl, validHours }));
    return true;
  });
  if (!isFinished) await removeIfGone(services, ref);
}

/** The owner may start again, and this export doesn't count as one of the day. */
async function giveUp({ db, rateLimits }: Services, ref: ExportRef): Promise<void> {
  if (await failExport(db, ref)) await rateLimits.refund([{ limit: exportLimit, subject: ref.ownerId }]);
}

/** Removes the file of an export that was deleted while it was prepared. */
async function removeIfGone({ db, files }: Services, { ownerId, id }: ExportRef): Promise<void> {
  if ((await findExport(db, ownerId))?.id !== id) await files.remove(exportPath(ownerId, id));
}
