import { saveMessages } from "#app/features/profile/messages.ts";
import { requireUser, services } from "#app/services/http/context.ts";

import type { Route } from "./+types/handle-route.ts";
import { checkTypedHandle, suggestHandle } from "./handle-data.server.ts";
import { checkHandle, handleCheckLimit, handleReserved } from "./handle-rules.ts";
import type { HandleResponse } from "./handle-state.ts";

/**
 * `/profile/handle?handle=ada&like=ada-lovelace`: whether the signed-in user can have a handle, and another one if it is taken or reserved.
 * `like` is made from their name. Tells no more than a save.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, rateLimits } = services(context);
  const { id: ownerId } = requireUser(context);
  const read = (name: string) => (url.searchParams.get(name) ?? "").slice(0, 100);
  const checked = checkHandle(read("handle"));
  if ("problem" in checked && checked.problem !== handleReserved) return respond({ ...checked, suggestion: "" });
  const limited = await rateLimits.consume([{ limit: handleCheckLimit, subject: ownerId }]);
  if (limited) {
    return Response.json(null, { status: 429, headers: noStore });
  }
  const suggest = (handle: string) => suggestHandle(db, { ownerId, handle, like: read("like") });
  if ("problem" in checked) return respond({ ...checked, suggestion: await suggest("") });
  const { handle } = checked;
  const problem = await checkTypedHandle(db, { ownerId, handle });
  if (problem === "too-many-handles") return respond({ problem: saveMessages.tooManyHandles, suggestion: "" });
  if (problem === undefined) return respond({ problem: "", suggestion: "" });
  return respond({ problem: saveMessages.handleTaken, suggestion: await suggest(handle) });
}

function respond(response: HandleResponse): Response {
  return Response.json(response, { headers: noStore });
}

const noStore = { "cache-control": "no-store" };
