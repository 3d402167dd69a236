import { redirect } from "react-router";

import { services, member } from "#app/services/context.ts";
import { importLimit, importProblems, maxImportBytes } from "#app/features/links/import-text.ts";

import type { Route } from "./+types/import-route.ts";
import type { ContactAnswer } from "./import-answer.ts";
import { readContactFile } from "./import-contact.server.ts";

/** Nothing to read here: whoever comes by a link goes to where a file can be chosen. */
export function loader() {
  return redirect("/cards/edit?import");
}

/** Reads the contact file that is the body of the request. Nothing is kept of it. */
export async function action({ context, request }: Route.ActionArgs) {
  const owner = member(context);
  const tooOften = await services(context).limits.take([{ limit: importLimit, of: owner.id }]);
  if (tooOften) return answer({ problem: importProblems.tooOften });
  if (Number(request.headers.get("content-length") ?? 0) > maxImportBytes)
    return answer({ problem: importProblems.tooLarge });
  return answer(readContactFile(new Uint8Array(await request.arrayBuffer())));
}

function answer(body: ContactAnswer) {
  return Response.json(body, { status: "problem" in body ? 422 : 200 });
}
