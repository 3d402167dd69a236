import type { Feature } from "#app/services/features/feature.ts";

export const feature: Feature = {
  offline: { pages: ["/home"] },
};
