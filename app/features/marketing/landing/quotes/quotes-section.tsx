import { LandingSection } from "#app/features/marketing/landing/section.tsx";
import type { Quote } from "#app/services/config/site-content.server.ts";

import { QuoteCarousel } from "./quote-carousel.tsx";

/** The operator's quotes. Without any: samples, marked as such, where samples are on; otherwise nothing. */
export function QuotesSection({ quotes, hasSample }: { quotes: Quote[]; hasSample: boolean }) {
  const isSample = quotes.length === 0;
  if (isSample && !hasSample) return null;
  return (
    <LandingSection
      id="social-proof"
      eyebrow="What people say"
      title="In their own words"
      intro={isSample ? "These are samples. Quotes from this site’s users go here; we don’t make them up." : undefined}
    >
      <div className="reveal">
        <QuoteCarousel quotes={isSample ? sampleQuotes : quotes} isSample={isSample} />
      </div>
    </LandingSection>
  );
}

/** Placeholders that aren't attributed to anyone. */
export const sampleQuotes: Quote[] = [
  {
    quote: "Here, a freelancer might say how a client found their portfolio weeks after they met.",
    name: "Sample Freelancer",
    role: "Freelancer",
    rating: 5,
  },
  {
    quote: "Here, a recruiter might say why it beats a stack of paper at a job fair, or what to improve.",
    name: "Sample Recruiter",
    role: "Recruiter",
    company: "Sample Company",
    rating: 4.5,
  },
  {
    quote: "Here, a sales team might say how it feels to share one design and never hand out an old number.",
    name: "Sample Salesperson",
    role: "Sales team",
    company: "Sample Company",
    rating: 5,
  },
];
