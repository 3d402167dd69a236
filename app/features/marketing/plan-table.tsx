import type { ReactNode } from "react";

import { plans } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import { built } from "#app/features/shell/built.ts";

import { ComparisonTable } from "./comparison-table.tsx";
import { Tick } from "./plan-card.tsx";
import { PlanThemes } from "./plan-themes.tsx";

/** Both plans line by line, read from the rules that the server goes by. */
export function PlanTable() {
  const both = [plans.free, plans.premium];
  const shown = groups.filter(({ features }) => features.length > 0);
  return (
    <ComparisonTable
      label="The plans side by side"
      columns={both.map(({ name }) => name)}
      groups={shown.map(({ title, features }) => ({
        title,
        rows: features.map(({ value, ...line }) => ({ ...line, values: both.map((plan) => value(plan)) })),
      }))}
    />
  );
}

type Feature = { name: string; hint?: string; value: (plan: Plan) => ReactNode };

const analytics: Feature = {
  name: "Analytics",
  hint: "What was counted, to look at",
  value: ({ hasAnalytics }) => (!hasAnalytics ? no : built.analytics ? yes : "Later"),
};
const passes: Feature = { name: "Wallet passes", value: () => (built.passes ? yes : "Later") };
const leads: Feature = {
  name: "Contacts that visitors leave",
  hint: "With their consent",
  value: () => (built.leads ? yes : "Later"),
};

/** A tick, read out as a word. */
const yes = (
  <>
    <Tick />
    <span className="sr-only">Yes</span>
  </>
);
const no = (
  <>
    <span aria-hidden="true">–</span>
    <span className="sr-only">No</span>
  </>
);

const groups: { title: string; features: Feature[] }[] = [
  {
    title: "Yours",
    features: [
      {
        name: "Business cards",
        value: ({ maxCards }) => (Number.isFinite(maxCards) ? String(maxCards) : "Unlimited"),
      },
      { name: "Links on the profile", value: ({ maxLinks }) => String(maxLinks) },
      { name: "Themes", value: (plan) => <PlanThemes plan={plan} /> },
      {
        name: "Customization",
        hint: "Advanced: you choose the tab of each link",
        value: ({ canMoveLinks }) => (canMoveLinks ? "Advanced" : "Basic"),
      },
      { name: "'Made with Meishi' on your pages", value: ({ hasBranding }) => (hasBranding ? "Shown" : "Not shown") },
    ],
  },
  {
    title: "Handing over",
    features: [
      { name: "Link, QR code, NFC, contact file", value: () => yes },
      { name: "Print sheet, e-mail signature, call background", value: () => yes },
      { name: "Cards and codes without a network", hint: "Where you are signed in", value: () => yes },
      ...(built.passes ? [passes] : []),
    ],
  },
  {
    title: "Knowing",
    features: [
      { name: "Visits, clicks and saves counted", hint: "No cookies, no addresses kept", value: () => yes },
      ...(built.analytics ? [analytics] : []),
      ...(built.leads ? [leads] : []),
      { name: "Support", value: ({ support }) => support },
    ],
  },
  {
    title: "Not there yet",
    features: [
      ...(built.analytics ? [] : [analytics]),
      ...(built.passes ? [] : [passes]),
      ...(built.leads ? [] : [leads]),
    ],
  },
];
