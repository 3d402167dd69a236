import { requestFacts, services, viewer } from "#app/services/context.ts";

import type { Route } from "./+types/avatar-route.ts";
import { readAvatarPath } from "./address.ts";
import { avatarAnswer } from "./answer.server.ts";
import { readAvatarQuery } from "./form.ts";

/** `/avatar/{seed}.svg`, `.json` and `.png`, with the options as parameters; 400 with a line for each that is wrong. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  // From the path as it came: the router would take "%252F" in a seed for "/".
  const asked = readAvatarPath(url.pathname);
  if (!asked) return plain(404, "There is no such picture. A face is at /avatar/{seed}.svg, .json or .png.");
  const { seed, form } = asked;
  const read = readAvatarQuery(seed, url.searchParams, { isPng: form === "png" });
  if ("problems" in read) return plain(400, read.problems.join("\n"));
  return avatarAnswer(services(context), {
    options: read.options,
    form,
    askedBy: context.get(requestFacts).address,
    known: request.headers.get("if-none-match"),
    // A signed-in person's answer may carry their cookie.
    isShared: viewer(context) === undefined,
  });
}

function plain(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}
