import type { ReactNode } from "react";

import { formatNumber } from "#app/services/base/format.ts";
import { Panel } from "#app/ui/components/panel.tsx";

import type { ReportView } from "#app/features/analytics/report/view-report.server.ts";

/** Visits by weekday and hour in the owner's time zone: a table whose cells are darker the more visits there were. `aside`: the time zone. */
export function HoursTable({ hours, aside }: { hours: NonNullable<ReportView["hours"]>; aside: ReactNode }) {
  return (
    <Panel title="When people visit" aside={aside} className="min-w-0 print:break-inside-avoid">
      <p className="mb-3 text-sm text-muted">
        {hours.busiest ? `Most visits: ${hours.busiest}.` : "No visit with a known hour in this period."}
      </p>
      <table className="w-full table-fixed border-separate border-spacing-[2px] text-xs">
        <thead className="text-muted">
          <tr>
            <td className="w-8 sm:w-12" />
            {Array.from({ length: 24 }, (_, hour) => (
              <th key={hour} scope="col" className="text-start font-normal whitespace-nowrap tabular-nums">
                {hour % 6 === 0 ? `${hour}:00` : <span className="sr-only">{`${hour}:00`}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours.rows.map(({ weekday, cells }) => (
            <tr key={weekday}>
              <th scope="row" className="text-start font-normal text-muted">
                <span aria-hidden="true">{weekday.slice(0, 3)}</span>
                <span className="sr-only">{weekday}</span>
              </th>
              {cells.map(({ n, level }, hour) => (
                <td
                  key={`${weekday} ${hour}`}
                  title={`${weekday}, ${hour}:00: ${formatNumber(n)}`}
                  className={`h-6 rounded-[3px] print:[print-color-adjust:exact] ${levelClasses[level] ?? ""}`}
                >
                  <span className="sr-only">{n}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

const levelClasses = ["bg-text/5", "bg-text/20", "bg-text/40", "bg-text/65", "bg-text/90"];
