import { services } from "#app/services/context.ts";
import { fileLoader, refuseWrites } from "#app/services/file-route.server.ts";

import type { Route } from "./+types/status-json-route.ts";
import { loadReport } from "./report.server.ts";
import { describeReport } from "./status-json.ts";

export { refuseWrites as action };

/** The page as data, see docs/status.md. */
export const loader = fileLoader(async ({ context }: Route.LoaderArgs) => {
  const { report, isRead } = await loadReport(services(context));
  return Response.json(describeReport(report), {
    status: isRead ? 200 : 503,
    headers: {
      // Something new is there once a minute.
      "cache-control": isRead ? "public, max-age=15" : "no-store",
      ...(!isRead && { "retry-after": "60" }),
      // A page of any site may read it: it is the same for everybody, and says nothing of anybody.
      "access-control-allow-origin": "*",
    },
  });
});
