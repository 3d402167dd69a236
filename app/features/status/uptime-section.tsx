import {
  formatDate,
  formatMinutes,
  formatNumber,
  formatPercent,
  formatShortDate,
  formatTime,
} from "#app/services/base/format.ts";

import { describeDay, describeProblems, formatDay } from "./messages.ts";
import type { Report } from "./report.server.ts";
import { minuteOf, minutesPerDay, uptimePercent } from "./rules.ts";
import type { DayCounts, MinuteCounts } from "./rules.ts";

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
        <UptimePercentage uptime={uptime} />
      </div>
      <DayBars days={days} elapsed={minuteOf(now) % minutesPerDay} />
      <Legend />
      <p className="mt-4 max-w-[44rem] text-sm text-muted">{describeUptime(uptime)}</p>
      <DayTable days={days} />
    </section>
  );
}

/** Large once it covers a day; before that, with the number of minutes it covers. */
function UptimePercentage({ uptime: { percent, minutes } }: { uptime: Uptime }) {
  const isLarge = minutes >= minutesPerDay;
  return (
    <p
      className={`${isLarge ? "heading text-[clamp(2.5rem,8vw,3.5rem)] leading-none tracking-[-0.02em]" : "text-lg"} tabular-nums`}
    >
      {formatPercent(percent)} {!isLarge && `of ${formatMinutes(minutes)} `}
      <span className="sr-only">uptime</span>
    </p>
  );
}

