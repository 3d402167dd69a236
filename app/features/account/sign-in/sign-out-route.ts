import { redirect } from "react-router";

import { messages } from "#app/features/account/messages.ts";
import { clearKeptCard } from "#app/features/start/kept-card.server.ts";
import { services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import type { Route } from "./+types/sign-out-route.ts";
import { cookieHeaders } from "./auth-response.server.ts";

export async function action({ request, context }: Route.ActionArgs) {
  const { cookies } = await services(context).auth.signOut(request.headers);
  const headers = cookieHeaders(cookies);
  headers.append("set-cookie", clearKeptCard(services(context)));
  // Removes the offline page of this device (sharing/offline) together with the session.
  headers.set("clear-site-data", '"storage"');
  return redirectWithToast("/auth", { title: messages.signedOut, tone: "success" }, headers);
}

/** A GET doesn't sign out: an image on another site could request it. */
export function loader() {
  return redirect("/");
}
