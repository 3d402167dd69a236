import { redirect } from "react-router";

import { findDestination } from "#app/features/integrations/destinations.server.ts";
import {
  authorizationUrl,
  callbackUrl,
  findAccess,
  stateProvider,
} from "#app/features/integrations/oauth-request.server.ts";
import { integrationLimits } from "#app/features/integrations/rules.ts";
import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { requireFresh } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { formatWait } from "#app/services/base/format.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { respondWithForwarding } from "#app/services/http/forward-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import type { Route } from "./+types/access-route.ts";

/** Opens the page of a service at which the owner lets us add contacts. */
export async function action({ context, request, params: { kind }, url }: Route.ActionArgs) {
  const all = services(context);
  const { id: userId } = requireUser(context);
  const destination = findDestination(kind);
  const access = destination && findAccess(all, destination);
  if (!access) throwNotFound(context, url);
  const path = `/integrations/new/${kind}`;
  // This address has no page to return to.
  requireFresh(context, new URL(path, url));
  const limited = await all.rateLimits.consume([{ limit: integrationLimits.changes, subject: userId }]);
  if (limited) {
    const text = `Try again ${formatWait(limited.until, all.clock())}.`;
    return redirectWithToast(path, { title: "Too many at once", text, tone: "error" });
  }
  const { cookies, ...begun } = await all.auth.beginState({
    provider: stateProvider(kind),
    userId,
    headers: request.headers,
  });
  const location = authorizationUrl(access, { ...begun, redirectUri: callbackUrl(all, kind) });
  const headers = new Headers(cookies.map((cookie): [string, string] => ["set-cookie", cookie]));
  return respondWithForwarding(location, { name: destination.name, headers });
}

export function loader() {
  return redirect("/integrations");
}
