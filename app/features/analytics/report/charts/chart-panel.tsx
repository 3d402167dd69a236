import type { ReactNode } from "react";

import { measureLabels } from "#app/features/analytics/report/report-messages.ts";
import type { ReportView } from "#app/features/analytics/report/view-report.server.ts";
import { formatNumber } from "#app/services/base/format.ts";
import { Panel } from "#app/ui/components/panel.tsx";

import { CountsChart } from "./counts-chart.tsx";

type ChartPanelProps = {
  view: ReportView;
  /** Replaces the legend. */
  aside?: ReactNode;
  /** Below the chart, and beside the button that shows its table. */
  notes?: ReactNode;
  newNote?: ReactNode;
};

/** The chart of a report, with its numbers in a table. */
export function ChartPanel({ view, aside, notes, newNote }: ChartPanelProps) {
  const { label } = measureLabels[view.measure];
  return (
    <Panel title={label} aside={aside ?? (view.periodBefore && <Legend />)} className="min-w-0">
      <CountsChart chart={view.chart} label={label} period={view.period} />
      {notes}
      <div className="mt-2 -mb-2 flex flex-wrap gap-x-6">
        <details className="open:basis-full print:basis-full print:[&::details-content]:[content-visibility:visible]">
          <summary className="inline-flex min-h-11 cursor-pointer items-center text-sm text-muted hover:text-text print:hidden">
            Show as a table
          </summary>
          <StepsTable view={view} />
        </details>
        {newNote}
      </div>
    </Panel>
  );
}

function Legend() {
  return (
    <span className="flex items-center gap-2">
      <svg width="22" height="8" aria-hidden="true">
        <line
          x1="0"
          x2="22"
          y1="4"
          y2="4"
          strokeWidth="2"
          strokeDasharray="2 5"
          strokeLinecap="round"
          className="stroke-muted"
        />
      </svg>
      Period before
    </span>
  );
}

function StepsTable({ view }: { view: ReportView }) {
  const shown = view.tiles.map(({ measure }) => measure);
  const hasBefore = view.steps.some(({ before }) => before !== undefined);
  return (
    <table className="w-full table-fixed text-xs wrap-anywhere tabular-nums sm:text-sm">
      <thead className="text-muted">
        <tr>
          <th scope="col" className="w-1/3 py-1.5 text-start font-medium sm:w-1/4">
            Date
          </th>
          {shown.map((measure) => (
            <th key={measure} scope="col" className="py-1.5 ps-2 text-end align-bottom font-medium">
              {measureLabels[measure].label}
            </th>
          ))}
          {hasBefore && (
            <th scope="col" className={`${beforeClass} align-bottom font-medium`}>
              {measureLabels[view.measure].label} before
            </th>
          )}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {view.steps.toReversed().map(({ label, counts, before, notes }) => (
          <tr key={label}>
            <th scope="row" className="py-1.5 text-start font-normal">
              {label}
              {notes.map((note) => (
                <span key={note} dir="auto" className="block text-muted">
                  {note}
                </span>
              ))}
            </th>
            {shown.map((measure) => (
              <td key={measure} className="py-1.5 ps-2 text-end">
                {formatNumber(counts[measure])}
              </td>
            ))}
            {hasBefore && (
              <td className={`${beforeClass} text-muted`}>{before === undefined ? "–" : formatNumber(before)}</td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A phone has no space for one more column. */
const beforeClass = "py-1.5 ps-2 text-end max-sm:hidden print:table-cell";
