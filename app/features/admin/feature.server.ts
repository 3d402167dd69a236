import type { Feature } from "#app/services/features/feature.ts";

import { sweepLog } from "./operator-log-data.server.ts";

export const feature: Feature = {
  operatorPages: ["/admin"],
  maintenance: [{ name: "operator's log", run: sweepLog }],
};
