import { z } from "zod";

import type { Feature } from "#app/services/features/feature.ts";
import { formBytes } from "#app/services/http/form-body.ts";

import { leadResource } from "./api/lead-resource.server.ts";
import { mailVisitor, sendVisitorMail, visitorMailJob } from "./consent/visitor-data.server.ts";
import { deleteLeadsOfCard, deleteLeadsOfOwner } from "./data.server.ts";
import { leadsExport } from "./exported-data.server.ts";
import { storedLeadData } from "./retention/stored-data.server.ts";
import { eraseDeleted, eraseJob } from "./inbox/lead-data.server.ts";
import { replyJob, sendReplyMail } from "./inbox/reply/reply-data.server.ts";
import { getLeadCounts } from "./inbox/live/lead-counts-data.server.ts";

const erasePayload = z.object({ ownerId: z.string(), deletedAt: z.number() });

export const feature: Feature = {
  resources: [leadResource],
  // A note that is far too long comes back with its error, as in the editors.
  bodyLimits: [
    ...["/c/:code/connect", "/card/:id/connect"].map((path) => ({ path, isForVisitors: true, maxBytes: 200_000 })),
    ...["/leads/:id", "/leads/:id/reply"].map((path) => ({ path, maxBytes: formBytes.editors })),
  ],
  functions: [{ name: "lead-counts", method: "GET", run: getLeadCounts }],
  jobs: {
    [eraseJob]: (services, payload) => eraseDeleted(services, erasePayload.parse(payload)),
    [visitorMailJob]: sendVisitorMail,
    [replyJob]: sendReplyMail,
  },
  subscribers: [
    {
      name: "mails to leads",
      kinds: ["lead.created"],
      once: async (services, event, trx) => {
        if (event.kind === "lead.created") await mailVisitor(trx, services, event.leadId);
      },
    },
    {
      name: "leads of deleted cards",
      kinds: ["card.deleted", "account.deleted"],
      once: async (_, event, trx) => {
        if (event.kind === "card.deleted") await deleteLeadsOfCard(trx, event.cardId);
        else await deleteLeadsOfOwner(trx, event.ownerId);
      },
    },
  ],
  // Valid as long as the details are stored.
  secretPaths: ["/shared/:token"],
  storedData: storedLeadData,
  dataExport: leadsExport,
};
