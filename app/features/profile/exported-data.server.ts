import type { DataExport } from "#app/services/features/data-export.ts";

import { findProfile } from "./data.server.ts";

export const profileExport: DataExport = {
  tables: ["profile", "handle"],
  sections: ({ db, ownerId, baseUrl }) => ({
    profile: async () => {
      const row = await db.selectFrom("profile").selectAll().where("owner_id", "=", ownerId).executeTakeFirst();
      const profile = await findProfile(db, ownerId);
      if (!row || !profile) return null;
      const { avatar_options, pages_version: _, ...columns } = row;
      return {
        ...columns,
        links: profile.links,
        avatar_options: avatar_options === null ? null : JSON.parse(avatar_options),
        url: `${baseUrl}/u/${profile.handle || ownerId}`,
      };
    },
    handles: () =>
      db
        .selectFrom("handle")
        .select(["handle", "is_current", "created_at"])
        .where("owner_id", "=", ownerId)
        .orderBy("created_at")
        .execute(),
  }),
};
