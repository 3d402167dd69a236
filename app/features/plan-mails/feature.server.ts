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
  dataExport: {
    tables: ["plan_notice"],
    sections: ({ db, ownerId }) => ({
      planMails: async () =>
        (await db
          .selectFrom("plan_notice")
          .select(["welcomed_until", "failed_since", "ending_at", "ended_at"])
          .where("owner_id", "=", ownerId)
          .executeTakeFirst()) ?? null,
    }),
  },
  maintenance: [{ name: "mails about the end of Premium", run: reviewEnds }],
};
