import type { DataExport } from "#app/services/features/data-export.ts";

export const billingExport: DataExport = {
  tables: ["subscription"],
  sections: ({ db, ownerId }) => ({
    subscription: async () =>
      (await db
        .selectFrom("subscription")
        .select(["plan", "ends_at"])
        .where("owner_id", "=", ownerId)
        .executeTakeFirst()) ?? null,
  }),
};
