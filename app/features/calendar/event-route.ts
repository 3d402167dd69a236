import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { contentDisposition } from "#app/services/http/file-name.ts";
import { rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/event-route.ts";
import { formatCalendar } from "./calendar-file.server.ts";
import { findFollowUp } from "./data.server.ts";

export { rejectWrites as action };

/** The follow-up date of a lead as a file for any calendar. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { db, config } = services(context);
  const followUp = await findFollowUp(db, { ownerId: requireUser(context).id, id: params.id });
  if (!followUp) throwNotFound(context, url);
  return new Response(formatCalendar([followUp], config), {
    headers: {
      "content-type": "text/calendar; charset=utf-8",
      "content-disposition": contentDisposition("attachment", "follow-up.ics", "follow-up"),
      "cache-control": "no-store",
    },
  });
}
