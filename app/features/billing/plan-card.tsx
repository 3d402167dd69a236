import type { ReactNode } from "react";

import { Seal } from "#app/features/shell/brand.tsx";
import { useSignUpNote } from "#app/features/shell/site-facts.ts";
import { paperClass } from "#app/features/shell/brand.tsx";
import type { PremiumAccess } from "#app/services/config/setting-values.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";

import { planOffer } from "./offer.ts";
import type { PlanOffer } from "./offer.ts";
import { planList } from "./rules.ts";
import type { Plan } from "./rules.ts";

/**
 * A plan and its price; the recommended plan looks like a signed sheet of paper. The radio buttons named `period` in the surrounding
 * `group` select the price; without them it is the monthly one. `action` replaces the link to sign-up.
 */
export function PlanCard({ plan, premium, headingLevel: Heading = "h2", action, badge }: PlanCardProps) {
  const offer = planOffer(plan, premium);
  return (
    <section
      aria-labelledby={`plan-${offer.id}`}
      className={`${cardClass} ${offer.isRecommended ? paperClass : plainClass}`}
    >
      <div className="flex min-h-8 items-center gap-2.5">
        <Heading id={`plan-${offer.id}`} className="heading text-lg">
          {offer.name}
        </Heading>
        {offer.isRecommended && <Badge>Pro</Badge>}
        {badge && <Badge isStrong>{badge}</Badge>}
        {offer.isRecommended && (
          <span className="ms-auto">
            <Seal size={32} />
          </span>
        )}
      </div>
      <p className="mt-1 text-muted">{offer.blurb}</p>
      <PlanPrice offer={offer} />
      <p className="mt-2 mb-6.5 text-sm text-muted">{offer.note}</p>
      <div className="grid content-start gap-2.5">{action ?? <SignUpLink offer={offer} />}</div>
      <ul className="mt-6.5 grid content-start gap-2.5 border-t border-line pt-6.5">
        {offer.points.map((text) => (
          <li key={text} className="flex gap-3">
            <TickIcon className="mt-1 shrink-0 text-muted" />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

type PlanCardProps = {
  plan: Plan;
  premium: PremiumAccess;
  headingLevel?: "h2" | "h3";
  action?: ReactNode;
  badge?: string | undefined;
};

/** Leads to sign-up, which remembers the plan. Signing up for Free is the main action; Premium is bought in its own form. */
export function SignUpLink({ offer: { cta, isRecommended } }: { offer: PlanOffer }) {
  const note = useSignUpNote();
  if (note !== undefined) return <p className={planNoteClass}>{note}</p>;
  return (
    <ButtonLink variant={isRecommended ? "quiet" : "main"} href={cta.href} className="w-full">
      {cta.label}
    </ButtonLink>
  );
}

export const planNoteClass =
  "flex min-h-12 items-center justify-center rounded-control border border-dashed border-line-strong px-4 text-center font-semibold text-muted";

/** Renders both prices; CSS shows the selected one, so the choice works without JavaScript. */
function PlanPrice({ offer: { price, per } }: { offer: PlanOffer }) {
  return (
    <p className="mt-5 sm:mt-6.5">
      <span className="flex items-baseline gap-2.5 group-has-[[value=yearly]:checked]:hidden">
        <span className={amountClass}>{price.monthly}</span> <span className="text-muted">{per.monthly}</span>
      </span>
      <span className="hidden items-baseline gap-2.5 group-has-[[value=yearly]:checked]:flex">
        <span className={amountClass}>{price.yearly}</span> <span className="text-muted">{per.yearly}</span>
      </span>
    </p>
  );
}

export function TickIcon({ className = "inline align-[-2px]" }: { className?: string }) {
  return (
    <svg
      className={className}
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      aria-hidden="true"
    >
      <path d="M3 8.5l3.2 3.2L13 4.8" />
    </svg>
  );
}

function Badge({ isStrong = false, children }: { isStrong?: boolean; children: string }) {
  const toneClass = isStrong ? "border-transparent bg-main text-on-main" : "border-line-strong text-muted";
  return <span className={`rounded-full border px-2.5 text-xs leading-5.5 ${toneClass}`}>{children}</span>;
}

/** A column for each plan, at most three in a row. */
export const planGridClass = `mx-auto mt-8 grid max-w-[960px] items-start gap-5 md:items-stretch ${planList.length > 2 ? "md:grid-cols-3" : "md:grid-cols-2"}`;

// A subgrid aligns the parts of cards that stand side by side.
const cardClass = "grid content-start rounded-card border p-6.5 sm:p-9 md:row-span-6 md:grid-rows-subgrid md:gap-y-0";
const plainClass = "border-line bg-ground";
const amountClass = "heading text-[clamp(2.5rem,9vw,3.5rem)] leading-[1.1] tracking-[-0.02em]";
