import { checkSubscription } from "#app/features/billing/data.server.ts";
import { built } from "#app/features/shell/built.ts";
import { member, services } from "#app/services/context.ts";
import { ButtonLink } from "#app/ui/button.tsx";

import type { Route } from "./+types/success-page.ts";
import { PlanOutcome } from "./plan-outcome.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const { db, clock } = services(context);
  const { plan } = await checkSubscription(db, member(context).id, clock());
  return { isPremium: plan.id === "premium" };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData.isPremium ? "You're Pro now!" : "Your plan is still Free"} | Meishi` }];
}

/** Where the checkout sends those who paid. Anybody may open the address: what it says is what the plan is. */
export default function SuccessPage({ loaderData: { isPremium } }: Route.ComponentProps) {
  if (isPremium) {
    return (
      <PlanOutcome title="You're Pro now!" text="All cards, all themes, no 'Made with Meishi'." isSigned>
        <ButtonLink variant="main" href="/">
          Go to dashboard
        </ButtonLink>
        <ButtonLink href="/pricing">Manage Plan</ButtonLink>
      </PlanOutcome>
    );
  }
  return (
    <PlanOutcome title="Your plan is still Free" text={stillFree()}>
      <ButtonLink variant="main" href="/success">
        Check again
      </ButtonLink>
      <ButtonLink href="/pricing">See the plans</ButtonLink>
      <ButtonLink variant="plain" href="/contact">
        Contact us
      </ButtonLink>
    </PlanOutcome>
  );
}

function stillFree(): string {
  return built.payments
    ? "No payment has arrived for your account yet. It may take a minute: check again, or tell us if it stays like this."
    : "No payment has arrived for your account, and Premium is not on sale yet. If somebody took money from you, tell us.";
}
