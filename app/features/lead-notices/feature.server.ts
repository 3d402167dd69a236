import type { DataExport } from "#app/services/features/data-export.ts";
import type { Feature } from "#app/services/features/feature.ts";
import { stopMailsRoutes } from "#app/services/mail/mail-links.server.ts";

import { chatEncryption } from "./chat/chat-data.server.ts";
import { deleteNoticesOfOwner, queueLead } from "./data.server.ts";
import { forwardJobs } from "./forwarding/forward-tasks.server.ts";
import { confirmMs, deleteUnconfirmed, enqueueForwards } from "./forwarding/forwards-data.server.ts";
import { confirmForwarding, stopMails } from "./mail-link/mail-link-handler.server.ts";
import { mailLinksPath } from "./mail-link/mail-links.server.ts";
import { noticeJobs, slowNoticeJobs } from "./notice-tasks.server.ts";

const noticesExport: DataExport = {
  tables: ["lead_notice", "lead_in_notice", "lead_forward"],
  sections: ({ db, ownerId }) => ({
    leadNotices: () =>
      db
        .selectFrom("lead_notice")
        .select(["channel", "timing", "hour", "sent_at", "last_error", "failed_at", "updated_at"])
        .where("owner_id", "=", ownerId)
        .orderBy("channel")
        .execute(),
    leadsInNotices: () =>
      db
        .selectFrom("lead_in_notice")
        .select(["lead_id", "channel", "created_at"])
        .where("owner_id", "=", ownerId)
        .orderBy("created_at")
        .orderBy("lead_id")
        .execute(),
    leadForwards: () =>
      db
        .selectFrom("lead_forward")
        .select(["address", "created_at", "confirmed_at", "sent_at", "last_error", "failed_at"])
        .where("owner_id", "=", ownerId)
        .orderBy("created_at")
        .execute(),
  }),
};

export const feature: Feature = {
  encrypted: [chatEncryption],
  rawRoutes: [
    ...stopMailsRoutes(mailLinksPath, stopMails),
    {
      method: "POST",
      path: `${mailLinksPath}/:token/confirm`,
      authentication: "signature",
      handler: confirmForwarding,
    },
  ],
  secretPaths: [`${mailLinksPath}/:token`],
  jobs: { ...noticeJobs, ...forwardJobs },
  slowJobs: slowNoticeJobs,
  storedData: [
    {
      name: "lead notifications",
      about: "owners",
      what: "**When you want to be notified of new leads**, when you last were, and which leads come next",
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
      kinds: ["lead.created", "lead.suspected"],
      once: async (services, event, trx) => {
        if (event.kind === "lead.suspected") await queueLead(trx, services, { ...event, isSuspected: true });
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
