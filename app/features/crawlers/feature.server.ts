import type { Feature } from "#app/services/features/feature.ts";

import { updateSitemapFiles } from "./sitemap-data.server.ts";

/** It reads all profiles and cards. */
const limit = { name: "sitemap", max: 1, windowMs: 50 * 60 * 1_000, isExpected: true } as const;

export const feature: Feature = {
  maintenance: [{ name: "files of the sitemap", run: updateSitemapFiles, limit }],
};
