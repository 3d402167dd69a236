import { plans } from "#app/features/billing/rules.ts";
import { ButtonLink } from "#app/ui/button.tsx";

import { PlanCard } from "./plan-card.tsx";
import { PeriodChoice } from "./plan-period.tsx";
import { Section } from "./section.tsx";

/** Both plans at their prices. The choice between month and year needs no script: PlanCard looks at which button is checked. */
export function PricingSection({ isMember }: { isMember: boolean }) {
  // Who is signed in finds their own plan, and what can be done about it, on the page of prices.
  const action = isMember ? { action: <></> } : {};
  return (
    <Section
      id="pricing"
      eyebrow="Pricing"
      title="Start free, pay when you need more"
      intro="A card and a profile cost nothing, for as long as you like. Premium adds room and takes our name off."
    >
      <div className="reveal group">
        <PeriodChoice period="monthly" />
        <div className="mx-auto mt-8 grid max-w-[960px] items-start gap-5 md:grid-cols-2 md:items-stretch">
          <PlanCard plan={plans.free} headingLevel="h3" {...action} />
          <PlanCard plan={plans.premium} headingLevel="h3" {...action} />
        </div>
        <p className="mt-6.5 text-center">
          <ButtonLink href="/pricing">Compare the plans</ButtonLink>
        </p>
      </div>
    </Section>
  );
}
