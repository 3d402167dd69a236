import { messages } from "#app/features/billing/messages.ts";
import { plans, yearlySaving } from "#app/features/billing/rules.ts";
import type { Period } from "#app/features/billing/rules.ts";

import { subscribeForm } from "./plan-action.tsx";

/** Two radio buttons; PlanCard looks at which is checked, so it needs no script. */
export function PeriodChoice({ period }: { period: Period }) {
  return (
    <fieldset className="mx-auto mt-8 flex w-fit max-w-full flex-wrap justify-center gap-1 rounded-[14px] bg-higher p-1">
      <legend className="sr-only">Billing period</legend>
      <Choice value="monthly" isChosen={period === "monthly"} label="Monthly" />
      <Choice
        value="yearly"
        isChosen={period === "yearly"}
        label="Yearly"
        saving={messages.saveYearly(yearlySaving(plans.premium))}
      />
    </fieldset>
  );
}

type ChoiceProps = { value: Period; isChosen: boolean; label: string; saving?: string };

function Choice({ value, isChosen, label, saving }: ChoiceProps) {
  return (
    <label className={look}>
      <input
        type="radio"
        name="period"
        value={value}
        form={subscribeForm}
        defaultChecked={isChosen}
        className="absolute inset-0 size-full appearance-none rounded-[10px] opacity-0"
      />
      {label}
      {saving && <span className="text-success">{saving}</span>}
    </label>
  );
}

const look =
  "relative flex min-h-11 items-center gap-2 rounded-[10px] border border-transparent px-5 text-sm font-semibold text-muted hover:text-text " +
  "has-checked:bg-picked has-checked:text-text has-checked:[box-shadow:0_1px_3px_#0003] forced-colors:has-checked:border-[Highlight] " +
  "has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-text";
