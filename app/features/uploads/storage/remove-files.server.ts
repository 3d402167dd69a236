import { z } from "zod";

import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { deleteAsset, listAssetsOfOwners } from "./asset-rows.server.ts";
import { deleteEmptyQuota, lockQuota } from "./quota.server.ts";
import { reserveUpload } from "./reserve.server.ts";

const removal = z.object({ ownerId: z.string(), paths: z.array(z.string()) });

type Removal = z.infer<typeof removal>;

/** The kind of job that `removeFiles` handles. */
export const removeFilesJob = "remove-files";

/** Enqueues the deletion of files in the transaction that deletes their rows. */
export async function enqueueRemoval(trx: Trx, jobs: Services["jobs"], { ownerId, paths }: Removal): Promise<void> {
  if (paths.length > 0) await jobs.enqueue(trx, removeFilesJob, { ownerId, paths });
}

/**
 * Deletes those of the files that no row references; safe to call at any time and repeatedly. Throws while another upload is writing to
 * the same fixed path, so that the job is retried.
 */
export async function removeFiles(services: Pick<Services, "db" | "files" | "clock">, payload: unknown): Promise<void> {
  const { ownerId, paths } = removal.parse(payload);
  // Resumes have a fixed path: a new one could arrive between reading the rows and deleting the file.
  const hasFixedPath = paths.some((path) => path.startsWith("resumes/"));
  const reservationId = hasFixedPath ? await reserveFixedPath(services, ownerId) : undefined;
  try {
    const referenced = await listReferencedPaths(services.db, [ownerId]);
    for (const path of paths.filter((one) => !referenced.has(one))) await services.files.remove(path);
  } finally {
    if (reservationId !== undefined) await releaseFixedPath(services.db, { ownerId, reservationId });
  }
}

/** The paths of all files of these owners that belong to an upload, ready or running. */
export async function listReferencedPaths(db: Db, ownerIds: string[]): Promise<Set<string>> {
  const assets = await listAssetsOfOwners(db, ownerIds);
  return new Set(assets.flatMap(({ files }) => files.map(({ path }) => path)));
}

async function reserveFixedPath(services: Pick<Services, "db" | "clock">, ownerId: string): Promise<string> {
  const reserved = await reserveUpload(services, { ownerId, slot: "resume", files: [], filename: "" });
  if (reserved.kind === "refused") throw new Error("another resume is being uploaded");
  return reserved.asset.id;
}

async function releaseFixedPath(
  db: Db,
  { ownerId, reservationId }: { ownerId: string; reservationId: string },
): Promise<void> {
  await transact(db, async (trx) => {
    await lockQuota(trx, ownerId);
    await deleteAsset(trx, reservationId);
    await deleteEmptyQuota(trx, ownerId);
  });
}
