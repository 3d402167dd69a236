import type { Feature } from "#app/services/features/feature.ts";

import { sweepProbes } from "./checks/checks.server.ts";
import { health, readiness, startHeartbeat } from "./health.server.ts";
import { rollUp } from "./heartbeat-data.server.ts";

export const feature: Feature = {
  rawRoutes: [
    { method: "GET", path: "/healthz", authentication: "none: public read", handler: health },
    { method: "GET", path: "/readyz", authentication: "none: public read", handler: readiness },
  ],
  maintenance: [
    { name: "status days", run: ({ db, clock }) => rollUp(db, clock()) },
    { name: "probe files", run: sweepProbes },
  ],
  start: startHeartbeat,
};
