import { saveMessages } from "#app/features/profile/messages.ts";
import { requestId, requireUser, services } from "#app/services/http/context.ts";
import { logSecurityEvent } from "#app/services/http/security-log.ts";

import type { Route } from "./+types/handle-route.ts";
import { checkTypedHandle, findFreeHandle } from "./handle-data.server.ts";
import { checkHandle, handleCheckLimit } from "./handle-rules.ts";
import type { HandleResponse } from "./handle-state.ts";

/** `/profile/handle?handle=ada`: whether the signed-in user can have a handle, and a similar one if it is taken. Tells no more than a save. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, sign, rateLimits, log } = services(context);
  const { id: ownerId } = requireUser(context);
  const checked = checkHandle((url.searchParams.get("handle") ?? "").slice(0, 100));
  if ("problem" in checked) return respond({ problem: checked.problem, suggestion: "" });
  const limited = await rateLimits.consume([{ limit: handleCheckLimit, subject: ownerId }]);
  if (limited) {
    logSecurityEvent(log, { event: "limit-reached", id: requestId(context), account: ownerId, limit: limited.limit });
    return Response.json(null, { status: 429, headers: noStore });
  }
  const { handle } = checked;
  const problem = await checkTypedHandle(db, { ownerId, handle, sign });
  if (problem === "too-many-handles") return respond({ problem: saveMessages.tooManyHandles, suggestion: "" });
  if (problem === undefined) return respond({ problem: "", suggestion: "" });
  const suggestion = await findFreeHandle(db, { ownerId, handle, sign });
  return respond({ problem: saveMessages.handleTaken, suggestion });
}

function respond(response: HandleResponse): Response {
  return Response.json(response, { headers: noStore });
}

const noStore = { "cache-control": "no-store" };
