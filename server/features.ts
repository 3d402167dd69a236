import type { Feature } from "#app/services/features/feature.ts";

const modules = import.meta.glob<{ feature: Feature }>("../app/features/*/feature.server.ts", { eager: true });

/** All features, as each declares itself in its feature.server.ts. */
export const features: readonly Feature[] = Object.values(modules).map(({ feature }) => feature);
