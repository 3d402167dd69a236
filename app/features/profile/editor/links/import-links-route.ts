import { redirect } from "react-router";

import { respondToImport } from "#app/features/links/import/import-response.server.ts";
import { readLinkFileTask } from "#app/features/links/import/import-tasks.server.ts";

import type { Route } from "./+types/import-links-route.ts";

/** For visitors who open the URL: the editor has the file picker. */
export function loader() {
  return redirect("/profile");
}

/** Reads the links in the file that is the request's body. */
export function action({ context, request }: Route.ActionArgs) {
  return respondToImport(context, request, readLinkFileTask);
}
