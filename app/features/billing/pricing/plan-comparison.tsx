import type { ReactNode } from "react";

import { TickIcon } from "#app/features/billing/plan-card.tsx";
import { planList } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";

import { ComparisonTable } from "./comparison-table.tsx";

/**
 * The plans line by line, read from the rules that the server enforces. `themes` are all themes of a profile; `hasPasses`: whether cards can
 * be added to wallets here.
 */
export function PlanComparison({ themes, hasPasses }: PlanComparisonProps) {
  const groups = featureGroups(themes, hasPasses);
  return (
    <ComparisonTable
      label="Plans side by side"
      columns={planList.map(({ name }) => name)}
      groups={groups.map(({ title, features }) => ({
        title,
        rows: features.map(({ value, ...row }) => ({ ...row, values: planList.map((plan) => value(plan)) })),
      }))}
    />
  );
}

/** `swatch`: the theme's background and accent colors. */
type ThemeSwatch = { id: string; name: string; swatch: readonly [background: string, accent: string] };

type PlanComparisonProps = { themes: readonly ThemeSwatch[]; hasPasses: boolean };

type PlanFeature = { name: string; hint?: string; value: (plan: Plan) => ReactNode };

const passes: PlanFeature = { name: "Wallet passes", value: () => yes };

/** A check mark, with its meaning for screen readers. */
const yes = (
  <>
    <TickIcon />
    <span className="sr-only">Yes</span>
  </>
);
const no = (
  <>
    <span aria-hidden="true">–</span>
    <span className="sr-only">No</span>
  </>
);

const featureGroups = (
  themes: readonly ThemeSwatch[],
  hasPasses: boolean,
): { title: string; features: PlanFeature[] }[] => [
  {
    title: "What you get",
    features: [
      {
        name: "Business cards",
        value: ({ maxCards }) => (Number.isFinite(maxCards) ? String(maxCards) : "Unlimited"),
      },
      { name: "Links on your profile", value: ({ maxLinks }) => String(maxLinks) },
      { name: "Themes", value: (plan) => <PlanThemes plan={plan} themes={themes} /> },
      {
        name: "Card colors",
        value: ({ accents, hasOwnAccents }) =>
          hasOwnAccents ? `${accents.length}, or any color` : String(accents.length),
      },
      {
        name: "Customization",
        hint: "Advanced: you choose the tab for each link",
        value: ({ canMoveLinks }) => (canMoveLinks ? "Advanced" : "Basic"),
      },
      { name: "“Made with Meishi” on your pages", value: ({ hasBranding }) => (hasBranding ? "Shown" : "Not shown") },
    ],
  },
  {
    title: "Sharing",
    features: [
      { name: "Link, QR code, NFC, contact file", value: () => yes },
      { name: "Print sheet, email signature, video call background", value: () => yes },
      { name: "Cards and QR codes offline", hint: "On devices where you’re signed in", value: () => yes },
      ...(hasPasses ? [passes] : []),
    ],
  },
  {
    title: "Insights and support",
    features: [
      { name: "Visits, clicks and saves counted", hint: "No cookies, no IP addresses stored", value: () => yes },
      {
        name: "Analytics",
        hint: "Charts of visits and clicks",
        value: ({ hasAnalytics }) => (hasAnalytics ? yes : no),
      },
      { name: "Lead capture", hint: "With visitors' consent", value: () => yes },
      { name: "Support", value: ({ support }) => support },
    ],
  },
];

/** How many themes a plan has, and their colors as the editor shows them. */
function PlanThemes({ plan, themes }: { plan: Plan; themes: readonly ThemeSwatch[] }) {
  const choices = themes.filter(({ id }) => plan.themes.includes(id));
  return (
    <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
      {plan.themes.length}
      <span className="flex gap-1">
        {choices.map(({ id, swatch: [background, accent] }) => (
          <svg key={id} className="rounded-full" width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
            <circle cx="9" cy="9" r="8.5" fill={background} className="stroke-line-strong" />
            <path d="M2.6 14.6 15.9 4.2A8.5 8.5 0 0 1 2.6 14.6" fill={accent} />
          </svg>
        ))}
      </span>
      <span className="sr-only">: {choices.map(({ name }) => name).join(", ")}</span>
    </span>
  );
}
