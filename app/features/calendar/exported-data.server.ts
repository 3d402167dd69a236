import type { DataExport } from "#app/services/features/data-export.ts";

export const calendarExport: DataExport = {
  tables: ["calendar_feed"],
  sections: ({ db, ownerId }) => ({
    calendarAddress: () =>
      db.selectFrom("calendar_feed").select(["created_at", "fetched_at"]).where("owner_id", "=", ownerId).execute(),
  }),
};
