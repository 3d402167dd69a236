import type { DataExport } from "#app/services/features/data-export.ts";

export const kioskExport: DataExport = {
  tables: ["kiosk_device"],
  sections: ({ db, ownerId }) => ({
    kioskLinks: () =>
      db
        .selectFrom("kiosk_device")
        .select(["card_id", "name", "received", "created_at", "last_seen_at"])
        .where("owner_id", "=", ownerId)
        .orderBy("created_at")
        .execute(),
  }),
};
