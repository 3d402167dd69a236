import type { Services } from "#app/services/http/context.ts";

import { listAssetsOfOwners } from "./storage/asset-rows.server.ts";
import { storeAreas } from "./storage/sweep.server.ts";

const ownersAtOnce = 200;

/**
 * Compares the file storage with the uploads that are complete: how many files were found, which are missing, and how many belong to no
 * upload; the sweep of the store deletes those after a day. Lists the whole store.
 */
export async function compareStore({ db, files }: Pick<Services, "db" | "files">) {
  const orphans = new Set<string>();
  for (const area of storeAreas) for await (const { path } of files.list(area)) orphans.add(path);
  const found = orphans.size;
  const missing: string[] = [];
  for (let after = ""; ;) {
    const owners = await db
      .selectFrom("storage")
      .select("owner_id")
      .where("owner_id", ">", after)
      .orderBy("owner_id")
      .limit(ownersAtOnce)
      .execute();
    const ids = owners.map((row) => row.owner_id);
    for (const asset of await listAssetsOfOwners(db, ids))
      for (const { path } of asset.files) if (!orphans.delete(path) && asset.isReady) missing.push(path);
    if (ids.length < ownersAtOnce) return { found, missing, orphans: orphans.size };
    after = ids.at(-1) ?? "";
  }
}
