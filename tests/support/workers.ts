import { createWorkerPool } from "#app/services/workers/worker-pool.server.ts";
import type { WorkerPool } from "#app/services/workers/worker-pool.server.ts";

const pool = createWorkerPool({ file: new URL("../../app/worker.ts", import.meta.url) });

/** The program's worker threads from source, shared by the tests of a Vitest worker: starting one takes longer than most tests. */
export const testWorkers: WorkerPool = { run: pool.run, close: async () => undefined };
