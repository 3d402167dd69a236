import type { Day } from "./uptime.ts";
import { dayWords, numberWords, percentWords } from "./words.ts";
import { percentOf } from "./uptime.ts";

/** What the bars show, in words and numbers: the latest day first, the days before the first record left out. */
export function DayTable({ days }: { days: readonly Day[] }) {
  const recorded = days.filter(({ minutes }) => minutes > 0).toReversed();
  return (
    <details className="mt-6 border-y border-line">
      <summary className="group flex min-h-11 items-center font-medium">
        <span className="flex-1 underline-offset-4 group-hover:underline">Every day in numbers</span>
        <span className="text-sm font-normal text-muted">
          {recorded.length === 1 ? "1 day" : `${recorded.length} days`}
        </span>
      </summary>
      <table className="mt-2 mb-4 w-full border-collapse text-sm wrap-normal tabular-nums">
        <caption className="sr-only">Minutes of each day (UTC), the latest day first</caption>
        <thead>
          <tr className="text-muted">
            <th scope="col" className={`${cell} ps-0 text-start font-medium`}>
              Day
            </th>
            {["Well", "Failing", "Not recorded"].map((name) => (
              <th key={name} scope="col" className={`${cell} text-end font-medium`}>
                {name}
              </th>
            ))}
            <th scope="col" className={`${cell} pe-0 text-end font-medium`}>
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {recorded.map((day) => (
            <tr key={day.day} className="border-t border-line">
              <th scope="row" className={`${cell} ps-0 text-start font-normal whitespace-nowrap`}>
                <span className="max-sm:hidden">{dayWords(day.day).slice(0, 4)}</span>
                {dayWords(day.day).slice(4)}
              </th>
              {[day.good, day.failing, day.gap].map((minutes, place) => (
                <td key={kinds[place]} className={`${cell} text-end ${minutes === 0 ? "text-muted" : ""}`}>
                  {numberWords(minutes)}
                </td>
              ))}
              <td className={`${cell} pe-0 text-end`}>{percentWords(percentOf(day))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const kinds = ["good", "failing", "gap"];
const cell = "px-1 py-2 align-bottom sm:px-3";
