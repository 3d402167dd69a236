import type { Feature } from "#app/services/features/feature.ts";

import { billingExport } from "./exported-data.server.ts";

export const feature: Feature = { dataExport: billingExport };
