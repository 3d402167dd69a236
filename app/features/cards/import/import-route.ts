import { redirect } from "react-router";

import { requestId, requireUser, services } from "#app/services/http/context.ts";
import { logSecurityEvent } from "#app/services/http/security-log.ts";
import { importLimit, importFileMessages, maxImportBytes } from "#app/features/links/import-file.ts";
import { readInWorker } from "#app/features/links/import-tasks.server.ts";

import type { Route } from "./+types/import-route.ts";
import type { ContactImportResult } from "./import-result.ts";
import { readContactFileTask } from "./import-tasks.server.ts";

/** A route for uploads only: a GET request goes to where a file can be chosen. */
export function loader() {
  return redirect("/cards/edit?import");
}

/** Reads the contact file in the request's body. Nothing is stored. */
export async function action({ context, request }: Route.ActionArgs) {
  const owner = requireUser(context);
  const { log, rateLimits, workers } = services(context);
  const limited = await rateLimits.consume([{ limit: importLimit, subject: owner.id }]);
  if (limited) {
    logSecurityEvent(log, { event: "limit-reached", id: requestId(context), account: owner.id, limit: limited.limit });
    return respond({ problem: importFileMessages.tooOften });
  }
  if (Number(request.headers.get("content-length") ?? 0) > maxImportBytes)
    return respond({ problem: importFileMessages.tooLarge });
  const bytes = new Uint8Array(await request.arrayBuffer());
  return respond(await readInWorker(workers, { ownerId: owner.id, task: readContactFileTask, bytes }));
}

function respond(body: ContactImportResult) {
  return Response.json(body, { status: "problem" in body ? 422 : 200 });
}
