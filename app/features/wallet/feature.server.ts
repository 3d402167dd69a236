import type { DataExport } from "#app/services/features/data-export.ts";
import type { Feature } from "#app/services/features/feature.ts";

import { passResource } from "./api/pass-resource.server.ts";
import { passServiceRoutes } from "./apple-service/service-feature.server.ts";
import { listDefaultImages, tintImage } from "./assets/asset-functions.server.ts";
import { replaceDeletedImage } from "./assets/library-data.server.ts";
import { restorePasses, retirePass, retirePassesOfOwner, sweepPasses } from "./data.server.ts";
import { googleUpdateJob, sweepGooglePasses } from "./google/google-pass-data.server.ts";
import { googleSubscriber, updateGooglePass } from "./google/update-tasks.server.ts";
import { readPassDesign } from "./pass-design.ts";
import { generateWalletPass } from "./public/pass-function.server.ts";
import { pushPassUpdate, readPassVersion } from "./updates/functions.server.ts";
import { planEndJob, schedulePlanEnd, updatePassesOfEndedPlan } from "./updates/plan-end-tasks.server.ts";
import { passUpdateJob, schedulePassUpdates } from "./updates/update-data.server.ts";
import { deviceUpdateJob, updatePasses } from "./updates/update-tasks.server.ts";

const walletExport: DataExport = {
  tables: ["wallet_pass", "pass_design", "google_pass"],
  sections: ({ db, ownerId }) => ({
    walletPasses: async () =>
      db
        .selectFrom("wallet_pass")
        .leftJoin("wallet_registration", "wallet_registration.card_id", "wallet_pass.card_id")
        .select(["wallet_pass.card_id", "wallet_pass.created_at", "wallet_pass.changed_at"])
        .select((row) => row.fn.count<number>("wallet_registration.device_id").as("devices"))
        .where("owner_id", "=", ownerId)
        .groupBy(["wallet_pass.card_id", "wallet_pass.created_at", "wallet_pass.changed_at"])
        .orderBy("wallet_pass.created_at")
        .execute(),
    googlePasses: async () =>
      db
        .selectFrom("google_pass")
        .select(["card_id", "created_at", "sent_at", "error"])
        .where("owner_id", "=", ownerId)
        .orderBy("created_at")
        .execute(),
    passDesigns: async () => {
      const rows = await db
        .selectFrom("pass_design")
        .select(["card_id", "design", "updated_at"])
        .where("owner_id", "=", ownerId)
        .orderBy("card_id")
        .execute();
      return rows.map(({ design, ...row }) => ({ ...row, design: readPassDesign(design) }));
    },
  }),
};

export const feature: Feature = {
  resources: [passResource],
  functions: [
    { name: "get-default-images", method: "POST", run: listDefaultImages },
    { name: "tint-image", method: "POST", run: tintImage },
    { name: "generate-wallet-pass", method: "GET", isPublic: true, run: generateWalletPass },
    pushPassUpdate,
    { name: "pass-version", method: "GET", run: readPassVersion },
  ],
  rawRoutes: passServiceRoutes,
  // What a phone shows instead of a password to learn which of its passes changed.
  secretPaths: ["/passkit/v1/devices/:deviceId"],
  jobs: {
    [passUpdateJob]: updatePasses,
    [deviceUpdateJob]: updatePasses,
    [planEndJob]: updatePassesOfEndedPlan,
  },
  slowJobs: { [googleUpdateJob]: updateGooglePass },
  subscribers: [
    googleSubscriber,
    {
      name: "deleted images of passes",
      kinds: ["file.removed"],
      once: async (services, event, trx) => {
        if (event.kind === "file.removed") await replaceDeletedImage(services, trx, event);
      },
    },
    {
      name: "passes of deleted cards",
      kinds: ["card.deleted", "account.deleted"],
      once: async (services, event, trx) => {
        const { ownerId } = event;
        const now = services.clock();
        if (event.kind === "card.deleted") {
          await schedulePassUpdates(services, trx, { ownerId });
          return retirePass(trx, { cardId: event.cardId, now });
        }
        await schedulePlanEnd(services, trx, ownerId);
        const cardIds = await retirePassesOfOwner(trx, { ownerId, now });
        if (cardIds.length > 0) await schedulePassUpdates(services, trx, { ownerId, cardIds });
      },
    },
    {
      name: "changed passes",
      kinds: [
        "card.saved",
        "profile.saved",
        "file.saved",
        "file.removed",
        "plan.changed",
        "account.blocked",
        "account.unblocked",
      ],
      once: async (services, event, trx) => {
        const { ownerId } = event;
        if (event.kind === "card.saved") await restorePasses(trx, event);
        if (event.kind === "plan.changed") await schedulePlanEnd(services, trx, ownerId);
        await schedulePassUpdates(services, trx, { ownerId });
      },
    },
  ],
  maintenance: [
    { name: "passes of deleted cards", run: sweepPasses },
    { name: "Google passes of deleted cards", run: sweepGooglePasses },
  ],
  dataExport: walletExport,
};
