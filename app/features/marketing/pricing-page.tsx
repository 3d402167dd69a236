import { messages } from "#app/features/billing/messages.ts";
import { plans, yearlySaving } from "#app/features/billing/rules.ts";
import { markSite, services } from "#app/services/context.ts";
import { Notice } from "#app/ui/notice.tsx";

import type { Route } from "./+types/pricing-page.ts";
import { PlanCard } from "./plan-card.tsx";
import { PlanTable } from "./plan-table.tsx";
import { pageWidth } from "#app/features/shell/site-links.ts";

export function loader({ context }: Route.LoaderArgs) {
  markSite(context);
  return { url: `${services(context).config.baseUrl}/pricing` };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [
    { title: "Pricing | Meishi" },
    {
      name: "description",
      content: "One card is free. Premium: as many cards as you like, all themes and no Meishi branding.",
    },
    { tagName: "link", rel: "canonical", href: loaderData.url },
  ];
}

export default function PricingPage() {
  return (
    <div className={`${pageWidth} group pt-12 sm:pt-20`}>
      <h1 className="heading text-center text-[clamp(1.875rem,7vw,2.5rem)] leading-[1.15] tracking-[-0.015em]">
        Start free, pay when you need more
      </h1>
      <PeriodChoice />
      <div className="mx-auto mt-10 grid max-w-[880px] gap-5 md:grid-cols-2">
        <PlanCard plan={plans.free} />
        <PlanCard plan={plans.premium} />
      </div>
      <div className="mx-auto mt-5 max-w-[880px]">
        <Notice title={messages.notOnSale.title}>{messages.notOnSale.text}</Notice>
        <PlanTable />
      </div>
    </div>
  );
}

/** Two radio buttons; PlanCard looks at which is checked, so it needs no script. */
function PeriodChoice() {
  return (
    <fieldset className="mx-auto mt-8 flex w-fit max-w-full flex-wrap justify-center gap-1 rounded-[14px] bg-higher p-1">
      <legend className="sr-only">Billing period</legend>
      <label className={period}>
        <input type="radio" name="period" value="monthly" defaultChecked className={hiddenRadio} />
        Monthly
      </label>
      <label className={period}>
        <input type="radio" name="period" value="yearly" className={hiddenRadio} />
        Yearly
        <span className="text-success">{messages.saveYearly(yearlySaving(plans.premium))}</span>
      </label>
    </fieldset>
  );
}

const period =
  "relative flex min-h-11 items-center gap-2 rounded-[10px] border border-transparent px-5 text-sm font-semibold text-muted hover:text-text " +
  "has-checked:bg-picked has-checked:text-text has-checked:shadow-[0_1px_3px_#0003] forced-colors:has-checked:border-[Highlight] " +
  "has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-text";
const hiddenRadio = "absolute inset-0 size-full appearance-none rounded-[10px] opacity-0";
