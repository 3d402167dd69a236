import { formatCardLimit, formatDollars, plans, yearlyPrice } from "#app/features/billing/rules.ts";
import { featureFlags } from "#app/features/shell/feature-flags.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";

import { LandingSection } from "./section.tsx";

/** One answer is open at a time: `<details>` elements of one name, which need no script. */
export function FaqSection() {
  return (
    <LandingSection id="faq" eyebrow="FAQ" title="Questions, answered">
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
    </LandingSection>
  );
}

const { free, premium } = plans;

/** Frequent questions, answered for the product of today. */
export const faqItems: { q: string; a: string }[] = [
  {
    q: "Does the other person need an app?",
    a: "No, and no account. Your card opens in any browser from a link, QR code or NFC tag, and one tap saves you to their contacts.",
  },
  {
    q: "What is free, and what is Premium?",
    a:
      `Free is ${formatCardLimit(free.maxCards)}, a profile with ${free.maxLinks} links and ${free.themes.length} themes, for as long as you like. ` +
      `Premium is ${formatCardLimit(premium.maxCards).toLowerCase()}, all ${premium.themes.length} themes and your pages without our name, for ` +
      `${formatDollars(premium.monthlyPrice)} a month or ${formatDollars(yearlyPrice(premium))} a year.` +
      (featureFlags.payments ? "" : " It can't be bought yet; until then everybody starts on Free."),
  },
  {
    q: "What happens to my cards when I go from Premium back to Free?",
    a: "Nothing is deleted. Your oldest card stays public; the others are paused, and only you see them.",
  },
  {
    q: "Can I change my card after its code is printed?",
    a: "Yes. The code leads to your card's address, which stays. What you change shows at the next scan.",
  },
  {
    q: "Can I put my card into Apple Wallet or Google Wallet?",
    a: "Not yet. Today a card goes over by link, QR code, NFC tag and contact file, and your codes open on your phone without a network.",
  },
  {
    q: "What do you learn about the people who open my card?",
    a: "Opened, saved, clicked, by scan or link: each is counted for the day, from the first one on; charts of it come later. No cookie is set, no address is stored, nobody can be recognised.",
  },
  {
    q: "How do I take something back?",
    a: "Pause a card, or switch off one number or link: it is gone from the page at once, and not lost. A card can also be deleted.",
  },
  {
    q: "Can I run it myself?",
    a: "Yes. It is open source (MIT) and starts with one command, without an account anywhere else.",
  },
];
