import { checkSubscription } from "#app/features/billing/data.server.ts";
import { requirePlans } from "#app/features/billing/plan-request.server.ts";
import { ResultCard } from "#app/features/shell/frame/result-card.tsx";
import { requireUser, services } from "#app/services/http/context.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";

import type { Route } from "./+types/success-page.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const all = services(context);
  requirePlans(context, url);
  const { plan } = await checkSubscription(all, requireUser(context).id);
  return { isSubscribed: plan.id !== "free", isPremiumSold: all.config.premium === "sold" };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData.isSubscribed ? "You're Pro now!" : "Your plan is still Free"} | Meishi` }];
}

/** Where the checkout sends a user who paid. Anyone can open the address, so the page shows the plan that is in force. */
export default function SuccessPage({ loaderData: { isSubscribed, isPremiumSold } }: Route.ComponentProps) {
  if (isSubscribed) {
    return (
      <ResultCard label="Premium" title="You're Pro now!" text="Unlimited cards, all themes and no Meishi branding.">
        <ButtonLink variant="main" href="/profile">
          Go to dashboard
        </ButtonLink>
        <ButtonLink href="/pricing">Manage Plan</ButtonLink>
      </ResultCard>
    );
  }
  return (
    <ResultCard label="Premium" title="Your plan is still Free" text={freePlanText(isPremiumSold)}>
      <ButtonLink variant="main" href="/success">
        Check again
      </ButtonLink>
      <ButtonLink href="/pricing">See plans</ButtonLink>
      <ButtonLink variant="plain" href="/contact">
        Contact us
      </ButtonLink>
    </ResultCard>
  );
}

function freePlanText(isPremiumSold: boolean): string {
  return isPremiumSold
    ? "We haven't received a payment for your account yet. It may take a minute. Check again, or contact us if nothing changes."
    : "We haven't received a payment for your account, and Premium isn't available yet. If you were charged, contact us.";
}
