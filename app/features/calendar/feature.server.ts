import type { Feature } from "#app/services/features/feature.ts";

import { handleCalendar } from "./calendar-handler.server.ts";
import { deleteFeed } from "./data.server.ts";
import { calendarExport } from "./exported-data.server.ts";

export const feature: Feature = {
  rawRoutes: [
    {
      method: "GET",
      path: "/calendar/:token",
      headers: "resource",
      authentication: "bearer",
      handler: handleCalendar,
    },
  ],
  secretPaths: ["/calendar/:token"],
  storedData: [
    {
      name: "calendar addresses",
      about: "owners",
      what: "**The hash of the secret address of your calendar**, and when a calendar last asked for it",
      why: "so that your calendar shows your follow-up dates",
      howLong: "until you revoke the address",
    },
  ],
  subscribers: [
    {
      name: "calendars of deleted accounts",
      kinds: ["account.deleted"],
      once: (_, { ownerId }, trx) => deleteFeed(trx, ownerId),
    },
  ],
  dataExport: calendarExport,
};
