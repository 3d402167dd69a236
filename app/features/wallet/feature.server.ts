import type { Feature } from "#app/services/features/feature.ts";

import { listDefaultImages } from "./assets/asset-functions.server.ts";
import { retirePass, retirePassesOfOwner, sweepPasses } from "./data.server.ts";
import { walletExport } from "./exported-data.server.ts";

export const feature: Feature = {
  functions: [{ name: "get-default-images", method: "POST", run: listDefaultImages }],
  subscribers: [
    {
      name: "passes of deleted cards",
      kinds: ["card.deleted", "account.deleted"],
      once: async ({ clock }, event, trx) => {
        if (event.kind === "card.deleted") await retirePass(trx, { cardId: event.cardId, now: clock() });
        else await retirePassesOfOwner(trx, { ownerId: event.ownerId, now: clock() });
      },
    },
  ],
  maintenance: [{ name: "passes of deleted cards", run: sweepPasses }],
  dataExport: walletExport,
};
