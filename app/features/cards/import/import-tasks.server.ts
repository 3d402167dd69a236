import type { WorkerTask } from "#app/services/workers/worker-task.server.ts";

import type { ContactImportResult } from "./import-result.ts";

/** Reads a file as `readImportedFile` does. */
export const readContactFileTask: WorkerTask<Uint8Array, ContactImportResult> = {
  name: "read a contact file",
  run: async (bytes) => (await import("./linkedin-import.server.ts")).readImportedFile(bytes),
};
