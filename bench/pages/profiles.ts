import type { ProfileLink } from "#app/features/profile/data.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

const batchSize = 1_000;

/** A profile's links as they are stored. */
export function storedLinks(links: readonly Pick<ProfileLink, "id" | "label" | "url">[]): string {
  const stored: ProfileLink[] = links.map((link) => ({
    ...link,
    on: true,
    from: null,
    until: null,
    tab: null,
    kind: "link",
  }));
  return JSON.stringify(stored);
}

/** Adds profiles with the ids "owner-0", "owner-1" … */
export async function addProfiles(db: Db, count: number): Promise<void> {
  const links = storedLinks([
    { id: "a", label: "LinkedIn", url: "https://www.linkedin.com/in/demo" },
    { id: "b", label: "Website", url: "https://example.com" },
  ]);
  const times = { created_at: Date.now(), updated_at: Date.now() };
  for (let at = 0; at < count; at += batchSize) {
    const ids = Array.from({ length: Math.min(batchSize, count - at) }, (_, n) => `owner-${at + n}`);
    const named = (owner_id: string, n: number) => ({
      owner_id,
      display_name: `Owner ${at + n}`,
      bio: "A profile among many.",
      links,
      ...times,
    });
    await db.insertInto("profile").values(ids.map(named)).execute();
    const handles = ids.map((owner_id) => ({ handle: `handle-${owner_id}`, owner_id, is_current: 1 as const }));
    await db
      .insertInto("handle")
      .values(handles.map((handle) => ({ ...handle, created_at: times.created_at })))
      .execute();
  }
}
