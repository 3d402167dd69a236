import { redirect } from "react-router";

import { importLimit, importFileMessages, maxImportBytes } from "#app/features/links/import-file.ts";
import { readInWorker, readLinkFileTask } from "#app/features/links/import-tasks.server.ts";
import type { LinkImportResult } from "#app/features/links/rules.ts";
import { requestId, requireUser, services } from "#app/services/http/context.ts";
import { logSecurityEvent } from "#app/services/http/security-log.ts";

import type { Route } from "./+types/import-links-route.ts";

/** For visitors who open the URL: the editor has the file picker. */
export function loader() {
  return redirect("/profile");
}

/** Reads the links in the file that is the request body. Stores nothing. */
export async function action({ context, request }: Route.ActionArgs) {
  const owner = requireUser(context);
  const { log, rateLimits, workers } = services(context);
  const limited = await rateLimits.consume([{ limit: importLimit, subject: owner.id }]);
  if (limited) {
    logSecurityEvent(log, { event: "limit-reached", id: requestId(context), account: owner.id, limit: limited.limit });
    return respond({ problem: importFileMessages.tooOften });
  }
  const isTooLarge = Number(request.headers.get("content-length") ?? 0) > maxImportBytes;
  if (isTooLarge) return respond({ problem: importFileMessages.tooLarge });
  const bytes = new Uint8Array(await request.arrayBuffer());
  return respond(await readInWorker(workers, { ownerId: owner.id, task: readLinkFileTask, bytes }));
}

function respond(body: LinkImportResult) {
  return Response.json(body, { status: "problem" in body ? 422 : 200 });
}
