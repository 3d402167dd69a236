import { Link } from "react-router";

import { formatNumber } from "#app/services/base/format.ts";
import { Panel } from "#app/ui/components/panel.tsx";

import { formatRate } from "./totals-list.tsx";
import type { ReportView } from "#app/features/analytics/report/view-report.server.ts";

type List = ReportView["lists"][number];

/**
 * A list of cards, links, sources …, each with a bar for its part of the whole. With `show`, the measure of the chart, those that a report
 * can be filtered by are links.
 */
export function CountsTable({ list, show }: { list: List; show?: string }) {
  return (
    <Panel title={list.title} className="min-w-0 print:break-inside-avoid">
      {list.rows.length === 0 ? (
        <p className="text-sm text-muted">{list.empty}</p>
      ) : (
        <>
          <Rows list={list} rows={list.rows} show={show} />
          {list.more.length > 0 && (
            <details className="mt-2 print:mt-0 print:[&::details-content]:[content-visibility:visible]">
              <summary className="inline-flex min-h-11 cursor-pointer items-center text-sm text-muted hover:text-text print:hidden">
                {list.more.length} more
              </summary>
              <Rows list={list} rows={list.more} show={show} />
            </details>
          )}
        </>
      )}
    </Panel>
  );
}

type RowsProps = { list: List; rows: List["rows"]; show: string | undefined };

function Rows({ list, rows, show }: RowsProps) {
  return (
    <table className="w-full table-fixed border-separate border-spacing-y-1 text-sm">
      <thead className="text-xs text-muted">
        <tr>
          <th scope="col" className="pb-1 text-start font-medium">
            {list.column}
          </th>
          {list.rateLabel && (
            <th scope="col" className="w-16 pb-1 text-end font-medium">
              {list.rateLabel}
            </th>
          )}
          <th scope="col" className="w-18 pb-1 text-end font-medium">
            {list.measure}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.value}>
            <th scope="row" className="relative h-9 rounded-sm max-sm:h-11 px-2.5 text-start font-normal">
              <svg aria-hidden="true" className="absolute inset-0 size-full">
                <rect width={`${Math.max(0.5, row.share * 100)}%`} height="100%" rx="6" className="fill-text/9" />
              </svg>
              <span
                className="relative block truncate leading-9 max-sm:leading-11 print:py-2 print:leading-5 print:wrap-anywhere print:whitespace-normal"
                dir="auto"
                title={row.label}
              >
                {show !== undefined && row.filterQuery !== undefined ? (
                  <Link
                    to={`?${row.filterQuery}&show=${show}`}
                    preventScrollReset
                    className="block truncate no-underline hover:underline print:whitespace-normal"
                  >
                    <span className="sr-only">Only </span>
                    {row.label}
                  </Link>
                ) : (
                  row.label
                )}
              </span>
            </th>
            {list.rateLabel && (
              <td className="text-end text-muted tabular-nums">
                {row.rate === undefined ? "–" : formatRate(row.rate)}
              </td>
            )}
            <td className="text-end font-semibold tabular-nums">{formatNumber(row.n)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
