import type { ReactNode } from "react";

import type { Plan } from "#app/features/billing/rules.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Seal } from "#app/ui/seal.tsx";

import { offerOf } from "./plan-offer.ts";
import type { Offer, Point } from "./plan-offer.ts";
import { onPaper } from "./plan-paper.ts";

/**
 * A plan and its price. The one that is held out is a sheet of paper, signed. A radio button named `period` in the group around it
 * decides which price is seen; without one it is the monthly one. `action` takes the place of the link to sign-up.
 */
export function PlanCard({ plan, headingLevel: Heading = "h2", action, badge }: PlanCardProps) {
  const offer = offerOf(plan);
  return (
    <section aria-labelledby={`plan-${offer.id}`} className={`${card} ${offer.highlight ? onPaper : plain}`}>
      <div className="flex min-h-8 items-center gap-2.5">
        <Heading id={`plan-${offer.id}`} className="heading text-lg">
          {offer.name}
        </Heading>
        {offer.highlight && <Pill>Pro</Pill>}
        {badge && <Pill isStrong>{badge}</Pill>}
        {offer.highlight && (
          <span className="ms-auto">
            <Seal size={32} />
          </span>
        )}
      </div>
      <p className="mt-1 text-muted">{offer.blurb}</p>
      <Price offer={offer} />
      <p className="mt-2 mb-6.5 text-sm text-muted">{offer.note}</p>
      <div className="grid content-start gap-2.5">{action ?? <SignUpLink offer={offer} />}</div>
      <ul className="mt-6.5 grid content-start gap-2.5 border-t border-line pt-6.5">
        {offer.points.map((point) => (
          <PointItem key={point.text} {...point} />
        ))}
      </ul>
    </section>
  );
}

type PlanCardProps = { plan: Plan; headingLevel?: "h2" | "h3"; action?: ReactNode; badge?: string | undefined };

/** Leads to sign-up, which keeps the plan. */
export function SignUpLink({ offer: { cta, highlight } }: { offer: Offer }) {
  return (
    <ButtonLink variant={highlight ? "main" : "quiet"} href={cta.href} className="w-full">
      {cta.label}
    </ButtonLink>
  );
}

/** Both prices are there; the style shows one. */
function Price({ offer: { price, per } }: { offer: Offer }) {
  return (
    <p className="mt-5 sm:mt-6.5">
      <span className="flex items-baseline gap-2.5 group-has-[[value=yearly]:checked]:hidden">
        <span className={amount}>{price.monthly}</span> <span className="text-muted">{per.monthly}</span>
      </span>
      <span className="hidden items-baseline gap-2.5 group-has-[[value=yearly]:checked]:flex">
        <span className={amount}>{price.yearly}</span> <span className="text-muted">{per.yearly}</span>
      </span>
    </p>
  );
}

function PointItem({ text, isLater }: Point) {
  return (
    <li className="flex gap-3">
      <Tick className="mt-1 shrink-0 text-muted" />
      <span>
        {text}
        {isLater && <Later />}
      </span>
    </li>
  );
}

/** Beside what is not there yet. */
export function Later() {
  return <span className="ms-2 text-sm text-muted">later</span>;
}

export function Tick({ className = "inline align-[-2px]" }: { className?: string }) {
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

function Pill({ isStrong = false, children }: { isStrong?: boolean; children: string }) {
  const look = isStrong ? "border-transparent bg-main text-on-main" : "border-line-strong text-muted";
  return <span className={`rounded-full border px-2.5 text-xs leading-5.5 ${look}`}>{children}</span>;
}

// Side by side their parts line up: a price beside a price, a list beside a list.
const card = "grid content-start rounded-card border p-6.5 sm:p-9 md:row-span-6 md:grid-rows-subgrid md:gap-y-0";
const plain = "border-line bg-ground";
const amount = "heading text-[clamp(2.5rem,9vw,3.5rem)] leading-[1.1] tracking-[-0.02em]";
