import { BillingPeriodField } from "#app/features/billing/billing-period-field.tsx";
import { PlanCard } from "#app/features/billing/plan-card.tsx";
import { ChoosePlanForm } from "#app/features/billing/pricing/plan-action.tsx";
import { planOffer } from "#app/features/billing/offer.ts";
import { isPaid, planList } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import type { PremiumAccess } from "#app/services/config/setting-values.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";

import { LandingSection } from "./section.tsx";

/** The plans with their prices. Choosing between month and year needs no JavaScript: `PlanCard` follows the checked radio button. */
export function PricingSection({ isSignedIn, premium }: { isSignedIn: boolean; premium: PremiumAccess }) {
  const actionOf = (plan: Plan) => {
    // Signed-in users find the actions for their plan on /pricing.
    if (isSignedIn) return { action: <></> };
    return premium === "sold" && isPaid(plan) ? { action: <ChoosePlanForm offer={planOffer(plan, premium)} /> } : {};
  };
  return (
    <LandingSection
      id="pricing"
      eyebrow="Pricing"
      title="Start free, pay when you need more"
      intro="One card and a profile are free forever. Premium adds more cards and themes, and removes our branding."
    >
      <div className="reveal group">
        <BillingPeriodField period="monthly" />
        <div className="mx-auto mt-8 grid max-w-[960px] items-start gap-5 md:grid-cols-2 md:items-stretch">
          {planList.map((plan) => (
            <PlanCard key={plan.id} {...{ plan, premium }} headingLevel="h3" {...actionOf(plan)} />
          ))}
        </div>
        <p className="mt-6.5 text-center">
          <ButtonLink href="/pricing">Compare plans</ButtonLink>
        </p>
      </div>
    </LandingSection>
  );
}
