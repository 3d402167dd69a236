import { redirect } from "react-router";

import { identityPath } from "#app/services/auth/return-to.ts";
import { isFresh } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { services, requireUser } from "#app/services/http/context.ts";

import type { Route } from "./+types/new-passkey-route.ts";

/** Returns what the browser needs to make a passkey. */
export async function action({ context }: Route.ActionArgs) {
  const { id, email } = requireUser(context);
  if (!isFresh(context)) return redirect(identityPath("/account/two-step"));
  return Response.json(await services(context).auth.startPasskey({ id, email }));
}
