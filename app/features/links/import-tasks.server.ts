import { createFairQueue } from "#app/services/base/fair-queue.ts";
import type { WorkerPool } from "#app/services/workers/worker-pool.server.ts";
import type { WorkerTask } from "#app/services/workers/worker-task.server.ts";

import { importFileMessages } from "./import-file.ts";
import type { LinkImportResult } from "./rules.ts";

/** Reads a file as `readLinkFile` does. */
export const readLinkFileTask: WorkerTask<Uint8Array, LinkImportResult> = {
  name: "read a file with links",
  run: async (bytes) => (await import("./import-links.server.ts")).readLinkFile(bytes),
};

type ImportRequest<Result> = { ownerId: string; task: WorkerTask<Uint8Array, Result>; bytes: Uint8Array };

/** Reads an imported file in a worker thread, because a large one takes a second: one at a time, fairly between owners. */
export async function readInWorker<Result>(
  workers: WorkerPool,
  { ownerId, task, bytes }: ImportRequest<Result>,
): Promise<Result | { problem: string }> {
  const result = await importQueue(ownerId, () => workers.run(task, bytes));
  return result === "busy" ? { problem: importFileMessages.broken } : result;
}

const importQueue = createFairQueue({ concurrency: 1, maxWaiting: 60, maxWaitingPerOwner: 3, maxWaitMs: 20_000 });
