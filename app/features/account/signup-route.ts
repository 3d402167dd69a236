import { redirect } from "react-router";

import { viewer } from "#app/services/context.ts";

import type { Route } from "./+types/signup-route.ts";
import { authPath, readReturnTo, readTier } from "./return-to.ts";

/** The address that the plans link to: the Sign Up tab, with the plan that was chosen. Who has an account already is led to that plan. */
export function loader({ context, url }: Route.LoaderArgs) {
  const tier = readTier(url.searchParams);
  const returnTo = readReturnTo(url.searchParams);
  if (viewer(context)) return redirect(tier === "premium" && returnTo === "/" ? "/pricing" : returnTo);
  return redirect(authPath(returnTo, { tab: "signup", ...(tier && { tier }) }));
}
