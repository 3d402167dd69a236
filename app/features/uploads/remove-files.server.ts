import { z } from "zod";

import type { Services } from "#app/services/context.ts";
import { transact } from "#app/services/database.server.ts";
import type { Db, Trx } from "#app/services/database.server.ts";

import { deleteAsset, listAssetsOf } from "./asset-rows.server.ts";
import { reserve } from "./reserve.server.ts";
import { forgetEmptyRoom, lockRoom } from "./room.server.ts";

const removal = z.object({ ownerId: z.string(), paths: z.array(z.string()) });

type Removal = z.infer<typeof removal>;

/** The kind of job that `removeFiles` does. */
export const removeFilesJob = "remove-files";

/** Notes, in the transaction that forgets them, that these files are to be deleted. */
export async function enqueueRemoval(trx: Trx, jobs: Services["jobs"], { ownerId, paths }: Removal): Promise<void> {
  if (paths.length > 0) await jobs.enqueue(trx, removeFilesJob, { ownerId, paths });
}

/**
 * Deletes files that nothing names any more; what a row names stays, so it may be asked for at any time and as often as one likes.
 * Throws when another upload keeps their place just now: to be tried again.
 */
export async function removeFiles(services: Pick<Services, "db" | "files" | "clock">, payload: unknown): Promise<void> {
  const { ownerId, paths } = removal.parse(payload);
  // Resumes have a fixed place: a new one could arrive between our look into the table and the deletion.
  const isFixed = paths.some((path) => path.startsWith("resumes/"));
  const held = isFixed ? await hold(services, ownerId) : undefined;
  try {
    const named = await listNamed(services.db, [ownerId]);
    for (const path of paths.filter((one) => !named.has(one))) await services.files.remove(path);
  } finally {
    if (held !== undefined) await letGo(services.db, { ownerId, held });
  }
}

/** The paths of all files of these owners that belong to an upload, ready or under way. */
export async function listNamed(db: Db, ownerIds: string[]): Promise<Set<string>> {
  const assets = await listAssetsOf(db, ownerIds);
  return new Set(assets.flatMap(({ files }) => files.map(({ path }) => path)));
}

async function hold(services: Pick<Services, "db" | "clock">, ownerId: string): Promise<string> {
  const held = await reserve(services, { ownerId, slot: "resume", files: [], filename: "" });
  if (held.kind === "refused") throw new Error("another resume is just being stored");
  return held.asset.id;
}

async function letGo(db: Db, { ownerId, held }: { ownerId: string; held: string }): Promise<void> {
  await transact(db, async (trx) => {
    await lockRoom(trx, ownerId);
    await deleteAsset(trx, held);
    await forgetEmptyRoom(trx, ownerId);
  });
}
