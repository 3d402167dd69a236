import type { Db } from "#app/services/database.server.ts";

/** A page for search engines: its path, and when what it shows was last changed (epoch milliseconds). */
export type ListedProfile = { path: string; changedAt: number };

/**
 * A batch of the profiles that search engines may list, by id from `after` on, and where the next one starts (undefined: nowhere).
 * One that nobody ever saved is left out: all it says is a name made from a mail address.
 */
export async function listListedProfiles(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<{ listed: ListedProfile[]; next: string | undefined }> {
  const rows = await selectListed(db, after)
    .leftJoin("handle", (join) => join.onRef("handle.user_id", "=", "profile.user_id").on("handle.is_current", "=", 1))
    .select(["profile.user_id", "profile.updated_at", "handle.handle"])
    .limit(limit)
    .execute();
  const listed = rows.map(({ user_id, handle, updated_at }) => ({
    path: `/u/${encodeURIComponent(handle ?? user_id)}`,
    changedAt: updated_at,
  }));
  return { listed, next: rows.length === limit ? rows.at(-1)?.user_id : undefined };
}

/** The id after which the next `step` of them start; undefined when that many, and one more, are not there. */
export async function skipListedProfiles(
  db: Db,
  { after, step }: { after: string; step: number },
): Promise<string | undefined> {
  const rows = await selectListed(db, after)
    .select("profile.user_id")
    .offset(step - 1)
    .limit(2)
    .execute();
  return rows.length === 2 ? rows[0]?.user_id : undefined;
}

function selectListed(db: Db, after: string) {
  return db
    .selectFrom("profile")
    .where("profile.is_listed", "=", 1)
    .where("profile.version", ">", 1)
    .where("profile.user_id", ">", after)
    .orderBy("profile.user_id");
}
