import { DemoSection } from "#app/features/marketing/landing/demo/demo-section.tsx";
import { HeroSection } from "#app/features/marketing/landing/hero/hero-section.tsx";
import { HeroShowcase } from "#app/features/marketing/landing/hero/hero-showcase.tsx";
import { readShowcase } from "#app/features/marketing/landing/hero/showcase.ts";
import { PersonasSection } from "#app/features/marketing/landing/personas/personas-section.tsx";
import { QuotesSection } from "#app/features/marketing/landing/quotes/quotes-section.tsx";
import { pageHead } from "#app/features/shell/page-head.ts";
import { findSigner } from "#app/services/config/apple-passes.server.ts";
import { markSitePage, services, viewer } from "#app/services/http/context.ts";

import type { Route } from "./+types/landing-page.ts";
import { ClosingSection } from "./closing-section.tsx";
import { FaqSection } from "./faq-section.tsx";
import { HowItWorksSection } from "./how-it-works-section.tsx";
import { IntegrationsSection } from "./integrations-section.tsx";
import { PricingSection } from "./pricing-section.tsx";
import { findSecurityFacts } from "./security-data.server.ts";
import { SecuritySection } from "./security-section.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { config, siteContent, db, clock, log, applePasses } = services(context);
  const signer = findSigner(applePasses, clock());
  const security = await findSecurityFacts({ siteContent, db, clock, log });
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
      <DemoSection baseUrl={loaderData.baseUrl} hasPasses={loaderData.hasPasses} />
      <HowItWorksSection />
      <IntegrationsSection />
      <QuotesSection quotes={loaderData.quotes} hasSample={loaderData.hasSample} />
      <SecuritySection facts={loaderData.security} sourceUrl={loaderData.sourceUrl} hasSample={loaderData.hasSample} />
      {loaderData.premium !== "everyone" && <PricingSection {...loaderData} />}
      <FaqSection />
      <ClosingSection hasSample={loaderData.hasSample} isSignedIn={loaderData.isSignedIn} />
    </>
  );
}
