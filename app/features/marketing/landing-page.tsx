import { siteHead } from "#app/features/shell/site-head.ts";
import { markSite, services, viewer } from "#app/services/context.ts";

import type { Route } from "./+types/landing-page.ts";
import { Closing } from "./closing.tsx";
import { Faq } from "./faq.tsx";
import { Hero } from "./hero.tsx";
import { HeroShowcase } from "./hero-showcase.tsx";
import { HowItWorks } from "./how-it-works.tsx";
import { Integrations } from "./integrations.tsx";
import { LiveDemo } from "./live-demo.tsx";
import { Personas } from "./personas.tsx";
import { previewOf } from "./preview.ts";
import { PricingSection } from "./pricing-section.tsx";
import { findSecurityFacts } from "./security-section.server.ts";
import { SecuritySection } from "./security-section.tsx";
import { SocialProof } from "./social-proof.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { config, content, db, clock, log } = services(context);
  const security = await findSecurityFacts({ content, db, clock, log });
  // What could not be read is looked for again soon.
  markSite(context, { asks: ["screen", "theme"], ...(!security.isRead && { endsAt: clock() + 5_000 }) });
  return {
    preview: previewOf(url.searchParams),
    hasSample: config.demo,
    isMember: viewer(context) !== undefined,
    baseUrl: config.baseUrl,
    quotes: content.quotes,
    security: security.facts,
  };
}

export function meta(asked: Route.MetaArgs) {
  const description =
    "A business card you hand over by link, QR code or contact file, and a page that holds everything else.";
  return siteHead(asked, { title: "One tap, endless connections | Meishi", description });
}

export default function LandingPage({ loaderData }: Route.ComponentProps) {
  if (loaderData.preview) return <HeroShowcase preview={loaderData.preview} hasSample={loaderData.hasSample} />;
  return (
    <>
      <Hero hasSample={loaderData.hasSample} isMember={loaderData.isMember} />
      <Personas />
      <LiveDemo hasSample={loaderData.hasSample} baseUrl={loaderData.baseUrl} />
      <HowItWorks />
      <Integrations />
      <SocialProof quotes={loaderData.quotes} />
      <SecuritySection facts={loaderData.security} />
      <PricingSection isMember={loaderData.isMember} />
      <Faq />
      <Closing hasSample={loaderData.hasSample} isMember={loaderData.isMember} />
    </>
  );
}
