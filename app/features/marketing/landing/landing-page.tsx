import { BillingPeriodField } from "#app/features/billing/billing-period-field.tsx";
import { planOffer } from "#app/features/billing/offer.ts";
import { PlanCard, planGridClass } from "#app/features/billing/plan-card.tsx";
import { ChoosePlanButton } from "#app/features/billing/pricing/plan-action.tsx";
import { isPaid, planList } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import { DemoSection } from "#app/features/marketing/landing/demo/demo-section.tsx";
import { HeroSection, useStartLink } from "#app/features/marketing/landing/hero/hero-section.tsx";
import { HeroShowcase } from "#app/features/marketing/landing/hero/hero-showcase.tsx";
import { readShowcase } from "#app/features/marketing/landing/hero/showcase.ts";
import { PersonasSection } from "#app/features/marketing/landing/personas/personas-section.tsx";
import { QuotesSection } from "#app/features/marketing/landing/quotes/quotes-section.tsx";
import { Seal } from "#app/features/shell/brand.tsx";
import { usePremiumAccess, useSignUpNote } from "#app/features/shell/site-facts.ts";
import { pageHead } from "#app/features/shell/page-head.ts";
import { pageWidthClass } from "#app/ui/components/page-width.ts";
import { findSigner } from "#app/services/config/apple-passes.server.ts";
import type { PremiumAccess } from "#app/services/config/setting-values.ts";
import { markSitePage, services, viewer } from "#app/services/http/context.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";

import type { Route } from "./+types/landing-page.ts";
import { FaqSection } from "./faq-section.tsx";
import { HowItWorksSection } from "./how-it-works-section.tsx";
import { IntegrationsSection } from "./integrations-section.tsx";
import { LeadsSection } from "./leads-section.tsx";
import { LandingSection } from "./section.tsx";
import { findSecurityFacts } from "./security-data.server.ts";
import { SecuritySection } from "./security-section.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { config, siteContent, clock, applePasses, googleWallet } = services(context);
  const signer = findSigner(applePasses, clock());
  const security = await findSecurityFacts(services(context));
  // Cached only briefly when the uptime could not be read, and no longer than the demo can be signed.
  const endsAt = security.isRead ? signer?.expiresAt : clock() + 5_000;
  markSitePage(context, { queryParameters: ["screen", "theme"], endsAt });
  return {
    showcase: readShowcase(url.searchParams),
    hasSample: config.demo,
    sourceUrl: config.sourceUrl,
    isSignedIn: viewer(context) !== undefined,
    baseUrl: config.baseUrl,
    hasPasses: signer !== undefined,
    hasGoogleWallet: googleWallet !== undefined,
    premium: config.premium,
    quotes: siteContent.quotes,
    security: security.facts,
  };
}

export function meta(args: Route.MetaArgs) {
  const description = "A business card you share by link, QR code or contact file, and a page for everything else.";
  return pageHead(args, { title: "One tap, endless connections | Meishi", description });
}

export default function LandingPage({ loaderData }: Route.ComponentProps) {
  if (loaderData.showcase) return <HeroShowcase showcase={loaderData.showcase} hasSample={loaderData.hasSample} />;
  return (
    <>
      <HeroSection hasSample={loaderData.hasSample} isSignedIn={loaderData.isSignedIn} />
      <PersonasSection />
      <DemoSection {...loaderData} />
      <HowItWorksSection />
      <LeadsSection />
      <IntegrationsSection {...loaderData} />
      <QuotesSection quotes={loaderData.quotes} hasSample={loaderData.hasSample} />
      <SecuritySection facts={loaderData.security} sourceUrl={loaderData.sourceUrl} hasSample={loaderData.hasSample} />
      {loaderData.premium !== "everyone" && <PricingSection {...loaderData} />}
      <FaqSection />
      <ClosingSection hasSample={loaderData.hasSample} isSignedIn={loaderData.isSignedIn} />
    </>
  );
}

/** The last section: a blank card, 91 by 55. */
function ClosingSection({ hasSample, isSignedIn }: { hasSample: boolean; isSignedIn: boolean }) {
  const note = useSignUpNote();
  const hasPlans = usePremiumAccess() !== "everyone";
  const start = useStartLink(isSignedIn);
  return (
    <section aria-labelledby="closing-title" className={`${pageWidthClass} pt-20 sm:pt-30`}>
      <div className="crop reveal mx-auto max-w-[45.5rem] border-0">
        <div className="last-card">
          <div className="flex items-start justify-between gap-6">
            <p className="eyebrow text-ink-soft">What you do</p>
            <Seal size={36} />
          </div>
          <h2 id="closing-title" className="heading">
            Your name here
          </h2>
          {note !== undefined && !isSignedIn ? <p>{note}</p> : hasPlans && <p>Your first card is free.</p>}
          <div className="mt-5 flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-paper-line pt-5 sm:mt-8">
            <ButtonLink href={start.href} className="border-transparent! bg-ink! text-paper! max-sm:w-full">
              {start.label}
            </ButtonLink>
            {hasSample && (
              <a
                href="/card/demo-card"
                className="inline-flex min-h-11 items-center font-medium underline decoration-1 underline-offset-[6px] max-sm:mx-auto"
              >
                See a sample first
              </a>
            )}
          </div>
        </div>
      </div>
    </section>
  );
}

/** The plans with their prices. Choosing between month and year needs no JavaScript: `PlanCard` follows the checked radio button. */
function PricingSection({ isSignedIn, premium }: { isSignedIn: boolean; premium: PremiumAccess }) {
  const actionOf = (plan: Plan) => {
    // Signed-in users find the actions for their plan on /pricing.
    if (isSignedIn) return { action: <></> };
    return premium === "sold" && isPaid(plan) ? { action: <ChoosePlanButton offer={planOffer(plan, premium)} /> } : {};
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
        <div className={planGridClass}>
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
