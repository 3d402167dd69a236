import { checkSubscription } from "#app/features/billing/data.server.ts";
import { ResultCard } from "#app/features/shell/frame/result-card.tsx";
import { featureFlags } from "#app/features/shell/feature-flags.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";

import type { Route } from "./+types/success-page.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const { db, clock } = services(context);
  const { plan } = await checkSubscription(db, requireUser(context).id, clock());
  return { isSubscribed: plan.id !== "free" };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData.isSubscribed ? "You're Pro now!" : "Your plan is still Free"} | Meishi` }];
}

/** Where the checkout sends a user who paid. Anyone can open the address, so the page shows the plan that is in force. */
export default function SuccessPage({ loaderData: { isSubscribed } }: Route.ComponentProps) {
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
    <ResultCard label="Premium" title="Your plan is still Free" text={freePlanText()}>
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

function freePlanText(): string {
  return featureFlags.payments
    ? "We haven't received a payment for your account yet. It may take a minute. Check again, or contact us if nothing changes."
    : "We haven't received a payment for your account, and Premium isn't available yet. If you were charged, contact us.";
}
