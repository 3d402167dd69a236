import type { Feature } from "#app/services/features/feature.ts";

import { billingFunctions } from "./checkout/functions.server.ts";
import { billingExport } from "./exported-data.server.ts";
import { checkPrices } from "./stripe/price-checks.server.ts";
import { startReconciliation, stripeJobs } from "./stripe/stripe-tasks.server.ts";
import { handleWebhook } from "./stripe/webhook-handler.server.ts";

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
  maintenance: [{ name: "comparison with Stripe", run: startReconciliation }],
  prepare: checkPrices,
  dataExport: billingExport,
};
