import type { Feature } from "#app/services/features/feature.ts";

import { countClick } from "./click-handler.server.ts";
import { analyticsExport } from "./exported-data.server.ts";

export const feature: Feature = {
  rawRoutes: [{ method: "POST", path: "/count", handler: countClick }],
  dataExport: analyticsExport,
  offline: { ignoredWrites: ["/count"] },
};
