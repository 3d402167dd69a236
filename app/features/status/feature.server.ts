import type { Feature } from "#app/services/features/feature.ts";

import { sweepProbes } from "./checks.server.ts";
import { sweepInstances } from "./data.server.ts";
import { health, readiness, startHeartbeat } from "./health.server.ts";

export const feature: Feature = {
  rawRoutes: [
    { method: "GET", path: "/healthz", authentication: "none: public read", handler: health },
    { method: "GET", path: "/readyz", authentication: "none: public read", handler: readiness },
  ],
  maintenance: [
    { name: "stopped processes", run: ({ db, clock }) => sweepInstances(db, clock()) },
    { name: "probe files", run: sweepProbes },
  ],
  start: startHeartbeat,
};
