import type { Quote } from "#app/services/site-content.server.ts";

import { QuoteCarousel } from "./quote-carousel.tsx";
import { sampleQuotes } from "./quote-samples.ts";
import { Section } from "./section.tsx";

/** What people say, in the operator's file; until it says something, samples that are called so. */
export function SocialProof({ quotes }: { quotes: Quote[] }) {
  const isSample = quotes.length === 0;
  return (
    <Section
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
    </Section>
  );
}
