import type { DataExport } from "#app/services/features/data-export.ts";

import { findCustomerId } from "./stripe/customer-data.server.ts";

export const billingExport: DataExport = {
  tables: ["subscription", "plan_grant", "stripe_customer", "stripe_subscription", "stripe_invoice", "plan_notice"],
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
    planMails: async () =>
      (await db
        .selectFrom("plan_notice")
        .select(["welcomed_until", "failed_since", "ending_at", "ended_at"])
        .where("owner_id", "=", ownerId)
        .executeTakeFirst()) ?? null,
    payments: async () => ({
      stripeCustomer: (await findCustomerId(db, ownerId)) ?? null,
      subscriptions: await db
        .selectFrom("stripe_subscription")
        .selectAll()
        .where("owner_id", "=", ownerId)
        .orderBy("started_at")
        .execute(),
      invoices: await db
        .selectFrom("stripe_invoice")
        .selectAll()
        .where("owner_id", "=", ownerId)
        .orderBy("created_at")
        .execute(),
    }),
  }),
};
