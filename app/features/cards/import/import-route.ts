import { redirect } from "react-router";

import { respondToImport } from "#app/features/links/import/import-response.server.ts";

import type { Route } from "./+types/import-route.ts";
import { readContactFileTask } from "./import-tasks.server.ts";

/** A route for uploads only: a GET request goes to where a file can be chosen. */
export function loader() {
  return redirect("/cards/edit?import");
}

/** Reads the contacts in the file that is the request's body. */
export function action({ context, request }: Route.ActionArgs) {
  return respondToImport(context, request, readContactFileTask);
}
