import type { Feature } from "#app/services/features/feature.ts";
import type { Services } from "#app/services/http/context.ts";

import { removeUnusedPictures, sweepPictures } from "./data.server.ts";
import { uploadsExport } from "./exported-data.server.ts";
import { serveStoredFile } from "./file-handler.server.ts";
import { removeFiles, removeFilesJob } from "./storage/remove-files.server.ts";
import { sweepStore, sweepUploads } from "./storage/sweep.server.ts";
import { handleRemoval } from "./upload-handler.server.ts";

export const feature: Feature = {
  rawRoutes: [
    {
      // Images are public. The URL of a resume carries a signature, which the handler checks.
      method: "GET",
      path: "/files/*",
      headers: "resource",
      authentication: "none: public read",
      handler: serveStoredFile,
    },
    { method: "POST", path: "/uploads/:slot/remove", handler: handleRemoval },
  ],
  jobs: { [removeFilesJob]: removeFiles },
  dataExport: uploadsExport,
  subscribers: [
    {
      name: "pictures of removed links",
      kinds: ["profile.saved"],
      once: ({ jobs, clock }, { ownerId }, trx) => removeUnusedPictures(trx, jobs, { ownerId, now: clock() }),
    },
  ],
  maintenance: [
    { name: "unfinished uploads", run: sweepUploads },
    { name: "unreferenced files", run: sweepStoreDaily },
    { name: "pictures of removed links", run: sweepPictures },
  ],
};

/** Lists all stored files, so it runs once a day in one of the processes. */
async function sweepStoreDaily(services: Services) {
  if (!(await services.rateLimits.consume([{ limit: storeSweep, subject: "all" }]))) await sweepStore(services);
}

const storeSweep = { name: "store sweep", max: 1, windowMs: 20 * 60 * 60 * 1_000 };
