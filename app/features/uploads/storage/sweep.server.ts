import { randomUUID } from "node:crypto";

import { ensureSetting, findSetting } from "#app/services/config/setting-rows.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { listUnfinishedAssets } from "./asset-rows.server.ts";
import { revertUpload } from "./commit-upload.server.ts";
import { listReferencedPaths, removeFiles } from "./remove-files.server.ts";

type SweepDeps = Pick<Services, "db" | "files" | "jobs" | "clock" | "log">;

/** Reverts uploads that were interrupted an hour ago or more, because their process was killed. Safe in any number of processes. */
export async function sweepUploads(services: SweepDeps): Promise<void> {
  for (const asset of await listUnfinishedAssets(services.db, services.clock() - unfinishedAfterMs))
    await revertUpload(services, asset);
}

/**
 * Deletes files that no row references once they are a day old. A running upload is safe: its rows reference its files before they are
 * written. Lists the whole store, so run it once a day.
 */
export async function sweepStore(services: SweepDeps): Promise<void> {
  // With the wrong database or bucket, every file would look unreferenced.
  if (!(await isOwnStore(services))) return;
  for (const area of storeAreas) {
    let batch: string[] = [];
    for await (const { path, writtenAt } of services.files.list(area)) {
      if (writtenAt > services.clock() - orphanAfterMs) continue;
      batch.push(path);
      if (batch.length < batchSize) continue;
      await sweepBatch(services, batch);
      batch = [];
    }
    await sweepBatch(services, batch);
  }
}

async function sweepBatch(services: SweepDeps, paths: string[]): Promise<void> {
  const byOwner = Map.groupBy(paths, (path) => path.split("/")[1] ?? "");
  const referenced = await listReferencedPaths(services.db, [...byOwner.keys()]);
  for (const [ownerId, all] of byOwner) {
    const orphans = all.filter((path) => !referenced.has(path));
    if (orphans.length === 0) continue;
    await removeFiles(services, { ownerId, paths: orphans });
    services.log.info({ files: orphans.length }, "deleted files that no upload references");
  }
}

/** The folders of the store that have uploads. */
export const storeAreas = ["avatars/", "banners/", "pass-assets/", "pictures/", "resumes/"];
const unfinishedAfterMs = 60 * 60_000;
const orphanAfterMs = 24 * 60 * 60_000;
const batchSize = 200;

type StoreIdDeps = Pick<Services, "db" | "files" | "log">;

/**
 * True when this database and this store belong together: the first process to use both writes the same random id to each. Logs what is
 * wrong when they differ.
 */
export async function isOwnStore({ db, files, log }: StoreIdDeps): Promise<boolean> {
  const inDatabase = await findSetting(db, storeIdName);
  const file = await files.read(storeIdName);
  const inStore = file && Buffer.from(file).toString().trim();
  if (inDatabase !== undefined && inDatabase === inStore) return true;
  if (inDatabase === undefined && inStore === undefined) {
    await files.put(storeIdName, Buffer.from(await ensureSetting(db, storeIdName, randomUUID())), "text/plain");
    return true;
  }
  log.warn(
    inStore === undefined
      ? `This database’s files are stored elsewhere: on the first node, or where they were before. Nodes share files through S3 (S3_ENDPOINT …); to switch to it, copy all of DATA_DIR/files. If this is the right location, add a file named ${storeIdName} that contains ${inDatabase}.`
      : `These files belong to another database. Check whether DATABASE_URL, DATA_DIR and S3_BUCKET are the ones used before. Unreferenced files aren’t deleted until they match. If they are right, delete the file ${storeIdName} from the file storage, and the row of that name from the table "setting".`,
  );
  return false;
}

const storeIdName = "store-id";
