import type { Feature } from "#app/services/features/feature.ts";

import { ensureSample, removeSample } from "./sample.server.ts";

export const feature: Feature = {
  prepare: (services) => (services.config.demo ? ensureSample(services, services.clock()) : removeSample(services)),
  offline: { pages: ["/"] },
};
