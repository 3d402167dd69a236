import { messages } from "#app/features/billing/messages.ts";
import { inDollars, yearlyPrice } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import { ButtonLink } from "#app/ui/button.tsx";

/** A plan and its price; which price is shown is decided by the page's radio button. */
export function PlanCard({ plan }: { plan: Plan }) {
  const isFree = plan.monthlyPrice === 0;
  return (
    <section
      aria-labelledby={`plan-${plan.id}`}
      className={`flex flex-col rounded-card border p-6.5 sm:p-8 ${isFree ? "border-line bg-raised" : "border-line-strong bg-higher"}`}
    >
      <h2 id={`plan-${plan.id}`} className="flex items-center gap-2.5 text-[1.125rem] leading-7 font-semibold">
        {plan.name}
        {!isFree && (
          <span className="rounded-full border border-line-strong px-2.5 text-xs leading-5.5 text-muted">Pro</span>
        )}
      </h2>
      <p className="mt-1 text-muted">{words[plan.id].blurb}</p>
      <p className="mt-6 flex items-baseline gap-2 group-has-[[value=yearly]:checked]:hidden">
        <span className="heading text-2xl">{inDollars(plan.monthlyPrice)}</span>
        <span className="text-muted">{isFree ? "for ever" : "a month"}</span>
      </p>
      <p className="mt-6 hidden items-baseline gap-2 group-has-[[value=yearly]:checked]:flex">
        <span className="heading text-2xl">{inDollars(yearlyPrice(plan))}</span>
        <span className="text-muted">{isFree ? "for ever" : "a year"}</span>
      </p>
      <p className="mt-1 min-h-[1.5em] text-sm text-muted">
        {isFree ? "No card details needed." : messages.monthsFree}
      </p>
      <ul className="mt-6 mb-8 grid gap-2.5">
        {words[plan.id].points.map((point) => (
          <li key={point} className="flex gap-3">
            <svg
              className="mt-1 shrink-0 text-muted"
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
            {point}
          </li>
        ))}
      </ul>
      <ButtonLink variant={isFree ? "main" : "quiet"} href={`/signup?tier=${plan.id}`} className="mt-auto">
        {words[plan.id].action}
      </ButtonLink>
    </section>
  );
}

const words = {
  free: {
    blurb: "One card and a page for everything else.",
    points: ["1 business card", "8 links on your profile", "3 themes", "Link, QR code and contact file"],
    action: "Sign up for Free",
  },
  premium: {
    blurb: "For more than one role, in your own look.",
    points: ["Unlimited business cards", "All 6 themes", "No 'Made with Meishi'", "Analytics and sorted links"],
    action: "Sign up, choose Premium later",
  },
};
