import type { Feature } from "#app/services/features/feature.ts";

import { deleteNoticesOfOwner, queueLead } from "./data.server.ts";
import { noticesExport } from "./exported-data.server.ts";
import { forwardJobs } from "./forwarding/forward-tasks.server.ts";
import { confirmMs, deleteUnconfirmed, enqueueForwards } from "./forwarding/forwards-data.server.ts";
import { confirmForwarding, showMailLink, stopMails } from "./mail-link/mail-link-handler.server.ts";
import { noticeJobs } from "./notice-tasks.server.ts";

export const feature: Feature = {
  rawRoutes: [
    { method: "GET", path: "/lead-mails/:token/stop", authentication: "none: public read", handler: showMailLink },
    {
      method: "POST",
      path: "/lead-mails/:token/confirm",
      authentication: "signature",
      handler: confirmForwarding,
    },
    { method: "POST", path: "/lead-mails/:token/stop", authentication: "signature", handler: stopMails },
  ],
  secretPaths: ["/lead-mails/:token"],
  jobs: { ...noticeJobs, ...forwardJobs },
  storedData: [
    {
      name: "lead notifications",
      about: "owners",
      what: "**When you want to hear of new leads**, when you were last told, and which leads wait for that",
      why: "so that each is announced once",
      howLong: "until you delete your account",
    },
    {
      name: "addresses that leads are forwarded to",
      about: "owners",
      what: "**The addresses that you forward leads to**, and the encrypted address of your chat",
      why: "so that colleagues and services get new leads",
      howLong: `until you remove them, or someone at an email address does; ${confirmMs / 86_400_000} days for an email address that no one confirms`,
      deleteOld: deleteUnconfirmed,
    },
  ],
  subscribers: [
    {
      name: "lead-notices",
      kinds: ["lead.created"],
      once: async (services, event, trx) => {
        if (event.kind !== "lead.created") return;
        await queueLead(trx, services, event);
        await enqueueForwards(trx, services, event);
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
