import { ButtonLink } from "#app/ui/button.tsx";

import { faqItems } from "./faq-items.ts";
import { Section } from "./section.tsx";

/** One answer at a time, and each can be closed again: `<details>` of one name, so it needs no script. */
export function Faq() {
  return (
    <Section id="faq" eyebrow="FAQ" title="Questions, answered">
      <div className="faq reveal">
        <div>
          {faqItems.map(({ q, a }) => (
            <details key={q} name="faq" className="more">
              <summary>
                <h3>{q}</h3>
              </summary>
              <p>{a}</p>
            </details>
          ))}
        </div>
        <div>
          <p className="text-muted">Not among them? Ask whoever runs this site.</p>
          <ButtonLink href="/contact" className="mt-4">
            Write to us
          </ButtonLink>
        </div>
      </div>
    </Section>
  );
}
