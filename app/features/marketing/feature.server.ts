import type { Feature } from "#app/services/features/feature.ts";

import { addSampleAvatar, ensureSample, removeSample, sampleAvatarJob } from "./sample.server.ts";

export const feature: Feature = {
  prepare: (services) => (services.config.demo ? ensureSample(services, services.clock()) : removeSample(services)),
  jobs: { [sampleAvatarJob]: addSampleAvatar },
  offline: { pages: ["/"] },
};
