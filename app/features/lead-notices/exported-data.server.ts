import type { DataExport } from "#app/services/features/data-export.ts";

export const noticesExport: DataExport = {
  tables: ["lead_notice", "lead_in_notice", "lead_forward"],
  sections: ({ db, ownerId }) => ({
    leadNotices: () =>
      db
        .selectFrom("lead_notice")
        .select(["channel", "timing", "hour", "due_at", "sent_at", "last_error", "failed_at", "updated_at"])
        .where("owner_id", "=", ownerId)
        .orderBy("channel")
        .execute(),
    leadsInNotices: () =>
      db
        .selectFrom("lead_in_notice")
        .select(["lead_id", "channel", "created_at"])
        .where("owner_id", "=", ownerId)
        .orderBy("created_at")
        .orderBy("lead_id")
        .execute(),
    leadForwards: () =>
      db
        .selectFrom("lead_forward")
        .select(["address", "created_at", "confirmed_at", "sent_at", "last_error", "failed_at"])
        .where("owner_id", "=", ownerId)
        .orderBy("created_at")
        .execute(),
  }),
};
