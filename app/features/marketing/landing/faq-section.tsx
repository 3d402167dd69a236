import { planSummary } from "#app/features/billing/offer.ts";
import { formatCardLimit, formatDollars, isPaid, planList, yearlyPrice } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import { usePremiumAccess } from "#app/features/shell/site-facts.ts";
import type { PremiumAccess } from "#app/services/config/setting-values.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";

import { LandingSection } from "./section.tsx";

/** One answer is open at a time: `<details>` elements of one name, which need no JavaScript. */
export function FaqSection() {
  const items = listItems(usePremiumAccess());
  return (
    <LandingSection id="faq" eyebrow="FAQ" title="Questions, answered">
      <div className="faq reveal">
        <div>
          {items.map(({ q, a }) => (
            <details key={q} name="faq" className="more">
              <summary>
                <h3>{q}</h3>
              </summary>
              <p>{a}</p>
            </details>
          ))}
        </div>
        <div>
          <p className="text-muted">Have another question?</p>
          <ButtonLink href="/contact" className="mt-4">
            Contact us
          </ButtonLink>
        </div>
      </div>
    </LandingSection>
  );
}

type FaqItem = { q: string; a: string };

/** Frequently asked questions about the product as it is today. The only place on the page that lists what is missing. */
function listItems(premium: PremiumAccess): FaqItem[] {
  const [first, ...others] = questions;
  return [
    ...(first ? [first] : []),
    ...(premium === "everyone" ? [] : planQuestions),
    ...others,
    ...missingItem(premium),
  ];
}

const planQuestions: FaqItem[] = [
  {
    q: `What’s in ${planList.map(({ name }) => name).join(", and what’s in ")}?`,
    a: planList.map(describePlan).join(" "),
  },
  {
    q: "What happens to my cards if I switch back from Premium to Free?",
    a: "Nothing is deleted. Your oldest card stays public. The others are paused, and only you can see them.",
  },
];

function describePlan(plan: Plan): string {
  const { name, maxLinks, themes, monthlyPrice } = plan;
  if (!isPaid(plan))
    return `${name} includes ${formatCardLimit(plan.maxCards)}, a profile with ${maxLinks} links and ${themes.length} themes, for as long as you like.`;
  const price = `${formatDollars(monthlyPrice)} a month or ${formatDollars(yearlyPrice(plan))} a year`;
  return `${name} includes ${planSummary(plan)}, for ${price}.`;
}

const questions: FaqItem[] = [
  {
    q: "Do people need an app to open my card?",
    a: "No app and no account. Your card opens in any browser from a link, QR code or NFC tag, and one tap saves you to their contacts.",
  },
  {
    q: "Can I change my card after I print its QR code?",
    a: "Yes. The code opens your card’s link, which never changes. Your edits show up on the next scan.",
  },
  {
    q: "What do you know about the people who open my card?",
    a: "Only counts: how often your card was opened, saved and clicked, and by which way, website and kind of device people came. No cookies, no IP addresses, no way to identify anyone.",
  },
  {
    q: "How do I take something offline?",
    a: "Pause a card, or hide a single phone number or link. It disappears from the page right away, and you can bring it back anytime. You can also delete a card for good.",
  },
  {
    q: "Can I run it myself?",
    a: "Yes. Meishi is open source (MIT) and starts with one command. You don’t need an account anywhere else.",
  },
];

function missingItem(premium: PremiumAccess): FaqItem[] {
  if (premium !== "granted") return [];
  const a = "Premium subscriptions. Until Premium is available, everyone is on Free.";
  return [{ q: "What isn’t available yet?", a }];
}
