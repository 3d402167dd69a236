import type { Feature } from "#app/services/features/feature.ts";

import { dataRoute } from "./data-handler.server.ts";

export const feature: Feature = { rawRoutes: [dataRoute] };
