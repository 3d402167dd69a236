import type { Feature } from "#app/services/features/feature.ts";

import { webhookResource } from "./api/webhook-resource.server.ts";
import { deleteWebhooksOfOwner } from "./data.server.ts";
import { addDeliveries, deleteOldDeliveries, forgetLeads } from "./delivery/delivery-data.server.ts";
import { createSendQueue } from "./delivery/send-tasks.server.ts";
import { webhookEncryption } from "./endpoint-row.server.ts";
import { isLeadWithdrawn, toStoredEvent } from "./event-content.server.ts";
import { webhooksExport } from "./exported-data.server.ts";
import { logMs, webhookKinds } from "./rules.ts";

export const feature: Feature = {
  encrypted: [webhookEncryption],
  resources: [webhookResource],
  subscribers: [
    {
      name: "webhooks",
      kinds: webhookKinds,
      once: async (services, event, trx) => {
        const now = services.clock();
        const stored = await toStoredEvent(trx, services, event);
        if (stored) await addDeliveries(trx, stored, { happenedAt: now, now });
      },
    },
    {
      name: "leads in webhooks",
      kinds: ["lead.withdrawn", "lead.erased", "card.deleted", "account.deleted"],
      once: async (_, event, trx) => {
        if (event.kind === "account.deleted") await deleteWebhooksOfOwner(trx, event.ownerId);
        if (event.kind === "card.deleted" || event.kind === "lead.erased") await forgetLeads(trx, event);
        if (event.kind === "lead.withdrawn" && (await isLeadWithdrawn(trx, event.leadId)))
          await forgetLeads(trx, event);
      },
    },
  ],
  prepare: async (services) => services.jobs.addQueue(createSendQueue(services)),
  storedData: [
    {
      name: "webhooks",
      about: "owners",
      what: "The addresses of your webhooks and their secrets, encrypted",
      why: "so that your own systems hear of new leads and other events",
      howLong: "until you delete them",
    },
    {
      name: "webhook deliveries",
      about: "owners",
      what: "The log of your webhooks: what was sent when, and how the other side answered",
      why: "so that you can find out why something didn’t arrive, and send it again",
      howLong: `${logMs / 86_400_000} days; what visitors shared is read when it is sent, and an answer that may repeat it is removed with the lead`,
      deleteOld: ({ db, clock }) => deleteOldDeliveries(db, clock() - logMs),
    },
  ],
  dataExport: webhooksExport,
};
