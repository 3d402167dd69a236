import { formatShortDate } from "#app/services/base/format.ts";

import { describeDay, formatDay } from "./messages.ts";
import { minutesPerDay } from "./rules.ts";
import type { DayCounts, MinuteCounts } from "./uptime.ts";

/**
 * One bar per day, oldest first: ninety in a row, on a phone three rows of thirty. Hidden from screen readers, which get the table.
 * `elapsed`: the minutes of today so far, which make up its full bar.
 */
export function DayBars({ days, elapsed }: { days: readonly DayCounts[]; elapsed: number }) {
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
  const { good, failing, gap } = barShares(day, elapsed);
  const isPartly = good + failing + gap < 99;
  return (
    <svg className={`block h-12 w-full rounded-[2px] md:h-20 ${isPartly ? emptyBarClass : ""}`}>
      {good > 0 && <rect className={goodFillClass} width="100%" height={percent(good)} y={percent(100 - good)} />}
      {failing > 0 && (
        <rect fill="url(#status-failing)" width="100%" height={percent(failing)} y={percent(100 - good - failing)} />
      )}
      {gap > 0 && (
        <rect fill="url(#status-gap)" width="100%" height={percent(gap)} y={percent(100 - good - failing - gap)} />
      )}
    </svg>
  );
}

function percent(share: number): string {
  return `${Math.round(share * 100) / 100}%`;
}

const emptyBarClass = "bg-raised outline outline-1 -outline-offset-1 outline-line";
const goodFillClass = "fill-switch-on forced-colors:fill-[CanvasText]";

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

export function Legend() {
  return (
    <ul className="mt-4 flex flex-wrap gap-x-6 gap-y-2 text-sm text-muted" aria-hidden="true">
      {legendItems.map(({ label, fill, className }) => (
        <li key={label} className="flex items-center gap-2">
          <svg className={`h-4 w-3 rounded-[2px] ${fill || className ? "" : emptyBarClass}`}>
            {(fill ?? className) && <rect className={className} fill={fill} width="100%" height="100%" />}
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}

type LegendItem = { label: string; fill?: string; className?: string };

const legendItems: LegendItem[] = [
  { label: "Up", className: goodFillClass },
  { label: "Failing", fill: "url(#status-failing)" },
  { label: "Not recorded", fill: "url(#status-gap)" },
  { label: "No data yet" },
];

/** The parts of a bar from the bottom up, as a percentage of its height. The rest, if any, is the time before the first record. */
export type BarShares = { good: number; failing: number; gap: number };

/** Makes every part visible: four pixels of a phone's bar, where a single minute would be a twentieth of one. */
const minVisibleShare = 8.5;

/** `elapsed`: how many minutes of that day are over. Small parts are raised to `minVisibleShare`, at the expense of the large ones. */
export function barShares({ minutes, good, failing, gap }: MinuteCounts, elapsed: number): BarShares {
  const all = Math.max(minutes, elapsed, 1);
  const raised = [good, failing, gap].map((part) => (part === 0 ? 0 : Math.max(minVisibleShare, (part / all) * 100)));
  const whole = Math.max((minutes / all) * 100, minVisibleShare * raised.filter((share) => share > 0).length);
  // The larger parts give back what the small ones gained, in proportion to their size above the minimum.
  const excess = sumShares(raised) - whole;
  const above = sumShares(raised.map((share) => Math.max(0, share - minVisibleShare)));
  const [goodShare = 0, failingShare = 0, gapShare = 0] = raised.map((share) =>
    excess > 0 && share > minVisibleShare ? share - (share - minVisibleShare) * (excess / above) : share,
  );
  return { good: goodShare, failing: failingShare, gap: gapShare };
}

function sumShares(shares: number[]): number {
  return shares.reduce((total, share) => total + share, 0);
}
