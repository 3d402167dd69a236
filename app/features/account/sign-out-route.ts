import { redirect } from "react-router";

import { services } from "#app/services/context.ts";

import type { Route } from "./+types/sign-out-route.ts";
import { cookieHeaders } from "./auth-answers.server.ts";

export async function action({ request, context }: Route.ActionArgs) {
  const { cookies } = await services(context).auth.signOut(request.headers);
  const headers = cookieHeaders(cookies);
  // What this device keeps for when there is no network goes with the session (sharing/service-worker.ts).
  headers.set("clear-site-data", '"storage"');
  return redirect("/auth", { headers });
}

/** Opening the address signs nobody out: a picture on another site could do that. */
export function loader() {
  return redirect("/");
}
