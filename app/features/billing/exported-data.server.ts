import type { DataExport } from "#app/services/features/data-export.ts";

export const billingExport: DataExport = {
  tables: ["subscription", "plan_grant"],
  sections: ({ db, ownerId }) => ({
    subscription: async () =>
      (await db
        .selectFrom("subscription")
        .select(["plan", "ends_at"])
        .where("owner_id", "=", ownerId)
        .executeTakeFirst()) ?? null,
    grantedPlan: async () =>
      (await db
        .selectFrom("plan_grant")
        .select(["plan", "ends_at", "created_at"])
        .where("owner_id", "=", ownerId)
        .executeTakeFirst()) ?? null,
  }),
};
