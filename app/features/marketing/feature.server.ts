import type { Feature } from "#app/services/features/feature.ts";

import { ensureSample, removeSample } from "./sample.server.ts";

export const feature: Feature = {
  prepare: ({ config, db, clock, jobs }) => (config.demo ? ensureSample(db, clock()) : removeSample({ db, jobs })),
  offline: { pages: ["/"] },
};
