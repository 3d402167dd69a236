import { DayBars, Legend } from "./day-bars.tsx";
import { DayTable } from "./day-table.tsx";
import type { Report } from "./report.ts";
import { minuteOf, MINUTES_PER_DAY } from "./rules.ts";
import type { Day } from "./uptime.ts";
import { clockWords, dateWords, minuteWords, numberWords, percentWords } from "./words.ts";

type Uptime = NonNullable<Report["uptime"]>;

type UptimeSectionProps = { uptime: Uptime; days: readonly Day[]; now: number };

/** The figure, what it is a share of, and the days that it is made of. */
export function UptimeSection({ uptime, days, now }: UptimeSectionProps) {
  return (
    <section className="mt-12" aria-labelledby="uptime">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-2">
        <h2 id="uptime" className="heading text-lg">
          The last 90 days
        </h2>
        <Figure uptime={uptime} />
      </div>
      <DayBars days={days} elapsed={minuteOf(now) % MINUTES_PER_DAY} />
      <Legend />
      <p className="mt-4 max-w-[44rem] text-sm text-muted">{denominator(uptime)}</p>
      <DayTable days={days} />
    </section>
  );
}

/** Held up high once it stands for a day at least; before that it says at once of how little it is the share. */
function Figure({ uptime: { percent, minutes } }: { uptime: Uptime }) {
  if (minutes < MINUTES_PER_DAY) {
    return (
      <p className="text-lg tabular-nums">
        {percentWords(percent)} of {minuteWords(minutes)} <span className="sr-only">was well</span>
      </p>
    );
  }
  return (
    <p className="heading text-[clamp(2.5rem,8vw,3.5rem)] leading-none tracking-[-0.02em] tabular-nums">
      {percentWords(percent)} <span className="sr-only">of the recorded time was well</span>
    </p>
  );
}

function denominator({ minutes, good, failing, gap, since }: Uptime): string {
  const start = `${clockWords(since)} UTC on ${dateWords(since)}`;
  const all = `Well in ${numberWords(good)} of all ${minuteWords(minutes)} since ${start}.`;
  if (good === minutes) return all;
  const failed = failing > 0 && `${numberWords(failing)} failing`;
  const missing = gap > 0 && `${numberWords(gap)} that nobody recorded`;
  return `${all} Against it count ${[failed, missing].filter(Boolean).join(" and ")}; the figure is cut off, not rounded.`;
}
