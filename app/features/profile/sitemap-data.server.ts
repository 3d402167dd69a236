import { isNotBlocked } from "#app/services/database/account-block.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

/** A page for search engines. `changedAt` is when its content last changed, in epoch milliseconds. */
export type ProfileSitemapEntry = { path: string; changedAt: number };

/**
 * A batch of the profiles that search engines may list, ordered by id, after `after` up to `until`. `next` is the `after` of the next
 * batch. Profiles that were never saved are left out: they only have a name derived from an email address.
 */
export async function listSitemapProfiles(
  db: Db,
  { after, until, limit }: { after: string; until?: string | undefined; limit: number },
): Promise<{ listed: ProfileSitemapEntry[]; next: string | undefined }> {
  const rows = await selectListed(db, after)
    .leftJoin("handle", (join) =>
      join.onRef("handle.owner_id", "=", "profile.owner_id").on("handle.is_current", "=", 1),
    )
    .select(["profile.owner_id", "profile.updated_at", "handle.handle"])
    .$if(until !== undefined, (query) => query.where("profile.owner_id", "<=", until ?? ""))
    .limit(limit)
    .execute();
  const listed = rows.map(({ owner_id, handle, updated_at }) => ({
    path: `/u/${encodeURIComponent(handle ?? owner_id)}`,
    changedAt: updated_at,
  }));
  return { listed, next: rows.length === limit ? rows.at(-1)?.owner_id : undefined };
}

/** The id that ends the next `step` profiles; undefined unless at least one more follows. */
export async function skipSitemapProfiles(
  db: Db,
  { after, step }: { after: string; step: number },
): Promise<string | undefined> {
  const rows = await selectListed(db, after)
    .select("profile.owner_id")
    .offset(step - 1)
    .limit(2)
    .execute();
  return rows.length === 2 ? rows[0]?.owner_id : undefined;
}

function selectListed(db: Db, after: string) {
  return db
    .selectFrom("profile")
    .where("profile.is_listed", "=", 1)
    .where("profile.version", ">", 1)
    .where("profile.owner_id", ">", after)
    .where(isNotBlocked("profile.owner_id"))
    .orderBy("profile.owner_id");
}
