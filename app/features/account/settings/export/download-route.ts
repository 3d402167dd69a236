import { requireFresh } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { contentDisposition } from "#app/services/http/file-name.ts";
import { rejectWrites } from "#app/services/http/file-route.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import type { Route } from "./+types/download-route.ts";
import { findExport } from "./data.server.ts";
import { exportMessages } from "./messages.ts";
import { exportFileName, exportPath } from "./rules.ts";

export { rejectWrites as action };

/** The finished archive, for its owner alone, who has just proved who they are. */
export async function loader({ context, request, url }: Route.LoaderArgs) {
  requireFresh(context, new URL("/account/export", url));
  const { db, files, clock } = services(context);
  const ownerId = requireUser(context).id;
  const row = await findExport(db, ownerId);
  const isReady = row?.state === "ready" && row.expires_at > clock();
  const found = isReady ? await files.open(exportPath(ownerId, row.id)) : undefined;
  if (!row || !found) return redirectWithToast("/account/export", { ...exportMessages.expired, tone: "info" });
  if (request.method === "HEAD") await found.body.cancel();
  return new Response(request.method === "HEAD" ? null : found.body, {
    headers: {
      "content-type": "application/zip",
      "content-length": String(found.size),
      "content-disposition": contentDisposition("attachment", exportFileName(row.requested_at), "meishi"),
      "cache-control": "no-store",
    },
  });
}
