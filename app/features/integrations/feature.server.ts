import type { Feature } from "#app/services/features/feature.ts";

import { deleteOldCopies } from "./copy-data.server.ts";
import { deleteIntegrationsOfOwner, integrationEncryption, listIntegrations } from "./data.server.ts";
import { logMs } from "./rules.ts";
import { integrationJob, runIntegration, startPolling } from "./send-tasks.server.ts";

export const feature: Feature = {
  slowJobs: { [integrationJob]: runIntegration },
  encrypted: [integrationEncryption],
  start: startPolling,
  subscribers: [
    {
      name: "integrations of deleted accounts",
      kinds: ["account.deleted"],
      once: (_, { ownerId }, trx) => deleteIntegrationsOfOwner(trx, ownerId),
    },
  ],
  storedData: [
    {
      name: "integrations",
      about: "owners",
      what: "The services that you connected, with your keys for them, encrypted",
      why: "so that your leads are copied there",
      howLong: "until you delete them",
    },
    {
      name: "copied contacts",
      about: "leads",
      what: "The numbers under which services know a contact, when it was copied, and how they answered",
      why: "so that the contact is deleted there when your consent ends",
      howLong: `until the contact is deleted there, and ${logMs / 86_400_000} days in the owner’s log`,
      deleteOld: ({ db, clock }) => deleteOldCopies(db, clock()),
    },
  ],
  dataExport: {
    tables: ["integration"],
    leftOut: { integration_contact: "the log of copies, which names contacts by numbers of other services" },
    explanations: [{ name: "integrations", text: "In data.json: the services that you connected, without your keys." }],
    sections: ({ ownerId, ...deps }) => ({
      integrations: async () => {
        const all = await listIntegrations(deps, ownerId);
        return all.map(({ destination, state }) => ({ service: destination.name, state }));
      },
    }),
  },
};
