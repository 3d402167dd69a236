import { Time } from "#app/features/admin/admin-table.tsx";
import { formatAmount } from "#app/features/billing/invoices/invoice-rules.ts";
import { findComparison, loadSales } from "#app/features/billing/operator/sales-data.server.ts";
import type { Sales } from "#app/features/billing/operator/sales-data.server.ts";
import { formatNumber } from "#app/services/base/format.ts";
import type { PremiumAccess } from "#app/services/config/setting-values.ts";
import { services } from "#app/services/http/context.ts";
import { Notice } from "#app/ui/components/notice.tsx";
import { EmptyState, Panel } from "#app/ui/components/panel.tsx";

import type { Route } from "./+types/billing-page.ts";

/** A comparison runs at least this often. */
const lateMs = 2 * 24 * 60 * 60 * 1000;

export async function loader({ context }: Route.LoaderArgs) {
  const { db, clock, config } = services(context);
  const now = clock();
  const [sales, comparison] = [await loadSales(db, now), await findComparison(db, now)];
  return {
    premium: config.premium,
    rows: salesRows(sales),
    comparison: { ...comparison, isLate: comparison.last !== undefined && comparison.last.at < now - lateMs },
  };
}

export function meta() {
  return [{ title: "Billing | Meishi" }];
}

export default function BillingPage({ loaderData: { premium, rows, comparison } }: Route.ComponentProps) {
  return (
    <>
      <header className="grid gap-1.5">
        <h1 className="heading text-xl">Billing</h1>
        <p className="text-muted">What is sold, as stored here. Stripe’s dashboard has the payments.</p>
      </header>
      {premium === "everyone" ? (
        <EmptyState title="Nothing is sold" text="Everyone has Premium here, because PLAN_FOR_EVERYONE is premium." />
      ) : (
        <>
          <NotSoldNotice premium={premium} />
          <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <Panel title="Subscriptions">
              <SalesTable rows={rows} />
            </Panel>
            <Panel title="Comparison with Stripe">
              <ComparisonStatus {...comparison} isSold={premium === "sold"} />
            </Panel>
          </div>
        </>
      )}
    </>
  );
}

function NotSoldNotice({ premium }: { premium: PremiumAccess }) {
  if (premium === "sold") return null;
  return (
    <Notice title="Premium isn’t sold">
      Stripe isn’t set up. <code className="wrap-anywhere">npm run billing -- setup</code> creates what it needs;
      docs/billing.md explains it.
    </Notice>
  );
}

/** The explanation of a row is below its name, so that the table fits on a phone. */
function SalesTable({ rows }: { rows: readonly SalesRow[] }) {
  return (
    <table className="-my-3 w-full">
      <thead className="sr-only">
        <tr>
          <th scope="col">Figure</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, value, hint }) => (
          <tr key={name} className="border-b border-line last:border-0">
            <th scope="row" className="py-3 pe-4 text-start align-baseline font-normal">
              {name}
              {hint && <span className="block text-sm text-muted">{hint}</span>}
            </th>
            <td className="py-3 text-end align-baseline text-lg whitespace-pre font-semibold tabular-nums">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type ComparisonProps = Awaited<ReturnType<typeof loader>>["comparison"] & { isSold: boolean };

function ComparisonStatus({ last, failure, isLate, isSold }: ComparisonProps) {
  return (
    <div className="grid gap-4">
      {failure && (
        <Notice tone="error" title="The latest comparison failed">
          <span className="wrap-anywhere">{failure.reason}</span>{" "}
          {failure.isGivenUp ? "The next one starts within a day." : "It will be tried again."}
        </Notice>
      )}
      {isLate && isSold && !failure && (
        <Notice tone="warning" title="It hasn’t run for two days">
          It starts every night while Meishi is running. Check the log.
        </Notice>
      )}
      {last ? (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2.5 [&>dd]:font-medium [&>dt]:text-muted">
          <dt>Last run</dt>
          <dd>
            <Time at={last.at} />
          </dd>
          <dt>Compared</dt>
          <dd>
            {formatNumber(last.compared)} {last.compared === 1 ? "subscription" : "subscriptions"}
          </dd>
          <dt>Read again</dt>
          <dd>
            {last.fixed === 0
              ? "Nothing"
              : `${formatNumber(last.fixed)} ${last.fixed === 1 ? "customer" : "customers"}`}
          </dd>
        </dl>
      ) : (
        <p>It has never run.</p>
      )}
      <p className="text-sm text-muted">
        Every night, all subscriptions are compared with Stripe, in case an event was lost.
        {!isSold && " It’s off while Stripe isn’t set up."}
      </p>
    </div>
  );
}

/** A metric of the operator's page, and what it means. */
type SalesRow = { name: string; value: string; hint?: string };

function salesRows({ churn, monthlyRevenue, ending, ...counts }: Sales): SalesRow[] {
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
    { name: "Past due", value: formatNumber(counts.pastDue), hint: "A payment failed. The plan continues for 7 days." },
    { name: "Past due for longer", value: formatNumber(counts.lapsed), hint: "The plan is paused until they pay." },
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
