import { requireUser, services } from "#app/services/http/context.ts";
import { rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/progress-route.ts";
import { findExport } from "./data.server.ts";
import type { ExportProgress } from "./rules.ts";

export { rejectWrites as action };

/** How far the running export is, which the page requests while it is open. */
export async function loader({ context }: Route.LoaderArgs) {
  const row = await findExport(services(context).db, requireUser(context).id);
  const progress: ExportProgress = {
    isRunning: row?.state === "running",
    done: row?.files_done ?? 0,
    total: row?.files_total ?? 0,
  };
  return Response.json(progress, { headers: { "cache-control": "no-store" } });
}
