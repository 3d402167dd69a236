import { messages } from "./messages.ts";
import { isPaid, planList, yearlySaving } from "./rules.ts";
import type { BillingPeriod } from "./rules.ts";

/**
 * Two radio buttons. `PlanCard` shows the price of the checked one with CSS alone. Their form is that of the plans'
 * buttons, which say where it is sent; without one, it opens this page with the period.
 */
export function BillingPeriodField({ period }: { period: BillingPeriod }) {
  return (
    <>
      <form id={planFormId} />
      <fieldset className="mx-auto mt-8 flex w-fit max-w-full flex-wrap justify-center gap-1 rounded-[14px] bg-higher p-1">
        <legend className="sr-only">Billing period</legend>
        <PeriodOption value="monthly" isChosen={period === "monthly"} label="Monthly" />
        <PeriodOption
          value="yearly"
          isChosen={period === "yearly"}
          label="Yearly"
          saving={messages.saveYearly(Math.min(...planList.filter(isPaid).map(yearlySaving)))}
        />
      </fieldset>
    </>
  );
}

export const planFormId = "plan-form";

type PeriodOptionProps = { value: BillingPeriod; isChosen: boolean; label: string; saving?: string };

function PeriodOption({ value, isChosen, label, saving }: PeriodOptionProps) {
  return (
    <label className={optionClass}>
      <input
        type="radio"
        name="period"
        value={value}
        form={planFormId}
        defaultChecked={isChosen}
        className="absolute inset-0 size-full appearance-none rounded-[10px] opacity-0"
      />
      {label}
      {saving && <span className="text-success">{saving}</span>}
    </label>
  );
}

const optionClass =
  "relative flex min-h-11 items-center gap-2 rounded-[10px] border border-transparent px-5 text-sm font-semibold text-muted hover:text-text " +
  "has-checked:bg-picked has-checked:text-text has-checked:[box-shadow:0_1px_3px_#0003] forced-colors:has-checked:border-[Highlight] " +
  "has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-text";
