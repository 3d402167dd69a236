import { data } from "react-router";

import { readFields } from "#app/features/account/schema.ts";
import { requestContext, services, viewer } from "#app/services/http/context.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";

import type { Route } from "./+types/passkey-options-route.ts";
import { factorLimits } from "#app/features/account/rules.ts";

/** Returns what the browser asks a passkey to sign. */
export async function action({ request, context }: Route.ActionArgs) {
  const { auth, rateLimits } = services(context);
  const { address } = context.get(requestContext);
  const { purpose } = await readFields(request);
  const attempt = { limit: factorLimits.passkeyRequestsFromNetwork, subject: networkOf(address) };
  if (await rateLimits.consume([attempt])) throw data(null, { status: 429 });
  if (purpose === "sign-in") return Response.json(await auth.askPasskey());
  const userId = purpose === "confirm" ? viewer(context)?.id : (await auth.findWaitingUser(request.headers))?.id;
  if (userId === undefined || (purpose !== "confirm" && purpose !== "second-factor")) throw data(null, { status: 400 });
  return Response.json(await auth.askPasskey({ userId, purpose }));
}