function describeUptime(uptime: Uptime): string {
  const { minutes, good, since } = uptime;
  const start = `${formatTime(since)} UTC on ${formatDate(since)}`;
  const all = `Up for ${formatNumber(good)} of ${formatMinutes(minutes)} since ${start}.`;
  return good === minutes ? all : `${all} The rest: ${describeProblems(uptime)}. The percentage is rounded down.`;
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
      <table className={`mt-2 mb-4 w-full border-collapse text-sm wrap-normal tabular-nums ${tableClass}`}>
        <caption className="sr-only">Minutes per day (UTC), latest day first</caption>
        <thead>
          <tr className="text-muted">
            {["Day", "Up", "Failing", "Not recorded", "Uptime"].map((name) => (
              <th key={name} scope="col" className={`${cellClass} font-medium`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {recorded.map((day) => (
            <tr key={day.day} className="border-t border-line">
              <th scope="row" className={`${cellClass} font-normal whitespace-nowrap`}>
                <span className="max-sm:hidden">{formatDay(day.day).slice(0, 5)}</span>
                {formatDay(day.day).slice(5)}
              </th>
              {(["good", "failing", "gap"] as const).map((kind) => (
                <td key={kind} className={`${cellClass} ${day[kind] === 0 ? "text-muted" : ""}`}>
                  {formatNumber(day[kind])}
                </td>
              ))}
              <td className={cellClass}>{formatPercent(uptimePercent(day))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const cellClass = "px-1 py-2 align-bottom sm:px-3";
const tableClass =
  "[&_tr>*]:text-end [&_tr>:first-child]:text-start max-sm:[&_tr>:first-child]:ps-0 max-sm:[&_tr>:last-child]:pe-0";

/**
 * One bar per day, oldest first: ninety in a row, on a phone three rows of thirty. Hidden from screen readers, which get the table.
 * `elapsed`: the minutes of today so far, which make up its full bar.
 */
function DayBars({ days, elapsed }: { days: readonly DayCounts[]; elapsed: number }) {
  const [first] = days;
  return (
    <div className="group/bars relative mt-6 pb-13 md:pb-8" aria-hidden="true">
      <FillPatterns />
      <ol className="-mx-[1.5px] grid grid-cols-30 gap-y-3 md:grid-cols-90">
        {days.map((day, index) => (
          <li key={day.day} className="group px-[1.5px]">
            <DayBar day={day} elapsed={index === days.length - 1 ? elapsed : minutesPerDay} />
            <p className={`${tooltipClass} group-hover:visible`}>
              <strong className="font-semibold text-text">
                {index === days.length - 1 ? "Today" : formatDay(day.day)}
              </strong>{" "}
              {describeDay(day)}
            </p>
          </li>
        ))}
      </ol>
      <p className={`${belowClass} flex justify-between group-has-[li:hover]/bars:invisible`}>
        <span>{first && formatShortDate(first.day * 86_400_000)}</span>
        <span>Today</span>
      </p>
    </div>
  );
}

const belowClass = "absolute inset-x-0 bottom-0 h-11 text-sm text-muted md:h-6";
const tooltipClass = `pointer-events-none invisible ${belowClass} tabular-nums`;

function DayBar({ day, elapsed }: { day: DayCounts; elapsed: number }) {
  const shares = barShares(day, elapsed);
  const [good, failing] = [100 - shares.good, 100 - shares.good - shares.failing];
  const top = { good, failing, gap: failing - shares.gap };
  return (
    <svg className={`block h-12 w-full rounded-[2px] md:h-20 ${top.gap > 1 ? emptyBarClass : ""}`}>
      {barParts.map(({ name, fill }) =>
        shares[name] > 0 ? (
          <rect key={name} {...fill} width="100%" height={percent(shares[name])} y={percent(top[name])} />
        ) : null,
      )}
    </svg>
  );
}

function percent(share: number): string {
  return `${Math.round(share * 100) / 100}%`;
}

const emptyBarClass = "bg-raised outline outline-1 -outline-offset-1 outline-line";

/** From the bottom up. */
const barParts = [
  { name: "good", label: "Up", fill: { className: "fill-switch-on forced-colors:fill-[CanvasText]" } },
  { name: "failing", label: "Failing", fill: { fill: "url(#status-failing)" } },
  { name: "gap", label: "Not recorded", fill: { fill: "url(#status-gap)" } },
] as const;

/** Patterns that can be told apart without color: solid, hatched, dotted. */
function FillPatterns() {
  return (
    <svg className="absolute size-0">
      <defs>
        <pattern id="status-failing" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
          <rect className="fill-error forced-colors:fill-[CanvasText]" width="4" height="2.5" />
        </pattern>
        <pattern id="status-gap" width="3.5" height="4" patternUnits="userSpaceOnUse">
          <circle className="fill-muted forced-colors:fill-[CanvasText]" cx="1.75" cy="2" r="0.9" />
        </pattern>
      </defs>
    </svg>
  );
}

function Legend() {
  return (
    <ul className="mt-4 flex flex-wrap gap-x-6 gap-y-2 text-sm text-muted" aria-hidden="true">
      {[...barParts, { label: "No data yet", fill: undefined }].map(({ label, fill }) => (
        <li key={label} className="flex items-center gap-2">
          <svg className={`h-4 w-3 rounded-[2px] ${fill ? "" : emptyBarClass}`}>
            {fill && <rect {...fill} width="100%" height="100%" />}
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}

/** The parts of a bar from the bottom up, as a percentage of its height. The rest, if any, is the time before the first record. */
type BarShares = { good: number; failing: number; gap: number };

/** Makes every part visible: four pixels of a phone's bar, where a single minute would be a twentieth of one. */
const minVisibleShare = 8.5;

/** `elapsed`: how many minutes of that day are over. Small parts are raised to `minVisibleShare`, at the expense of the large ones. */
export function barShares({ minutes, good, failing, gap }: MinuteCounts, elapsed: number): BarShares {
  const all = Math.max(minutes, elapsed, 1);
  const raise = (part: number) => (part === 0 ? 0 : Math.max(minVisibleShare, (part / all) * 100));
  const raised = { good: raise(good), failing: raise(failing), gap: raise(gap) };
  const sum = raised.good + raised.failing + raised.gap;
  const minimum = minVisibleShare * [good, failing, gap].filter((part) => part > 0).length;
  const whole = Math.max((minutes / all) * 100, minimum);
  // The larger parts give back what the small ones gained, in proportion to their size above the minimum.
  const kept = sum > whole ? (whole - minimum) / (sum - minimum) : 1;
  const shrink = (share: number) => (share === 0 ? 0 : minVisibleShare + (share - minVisibleShare) * kept);
  return { good: shrink(raised.good), failing: shrink(raised.failing), gap: shrink(raised.gap) };
}
