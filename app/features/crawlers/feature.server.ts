import type { Feature } from "#app/services/features/feature.ts";

import { updateSitemapFiles } from "./sitemap-data.server.ts";

export const feature: Feature = {
  maintenance: [{ name: "files of the sitemap", run: updateSitemapFiles }],
};
