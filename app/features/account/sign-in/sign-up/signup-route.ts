import { redirect } from "react-router";

import { choiceOf, subscribePath } from "#app/features/billing/offer.ts";
import { isPaid, plans, readChosenPlan } from "#app/features/billing/rules.ts";
import { services, viewer } from "#app/services/http/context.ts";

import type { Route } from "./+types/signup-route.ts";
import { authPath, readReturnTo, signedInPath } from "#app/services/auth/return-to.ts";

/** The link of the plans: opens the Sign Up tab with the chosen plan. A signed-in user who chose a paid plan continues with it. */
export function loader({ context, url }: Route.LoaderArgs) {
  const planId = readChosenPlan(url.searchParams);
  const returnTo = readReturnTo(url.searchParams);
  const { premium } = services(context).config;
  const hasPlans = premium !== "everyone";
  const choseUpgrade = hasPlans && planId !== undefined && isPaid(plans[planId]);
  const upgradePath = subscribePath(url.searchParams, premium) ?? "/pricing";
  if (viewer(context)) return redirect(returnTo ?? (choseUpgrade ? upgradePath : signedInPath));
  return redirect(authPath(returnTo, { tab: "signup", ...(hasPlans && choiceOf(url.searchParams)) }));
}
