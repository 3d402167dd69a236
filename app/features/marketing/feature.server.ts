import type { Feature } from "#app/services/features/feature.ts";

import { addSampleFace, ensureSample, removeSample, sampleFaceJob } from "./sample.server.ts";

export const feature: Feature = {
  prepare: (services) => (services.config.demo ? ensureSample(services, services.clock()) : removeSample(services)),
  jobs: { [sampleFaceJob]: addSampleFace },
  offline: { pages: ["/"] },
};
