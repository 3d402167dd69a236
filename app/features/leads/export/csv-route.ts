import { requireUser, services } from "#app/services/http/context.ts";
import { rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/csv-route.ts";
import { csvParts } from "./lead-files.server.ts";
import { readLeadPages } from "./lead-pages-data.server.ts";
import { textFileResponse } from "./text-file.server.ts";

export { rejectWrites as action };

/** The leads of an address of the inbox as a table. */
export async function loader({ context, request, url }: Route.LoaderArgs) {
  const { db, clock } = services(context);
  const ownerId = requireUser(context).id;
  const pages = readLeadPages(db, { ownerId, query: url.searchParams, now: clock() });
  return textFileResponse({ request, type: "text/csv", fileName: "leads.csv", parts: csvParts(db, ownerId, pages) });
}
