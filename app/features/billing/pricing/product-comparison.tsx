import { formatCardLimit, formatDollars, plans } from "#app/features/billing/rules.ts";

import { ComparisonTable } from "./comparison-table.tsx";
import type { ComparisonRow } from "./comparison-table.tsx";

/**
 * Meishi compared with other kinds of product. States only what is true of a whole kind, even where that kind is better; what varies
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
      name: "When your number changes",
      values: ["Change it once. Links and printed QR codes keep working.", "Print new cards.", "Change it once."],
    },
    {
      name: "What the other person needs",
      values: ["A browser. No app, no account.", "Nothing.", "Usually a browser."],
    },
    {
      name: "Saving the contact",
      values: ["One tap: a contact file with your photo.", "By typing or taking a photo.", "Varies by service."],
    },
    {
      name: "Offline or out of battery",
      values: [
        "Your cards and QR codes work offline. Your phone still needs power.",
        "Always works.",
        "Varies by service.",
      ],
    },
    {
      name: "Where it’s stored",
      values: [
        "On the server that runs Meishi, which can be your own.",
        "With the people you gave it to.",
        "On the company’s servers.",
      ],
    },
    {
      name: "If the company shuts down",
      values: [
        "It’s open source (MIT): anyone can keep it running.",
        "You keep the card.",
        "The pages disappear with the service.",
      ],
    },
    {
      name: "Cost",
      values: [
        `${formatCardLimit(free.maxCards)} free. ${premium.name}: ${formatDollars(premium.monthlyPrice)} a month for ${formatCardLimit(premium.maxCards).toLowerCase()}.`,
        "You pay for every print run and every change.",
        "Varies. Often a subscription.",
      ],
    },
  ];
}
