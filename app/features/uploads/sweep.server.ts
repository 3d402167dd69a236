import type { Services } from "#app/services/context.ts";

import { listUnready } from "./asset-rows.server.ts";
import { listNamed, removeFiles } from "./remove-files.server.ts";
import { takeBack } from "./settle.server.ts";
import { isOwnStore } from "./store-mark.server.ts";

type Needed = Pick<Services, "db" | "files" | "jobs" | "clock" | "log">;

/** Takes back uploads that were cut off an hour ago or more: their process was killed. Safe in any number of processes. */
export async function sweepUploads(services: Needed): Promise<void> {
  for (const asset of await listUnready(services.db, services.clock() - CUT_OFF_AFTER)) await takeBack(services, asset);
}

/**
 * Deletes files that no row names, once they are a day old: an upload names its files before it writes them, so none of those is one that
 * is under way. Lists all that there is, so it is for once a day.
 */
export async function sweepStore(services: Needed): Promise<void> {
  // With the wrong database, or the wrong bucket, every file would look like one.
  if (!(await isOwnStore(services))) return;
  for (const area of AREAS) {
    let batch: string[] = [];
    for await (const { path, writtenAt } of services.files.list(area)) {
      if (writtenAt > services.clock() - ORPHAN_AFTER) continue;
      batch.push(path);
      if (batch.length < BATCH) continue;
      await sweepBatch(services, batch);
      batch = [];
    }
    await sweepBatch(services, batch);
  }
}

async function sweepBatch(services: Needed, paths: string[]): Promise<void> {
  const byOwner = Map.groupBy(paths, (path) => path.split("/")[1] ?? "");
  const named = await listNamed(services.db, [...byOwner.keys()]);
  for (const [ownerId, all] of byOwner) {
    const orphans = all.filter((path) => !named.has(path));
    if (orphans.length === 0) continue;
    await removeFiles(services, { ownerId, paths: orphans });
    services.log.info({ files: orphans.length }, "files that nothing shows were deleted");
  }
}

const AREAS = ["avatars/", "banners/", "pass-assets/", "resumes/"];
const CUT_OFF_AFTER = 60 * 60_000;
const ORPHAN_AFTER = 24 * 60 * 60_000;
const BATCH = 200;
