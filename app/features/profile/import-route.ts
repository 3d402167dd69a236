import { redirect } from "react-router";

import type { LinksAnswer } from "#app/features/links/import-answer.ts";
import { readLinkFile } from "#app/features/links/import-links.server.ts";
import { importLimit, importProblems, maxImportBytes } from "#app/features/links/import-text.ts";
import { services, member } from "#app/services/context.ts";

import type { Route } from "./+types/import-route.ts";

/** Nothing to read here: whoever comes by a link goes to where a file can be chosen. */
export function loader() {
  return redirect("/profile");
}

/** Reads the file with links that is the body of the request. Nothing is kept of it. */
export async function action({ context, request }: Route.ActionArgs) {
  const owner = member(context);
  const tooOften = await services(context).limits.take([{ limit: importLimit, of: owner.id }]);
  if (tooOften) return answer({ problem: importProblems.tooOften });
  const isTooLarge = Number(request.headers.get("content-length") ?? 0) > maxImportBytes;
  if (isTooLarge) return answer({ problem: importProblems.tooLarge });
  return answer(readLinkFile(new Uint8Array(await request.arrayBuffer())));
}

function answer(body: LinksAnswer) {
  return Response.json(body, { status: "problem" in body ? 422 : 200 });
}
