import { redirect } from "react-router";

import { isPaid, plans, readChosenPlan } from "#app/features/billing/rules.ts";
import { services, viewer } from "#app/services/http/context.ts";

import type { Route } from "./+types/signup-route.ts";
import { authPath, readReturnTo, signedInPath } from "#app/features/account/return-to.ts";

/** The link of the plans: opens the Sign Up tab with the chosen plan, or the pricing page for a signed-in user who chose a paid plan. */
export function loader({ context, url }: Route.LoaderArgs) {
  const planId = readChosenPlan(url.searchParams);
  const returnTo = readReturnTo(url.searchParams);
  const hasPlans = services(context).config.premium !== "everyone";
  const choseUpgrade = hasPlans && planId !== undefined && isPaid(plans[planId]);
  if (viewer(context)) return redirect(returnTo ?? (choseUpgrade ? "/pricing" : signedInPath));
  return redirect(authPath(returnTo, { tab: "signup", ...(planId && hasPlans && { tier: planId }) }));
}
