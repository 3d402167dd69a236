import type { RouterContextProvider } from "react-router";

import { createFairQueue } from "#app/services/base/fair-queue.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import type { WorkerTask } from "#app/services/workers/worker-task.server.ts";

import { isZip } from "#app/features/linkedin/export-file.server.ts";
import { importFileMessages, importLimit, maxImportBytes } from "#app/features/links/import-file.ts";

/**
 * Reads the imported file in a request's body with `task`, and responds with the result as JSON: 422 for a file that can't be imported.
 * Stores nothing. Throws a 401 for a visitor.
 */
export async function respondToImport<Result extends object>(
  context: Readonly<RouterContextProvider>,
  request: Request,
  task: WorkerTask<Uint8Array, Result>,
): Promise<Response> {
  const { rateLimits } = services(context);
  const owner = requireUser(context);
  const limited = await rateLimits.consume([{ limit: importLimit, subject: owner.id }]);
  if (limited) {
    return respond({ problem: importFileMessages.tooOften });
  }
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length > maxImportBytes && !isZip(bytes)) return respond({ problem: importFileMessages.tooLarge });
  // In a worker thread, because a large file takes a second.
  const result = await importQueue(owner.id, () => services(context).workers.run(task, bytes));
  return respond(result === "busy" ? { problem: importFileMessages.busy } : result);
}

/** One file at a time, fairly between owners. */
const importQueue = createFairQueue({ concurrency: 1, maxWaiting: 60, maxWaitingPerOwner: 3, maxWaitMs: 20_000 });

function respond(body: object): Response {
  return Response.json(body, { status: "problem" in body ? 422 : 200 });
}
