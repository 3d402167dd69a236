import { findPlan } from "#app/features/billing/data.server.ts";
import { paidPlanNames } from "#app/features/billing/offer.ts";
import { messages } from "#app/features/billing/messages.ts";
import { isPaid } from "#app/features/billing/rules.ts";
import { ResultCard } from "#app/features/shell/frame/result-card.tsx";
import { markSitePage, services, viewer } from "#app/services/http/context.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";

import { requirePlans } from "./checkout-request.server.ts";
import type { Route } from "./+types/cancel-page.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePlans(context, url);
  const user = viewer(context);
  if (!user) markSitePage(context);
  const plan = user && (await findPlan(services(context), user.id));
  return { plan: plan?.name, isPaid: plan !== undefined && isPaid(plan) };
}

export function meta() {
  return [{ title: "Checkout canceled | Meishi" }, { name: "robots", content: "noindex" }];
}

/** Where the checkout sends a user who cancels. */
export default function CancelPage({ loaderData: { plan, isPaid: hasPaidPlan } }: Route.ComponentProps) {
  return (
    <ResultCard
      label={paidPlanNames}
      title="Checkout canceled"
      text={hasPaidPlan ? messages.cannotBuy.text : "Your card remains free, and you weren’t charged."}
    >
      <ButtonLink variant="main" href="/pricing">
        See plans
      </ButtonLink>
      {plan && <ButtonLink href="/start">Continue on {plan}</ButtonLink>}
      <ButtonLink href="/">Go to the home page</ButtonLink>
    </ResultCard>
  );
}
