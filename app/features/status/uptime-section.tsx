import { formatDate, formatMinutes, formatNumber, formatPercent, formatTime } from "#app/services/base/format.ts";

import { DayBars, Legend } from "./day-bars.tsx";
import { formatDay } from "./messages.ts";
import type { Report } from "./report.server.ts";
import { minuteOf, minutesPerDay } from "./rules.ts";
import { uptimePercent } from "./uptime.ts";
import type { DayCounts } from "./uptime.ts";

type Uptime = NonNullable<Report["uptime"]>;

type UptimeSectionProps = { uptime: Uptime; days: readonly DayCounts[]; now: number };

/** The uptime, how it was counted, and its days. */
export function UptimeSection({ uptime, days, now }: UptimeSectionProps) {
  return (
    <section className="mt-12" aria-labelledby="uptime">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-2">
        <h2 id="uptime" className="heading text-lg">
          The last 90 days
        </h2>
        <UptimeFigure uptime={uptime} />
      </div>
      <DayBars days={days} elapsed={minuteOf(now) % minutesPerDay} />
      <Legend />
      <p className="mt-4 max-w-[44rem] text-sm text-muted">{describeUptime(uptime)}</p>
      <DayTable days={days} />
    </section>
  );
}

/** Large once it covers a day; before that, with the number of minutes it covers. */
function UptimeFigure({ uptime: { percent, minutes } }: { uptime: Uptime }) {
  if (minutes < minutesPerDay) {
    return (
      <p className="text-lg tabular-nums">
        {formatPercent(percent)} of {formatMinutes(minutes)} <span className="sr-only">uptime</span>
      </p>
    );
  }
  return (
    <p className="heading text-[clamp(2.5rem,8vw,3.5rem)] leading-none tracking-[-0.02em] tabular-nums">
      {formatPercent(percent)} <span className="sr-only">uptime</span>
    </p>
  );
}

function describeUptime({ minutes, good, failing, gap, since }: Uptime): string {
  const start = `${formatTime(since)} UTC on ${formatDate(since)}`;
  const all = `Up for ${formatNumber(good)} of ${formatMinutes(minutes)} since ${start}.`;
  if (good === minutes) return all;
  const failed = failing > 0 && `${formatNumber(failing)} failing`;
  const missing = gap > 0 && `${formatNumber(gap)} not recorded`;
  return `${all} The rest: ${[failed, missing].filter(Boolean).join(", ")}. The percentage is rounded down.`;
}

/** The days in numbers, latest first, without the days before the first record. */
function DayTable({ days }: { days: readonly DayCounts[] }) {
  const recorded = days.filter(({ minutes }) => minutes > 0).toReversed();
  return (
    <details className="mt-6 border-y border-line">
      <summary className="group flex min-h-11 items-center font-medium">
        <span className="flex-1 underline-offset-4 group-hover:underline">Day by day</span>
        <span className="text-sm font-normal text-muted">
          {recorded.length === 1 ? "1 day" : `${recorded.length} days`}
        </span>
      </summary>
      <table className="mt-2 mb-4 w-full border-collapse text-sm wrap-normal tabular-nums">
        <caption className="sr-only">Minutes per day (UTC), latest day first</caption>
        <thead>
          <tr className="text-muted">
            <th scope="col" className={`${cellClass} ps-0 text-start font-medium`}>
              Day
            </th>
            {["Up", "Failing", "Not recorded"].map((name) => (
              <th key={name} scope="col" className={`${cellClass} text-end font-medium`}>
                {name}
              </th>
            ))}
            <th scope="col" className={`${cellClass} pe-0 text-end font-medium`}>
              Uptime
            </th>
          </tr>
        </thead>
        <tbody>
          {recorded.map((day) => (
            <tr key={day.day} className="border-t border-line">
              <th scope="row" className={`${cellClass} ps-0 text-start font-normal whitespace-nowrap`}>
                <span className="max-sm:hidden">{formatDay(day.day).slice(0, 5)}</span>
                {formatDay(day.day).slice(5)}
              </th>
              {[day.good, day.failing, day.gap].map((minutes, column) => (
                <td key={columnKeys[column]} className={`${cellClass} text-end ${minutes === 0 ? "text-muted" : ""}`}>
                  {formatNumber(minutes)}
                </td>
              ))}
              <td className={`${cellClass} pe-0 text-end`}>{formatPercent(uptimePercent(day))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const columnKeys = ["good", "failing", "gap"];
const cellClass = "px-1 py-2 align-bottom sm:px-3";
