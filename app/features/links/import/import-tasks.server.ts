import type { WorkerTask } from "#app/services/workers/worker-task.server.ts";

import type { LinkImportResult } from "#app/features/links/imported-links.ts";

/** Reads a file as `readLinkFile` does. */
export const readLinkFileTask: WorkerTask<Uint8Array, LinkImportResult> = {
  name: "read a file with links",
  run: async (bytes) => (await import("./import-links.server.ts")).readLinkFile(bytes),
};
