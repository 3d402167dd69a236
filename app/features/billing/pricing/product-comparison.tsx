import { formatCardLimit, formatDollars, plans } from "#app/features/billing/rules.ts";

import { ComparisonTable } from "./comparison-table.tsx";
import type { ComparisonRow } from "./comparison-table.tsx";

/**
 * Meishi compared with other kinds of product. States only what is true of a whole kind, also where that kind is better; what varies
 * between the services of a kind is said to vary.
 */
export function ProductComparison() {
  return (
    <ComparisonTable
      label="Meishi, paper cards and hosted services side by side"
      columns={["Meishi", "Paper cards", "Hosted services"]}
      groups={[{ rows: comparisonRows() }]}
    />
  );
}

function comparisonRows(): ComparisonRow[] {
  const { free, premium } = plans;
  return [
    {
      name: "A number changes",
      values: ["Change it once. The link and the printed code stay.", "Print again.", "Change it once."],
    },
    {
      name: "What the other person needs",
      values: ["A browser. No app, no account, no script.", "A pocket.", "A browser, as a rule."],
    },
    {
      name: "Into their contacts",
      values: [
        "One tap: a contact file with your photo.",
        "Typed in, or photographed.",
        "Differs from service to service.",
      ],
    },
    {
      name: "No network, no battery",
      values: [
        "Your cards and codes open without a network. A battery it needs.",
        "Always works.",
        "Differs from service to service.",
      ],
    },
    {
      name: "Where it is kept",
      values: [
        "On the server that runs Meishi. It may be your own.",
        "With whoever has it.",
        "On the company's servers.",
      ],
    },
    {
      name: "If the maker stops",
      values: [
        "The program is open source (MIT) and runs on without its maker.",
        "The card stays.",
        "The pages go with the service.",
      ],
    },
    {
      name: "What it costs",
      values: [
        `${formatCardLimit(free.maxCards)} free. ${premium.name}: ${formatDollars(premium.monthlyPrice)} a month for ${formatCardLimit(premium.maxCards).toLowerCase()}.`,
        "Each print run, and each change.",
        "Differs; often a subscription.",
      ],
    },
  ];
}
