import type { Plan } from "#app/features/billing/rules.ts";
import { themeChoices } from "#app/features/profile/theme-choices.ts";

/** How many themes a plan has, and their colours as the editor shows them. */
export function PlanThemes({ plan: { themes } }: { plan: Plan }) {
  const choices = themeChoices.filter(({ id }) => themes.includes(id));
  return (
    <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
      {themes.length}
      <span className="flex gap-1">
        {choices.map(({ id, swatch: [ground, accent] }) => (
          <svg key={id} className="rounded-full" width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
            <circle cx="9" cy="9" r="8.5" fill={ground} className="stroke-line-strong" />
            <path d="M2.6 14.6 15.9 4.2A8.5 8.5 0 0 1 2.6 14.6" fill={accent} />
          </svg>
        ))}
      </span>
      <span className="sr-only">: {choices.map(({ name }) => name).join(", ")}</span>
    </span>
  );
}
