import { redirect } from "react-router";

import { services } from "#app/services/context.ts";

import type { Route } from "./+types/sign-out-route.ts";
import { cookieHeaders } from "./auth-answers.server.ts";

export async function action({ request, context }: Route.ActionArgs) {
  const { cookies } = await services(context).auth.signOut(request.headers);
  return redirect("/auth", { headers: cookieHeaders(cookies) });
}

/** Opening the address signs nobody out: a picture on another site could do that. */
export function loader() {
  return redirect("/");
}
