import type { ReactNode } from "react";

import { BusinessCard } from "#app/features/cards/public/business-card.tsx";
import { cardRules } from "#app/features/cards/public/show-all-field.tsx";
import { cardDirection, plainStyle } from "#app/features/cards/card-view-model.ts";
import type { BusinessCardData } from "#app/features/cards/card-view-model.ts";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { useBrowserValue } from "#app/ui/components/hydration.ts";
import { useInlineStyle } from "#app/ui/components/inline-style.ts";
import "#app/features/sharing/public-page/public-page.css";

/** A step: how far it is, its title, its content, and the card beside it on a wide screen. */
export function StartShell({ step, title, back, lead, card, hasError = false, children }: StartShellProps) {
  return (
    <div
      data-toasts="top"
      className="mx-auto grid w-full max-w-250 items-start gap-x-16 px-5 pt-6 pb-16 sm:pt-12 lg:grid-cols-[minmax(0,1fr)_minmax(0,400px)]"
    >
      <title>{`${hasError ? "Error: " : ""}${title} | Meishi`}</title>
      <CardRules card={card} />
      <div className="mx-auto grid w-full min-w-0 max-w-140 gap-6.5">
        <header className="grid gap-2">
          {back && <BackLink to={back}>Back</BackLink>}
          <Progress step={step} />
          <h1 className="heading text-xl">{title}</h1>
          {lead && <p className="text-muted">{lead}</p>}
        </header>
        {children}
      </div>
      <div className="hidden lg:sticky lg:top-8 lg:block lg:pt-14" aria-hidden="true">
        <CardPreview card={card} />
      </div>
    </div>
  );
}

type StartShellProps = {
  step: 1 | 2 | 3;
  title: string;
  /** The step before. */
  back?: string;
  lead?: ReactNode;
  /** Its loader allows the CSS of its style as an inline style. */
  card: BusinessCardData;
  hasError?: boolean;
  children: ReactNode;
};

/** The card as visitors see it. */
export function CardPreview({ card }: { card: BusinessCardData }) {
  const style = card.style ?? plainStyle;
  return (
    <div className={previewClass} data-theme={style.theme} dir={cardDirection(card)}>
      <BusinessCard card={card} as="p" />
    </div>
  );
}

// The page's class without its height.
const previewClass = "page accent min-h-0! rounded-card bg-transparent! p-0!";

/** The rules for the accent and the paper. In the page that the server sends, so that they need no script; React itself can't add them to a page. */
function CardRules({ card }: { card: BusinessCardData }) {
  const served = card.style?.css;
  const isServed = useBrowserValue(() => false, true);
  useInlineStyle(cardRules(card));
  return isServed && served ? <style suppressHydrationWarning dangerouslySetInnerHTML={{ __html: served }} /> : null;
}

function Progress({ step }: { step: number }) {
  return (
    <div className="flex items-center gap-4">
      <p className="text-sm text-muted tabular-nums">Step {step} of 3</p>
      <div aria-hidden="true" className="flex gap-1.5">
        {[1, 2, 3].map((number) => (
          <span key={number} className={`h-1 w-8 rounded-full ${number <= step ? "bg-text" : "bg-line-strong"}`} />
        ))}
      </div>
    </div>
  );
}
