import type { Feature } from "#app/services/features/feature.ts";

import { handleEvents } from "./events-handler.server.ts";

export const feature: Feature = {
  rawRoutes: [{ method: "GET", path: "/events", authentication: "session-or-bearer", handler: handleEvents }],
};
