import { BillingPeriodField } from "#app/features/billing/billing-period-field.tsx";
import { findPlan } from "#app/features/billing/data.server.ts";
import { planOffer } from "#app/features/billing/offer.ts";
import { PlanCard, planGridClass } from "#app/features/billing/plan-card.tsx";
import { formatCardLimit, planList, plans, readBillingPeriod } from "#app/features/billing/rules.ts";
import { requirePlans } from "#app/features/billing/checkout/checkout-request.server.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import { themeChoices } from "#app/features/profile/themes.ts";
import { pageHead } from "#app/features/shell/page-head.ts";
import { pageWidthClass } from "#app/ui/components/page-width.ts";
import { hasPasses } from "#app/features/wallet/data.server.ts";
import type { PremiumAccess } from "#app/services/config/setting-values.ts";
import { markSitePage, services, viewer } from "#app/services/http/context.ts";

import type { Route } from "./+types/pricing-page.ts";
import { PlanAction } from "./plan-action.tsx";
import type { Customer } from "./plan-action.tsx";
import { PlanComparison } from "./plan-comparison.tsx";
import { ProductComparison } from "./product-comparison.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePlans(context, url);
  const all = services(context);
  const user = viewer(context);
  if (!user) markSitePage(context, { queryParameters: ["period"] });
  return {
    period: readBillingPeriod(url.searchParams),
    plan: user && (await findPlan(all, user.id)).id,
    premium: all.config.premium,
    hasPasses: hasPasses(all),
  };
}

export function meta(args: Route.MetaArgs) {
  const [free, premium] = [formatCardLimit(plans.free.maxCards), formatCardLimit(plans.premium.maxCards).toLowerCase()];
  return pageHead(args, {
    title: "Pricing | Meishi",
    description: `${free} free. Premium: ${premium}, all themes and no Meishi branding.`,
  });
}

export default function PricingPage({
  loaderData: { plan, period, premium, hasPasses: offersPasses },
}: Route.ComponentProps) {
  const customer: Customer = { plan };
  return (
    <div className={`${pageWidthClass} pt-10 sm:pt-14`}>
      <div className="group">
        <h1 className="heading text-center text-[clamp(2.125rem,7.4vw,3.5rem)] leading-[1.15] tracking-[-0.02em]">
          {headline(customer)}
        </h1>
        <p className="mx-auto mt-4 max-w-[34rem] text-center text-balance text-muted">{subheadline(customer)}</p>
        <BillingPeriodField period={period} />
        <div className={planGridClass}>
          {planList.map((plan) => (
            <PlanColumn key={plan.id} {...{ plan, customer, premium }} />
          ))}
        </div>
      </div>
      <PlanPromises />
      <section aria-labelledby="compare-plans" className={sectionClass}>
        <h2 id="compare-plans" className={headingClass}>
          Compare plans
        </h2>
        <PlanComparison themes={themeChoices} hasPasses={offersPasses} />
      </section>
      <section aria-labelledby="compare-kinds" className={sectionClass}>
        <h2 id="compare-kinds" className={headingClass}>
          Compared with paper and hosted services
        </h2>
        <ProductComparison />
      </section>
    </div>
  );
}

type PlanColumnProps = { plan: Plan; customer: Customer; premium: PremiumAccess };

function PlanColumn({ plan, customer, premium }: PlanColumnProps) {
  return (
    <PlanCard
      {...{ plan, premium }}
      badge={customer.plan === plan.id ? "Your plan" : undefined}
      action={<PlanAction offer={planOffer(plan, premium)} customer={customer} canBuy={premium === "sold"} />}
    />
  );
}

function headline({ plan }: Customer) {
  if (!plan) {
    return (
      <>
        Start <span className="inline-block border-b-[0.09em] border-seal leading-[1.02]">free,</span>{" "}
        <br className="max-sm:hidden" />
        pay when you need more
      </>
    );
  }
  return `You’re on ${plans[plan].name}`;
}

function subheadline({ plan }: Customer): string {
  if (!plan)
    return "One card and a profile are free forever. Premium adds more cards and themes, and removes our branding.";
  if (plan === planList.at(-1)?.id) return "You have everything Meishi offers.";
  return `${plan === "free" ? "It’s free forever. " : ""}Here’s what Premium adds.`;
}

const sectionClass = "mx-auto max-w-[960px] pt-16 sm:pt-24";
const headingClass = "heading mb-6 text-xl sm:mb-8";

/** Three facts that help choose a plan. */
function PlanPromises() {
  return (
    <ul className="mx-auto mt-10 grid max-w-[960px] gap-x-10 gap-y-6 border-t border-line pt-8 md:grid-cols-3">
      {promises.map(({ title, text }) => (
        <li key={title}>
          <p className="font-semibold">{title}</p>
          <p className="mt-1 text-sm text-muted">{text}</p>
        </li>
      ))}
    </ul>
  );
}

const promises = [
  {
    title: "Downgrade without losing anything",
    text: "When Premium ends, your oldest card stays public. The others are paused.",
  },
  {
    title: "Counted from day one",
    text: "Visits, clicks and saves are counted on every plan, so your data is there when you upgrade.",
  },
  {
    title: "Open source",
    text: "All of Meishi is MIT-licensed. Run it on your own server.",
  },
];
