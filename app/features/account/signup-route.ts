import { redirect } from "react-router";

import type { Route } from "./+types/signup-route.ts";
import { authPath, readReturnTo, readTier } from "./return-to.ts";

/** The address that the plans link to: the Sign Up tab, with the plan that was chosen. */
export function loader({ url }: Route.LoaderArgs) {
  const tier = readTier(url.searchParams);
  return redirect(authPath(readReturnTo(url.searchParams), { tab: "signup", ...(tier && { tier }) }));
}
