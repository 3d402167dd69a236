import { data, redirect } from "react-router";

import { authPath, readReturnTo } from "#app/services/auth/return-to.ts";
import { requestContext, services } from "#app/services/http/context.ts";

import type { Route } from "./+types/provider-route.ts";
import { respondWithProviderUrl } from "./provider-request.server.ts";

/** The button of a provider on the sign-in page. */
export function action({ context, request, params, url }: Route.ActionArgs) {
  const all = services(context);
  const provider = all.auth.providers.find(params.provider);
  if (!provider?.canSignIn) throw data(null, { status: 404 });
  const returnTo = readReturnTo(url.searchParams);
  return respondWithProviderUrl(all, {
    provider,
    returnTo,
    request,
    state: context.get(requestContext),
    failurePath: authPath(returnTo, { error: "unreachable", provider: provider.id }),
  });
}

/** A GET begins nothing: an image on another site could request it. */
export function loader() {
  return redirect("/auth");
}
