import { data, redirect } from "react-router";

import { localPath, connectedPath } from "#app/services/auth/return-to.ts";
import { readFields } from "#app/features/account/schema.ts";
import { requireFresh } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { walletProvider } from "#app/services/auth/oauth/providers.server.ts";
import { requestContext, requireUser, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import type { Route } from "./+types/connection-route.ts";
import { respondWithProviderUrl } from "./provider-request.server.ts";
import { socialMessages } from "./social-messages.ts";

/** Connects or disconnects an account at a provider. */
export async function action({ context, request, params, url }: Route.ActionArgs) {
  const all = services(context);
  const user = requireUser(context);
  const { intent, returnTo } = await readFields(request);
  // Its page asks the wallet. 307 repeats the form there.
  if (params.provider === walletProvider.id) return redirect("/account/wallet", intent === "disconnect" ? 307 : 302);
  const provider = all.auth.providers.find(params.provider);
  if (!provider || (intent !== "connect" && intent !== "disconnect")) throw data(null, { status: 404 });
  // The page with the buttons: this address has no page to return to.
  requireFresh(context, new URL("/account/connections", url));
  const back = localPath(returnTo ?? "") ?? connectedPath;
  const state = context.get(requestContext);
  if (intent === "connect")
    return respondWithProviderUrl(all, {
      provider,
      userId: user.id,
      returnTo: back,
      request,
      state,
      failurePath: "/account/connections",
    });
  const { headers } = request;
  const result = await all.auth.disconnect({ userId: user.id, provider, headers, address: state.address });
  if (result === "last-sign-in-method")
    return redirectWithToast(back, { ...socialMessages.lastSignInMethod, tone: "error" });
  const title = socialMessages[result === "disconnected" ? "disconnected" : "notConnected"](provider.name);
  return redirectWithToast(back, { title, tone: result === "disconnected" ? "success" : "info" });
}

export function loader() {
  return redirect("/account/connections");
}
