import type { Feature } from "#app/services/features/feature.ts";

import { deleteNoticesOfOwner, queueLead } from "./data.server.ts";
import { noticesExport } from "./exported-data.server.ts";
import { showMailLink, stopMails } from "./mail-link/mail-link-handler.server.ts";
import { noticeJobs } from "./notice-tasks.server.ts";

export const feature: Feature = {
  rawRoutes: [
    { method: "GET", path: "/lead-mails/:token/stop", authentication: "none: public read", handler: showMailLink },
    { method: "POST", path: "/lead-mails/:token/stop", authentication: "signature", handler: stopMails },
  ],
  secretPaths: ["/lead-mails/:token"],
  jobs: noticeJobs,
  subscribers: [
    {
      name: "lead-notices",
      kinds: ["lead.created"],
      once: async (services, event, trx) => {
        if (event.kind === "lead.created") await queueLead(trx, services, event);
      },
    },
    {
      name: "notices of deleted accounts",
      kinds: ["account.deleted"],
      once: (_, { ownerId }, trx) => deleteNoticesOfOwner(trx, ownerId),
    },
  ],
  dataExport: noticesExport,
};
