import { DayBars, Legend } from "./day-bars.tsx";
import { DayTable } from "./day-table.tsx";
import type { Report } from "./report.ts";
import type { Day } from "./uptime.ts";
import { clockWords, dateWords, minuteWords, numberWords, percentWords } from "./words.ts";

type Uptime = NonNullable<Report["uptime"]>;

/** The figure, what it is a share of, and the days that it is made of. */
export function UptimeSection({ uptime, days }: { uptime: Uptime; days: readonly Day[] }) {
  return (
    <section className="mt-12" aria-labelledby="uptime">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-2">
        <h2 id="uptime" className="heading text-lg">
          The last 90 days
        </h2>
        <p className="heading text-[clamp(2.5rem,8vw,3.5rem)] leading-none tracking-[-0.02em] tabular-nums">
          {percentWords(uptime.percent)} <span className="sr-only">of the recorded time was well</span>
        </p>
      </div>
      <DayBars days={days} />
      <Legend />
      <p className="mt-4 max-w-[44rem] text-sm text-muted">{denominator(uptime)}</p>
      <DayTable days={days} />
    </section>
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
