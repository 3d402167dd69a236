import { pageEventKinds } from "#app/services/events/event.ts";
import type { Subscriber } from "#app/services/features/feature.ts";

import { retireGooglePasses, scheduleGoogleUpdates } from "./google-pass-data.server.ts";

/** Sends a pass to Google again after everything that may change what it shows. */
export const googleSubscriber: Subscriber = {
  name: "passes in Google Wallet",
  kinds: pageEventKinds,
  once: async (services, event, trx) => {
    const which = "cardId" in event ? { cardId: event.cardId } : { ownerId: event.ownerId };
    await scheduleGoogleUpdates(services, trx, which);
    if (event.kind === "card.deleted" || event.kind === "account.deleted")
      await retireGooglePasses(trx, which, services.clock());
  },
};
