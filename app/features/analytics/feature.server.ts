import type { Feature } from "#app/services/features/feature.ts";
import type { Services } from "#app/services/http/context.ts";

import { countClick } from "./click-handler.server.ts";
import { analyticsExport } from "./exported-data.server.ts";
import { rollUp } from "./roll-up/roll-up-data.server.ts";
import { storedStatistics } from "./roll-up/stored-data.server.ts";

const rollUpIntervalMs = 60_000;

export const feature: Feature = {
  rawRoutes: [{ method: "POST", path: "/count", handler: countClick }],
  maintenance: [{ name: "counts per day", run: (services) => rollUp(services, services.clock()) }],
  storedData: storedStatistics,
  start: startRollUps,
  dataExport: analyticsExport,
  offline: { ignoredWrites: ["/count"] },
};

/** The page of the statistics reads what isn't rolled up yet; every minute, so that this is little. */
function startRollUps(services: Services) {
  let running = Promise.resolve();
  const run = async () => {
    try {
      await rollUp(services, services.clock());
    } catch (error) {
      services.log.error({ err: error }, "could not roll up the counts; will retry");
    }
  };
  const timer = setInterval(() => {
    running = running.then(run);
  }, rollUpIntervalMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
