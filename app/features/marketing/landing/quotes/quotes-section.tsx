import { LandingSection } from "#app/features/marketing/landing/section.tsx";
import type { Quote } from "#app/services/config/site-content.server.ts";

import { QuoteCarousel } from "./quote-carousel.tsx";

/** Quotes from the operator's file, or samples, marked as such, while it has none. */
export function QuotesSection({ quotes }: { quotes: Quote[] }) {
  const isSample = quotes.length === 0;
  return (
    <LandingSection
      id="social-proof"
      eyebrow="What people say"
      title="In their words"
      intro={
        isSample ? "Samples. Whoever runs this site puts words of real people here; we don't make them up." : undefined
      }
    >
      <div className="reveal">
        <QuoteCarousel quotes={isSample ? sampleQuotes : quotes} isSample={isSample} />
      </div>
    </LandingSection>
  );
}

/** Placeholders in no one's name, shown while the operator has no quotes. */
export const sampleQuotes: Quote[] = [
  {
    quote: "Here stands what a freelancer says: how a client found the portfolio from the card, weeks after they met.",
    name: "Sample Freelancer",
    role: "Freelancer",
    rating: 5,
  },
  {
    quote:
      "Here stands what a recruiter says: what is quicker at a fair than a stack of paper, and what could be better.",
    name: "Sample Recruiter",
    role: "Recruiter",
    company: "Sample Company",
    rating: 4.5,
  },
  {
    quote: "Here stands what a sales team says: one design for all of them, and numbers that are never out of date.",
    name: "Sample Salesperson",
    role: "Sales team",
    company: "Sample Company",
    rating: 5,
  },
];
