import { formatAmount } from "#app/features/billing/invoices/invoice-rules.ts";
import type { Sales } from "#app/features/billing/operator/sales-data.server.ts";
import { formatNumber } from "#app/services/base/format.ts";

/** A figure of the operator's page, and what it means. */
export type SalesRow = { name: string; value: string; hint?: string };

export function salesRows({ churn, monthlyRevenue, ending, ...counts }: Sales): SalesRow[] {
  const revenue = monthlyRevenue.map(({ currency, amount }) => formatAmount(amount, currency));
  return [
    {
      name: "Active",
      value: formatNumber(counts.active),
      ...(ending > 0 && {
        hint: `${formatNumber(ending)} canceled: ${ending === 1 ? "it ends" : "they end"} with the period.`,
      }),
    },
    { name: "Trialing", value: formatNumber(counts.trialing) },
    { name: "Past due", value: formatNumber(counts.pastDue), hint: "A payment failed. Premium continues for 7 days." },
    { name: "Past due for longer", value: formatNumber(counts.lapsed), hint: "Premium is paused until they pay." },
    { name: "Granted", value: formatNumber(counts.granted), hint: "Given by operators, not paid." },
    {
      name: "Monthly recurring revenue",
      value: revenue.length > 0 ? revenue.join("\n") : formatAmount(0, "usd"),
      hint: "Active and past due (7 days); a yearly price counts a twelfth. Before discounts and taxes.",
    },
    {
      name: "Churn, last 30 days",
      value: churn.before === 0 ? "–" : `${((100 * churn.ended) / churn.before).toFixed(1)}%`,
      hint:
        churn.before === 0
          ? "There were no subscriptions 30 days ago."
          : `Of ${formatNumber(churn.before)} that ran 30 days ago, ${formatNumber(churn.ended)} ended since.`,
    },
  ];
}
