import type { DataExport } from "#app/services/features/data-export.ts";
import type { Feature } from "#app/services/features/feature.ts";

import { billingFunctions } from "./checkout/functions.server.ts";
import { findCustomerId } from "./stripe/customer-data.server.ts";
import { checkPrices } from "./stripe/price-checks.server.ts";
import { dailyLimit, deleteOldEvents, startReconciliation, stripeJobs } from "./stripe/stripe-tasks.server.ts";
import { handleWebhook } from "./stripe/webhook-handler.server.ts";

const billingExport: DataExport = {
  tables: ["subscription", "plan_grant", "stripe_customer", "stripe_subscription", "stripe_invoice"],
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

/** Events with a large object are about 20 kB. */
const maxEventBytes = 500_000;

export const feature: Feature = {
  rawRoutes: [
    {
      method: "POST",
      path: "/webhooks/stripe",
      authentication: "signature",
      maxBytes: maxEventBytes,
      handler: handleWebhook,
    },
  ],
  functions: billingFunctions,
  jobs: stripeJobs,
  maintenance: [
    { name: "old events of Stripe", run: deleteOldEvents },
    { name: "comparison with Stripe", run: startReconciliation, limit: dailyLimit },
  ],
  prepare: checkPrices,
  dataExport: billingExport,
};
