import type { Feature } from "#app/services/features/feature.ts";

import { reviewEnds, reviewPlan } from "./data.server.ts";
import { planMailJobs } from "./plan-mail-tasks.server.ts";

export const feature: Feature = {
  jobs: planMailJobs,
  subscribers: [
    {
      name: "plan-mails",
      kinds: ["plan.changed"],
      once: (services, { ownerId }, trx) => reviewPlan(trx, services, ownerId),
    },
  ],
  maintenance: [{ name: "mails about the end of Premium", run: reviewEnds }],
};
