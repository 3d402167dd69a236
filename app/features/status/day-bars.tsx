import { sharesOf } from "./bar-shares.ts";
import { MINUTES_PER_DAY } from "./rules.ts";
import type { Day } from "./uptime.ts";
import { dayOutcome, dayWords, shortDate } from "./words.ts";

/**
 * A bar a day, the oldest first: ninety in a row, on a phone three rows of thirty. What they show is said beside them, and day by day in
 * the table. `elapsed`: the minutes of today that are over, which are the whole of its bar.
 */
export function DayBars({ days, elapsed }: { days: readonly Day[]; elapsed: number }) {
  const [first] = days;
  return (
    <div className="group/bars relative mt-6 pb-13 md:pb-8" aria-hidden="true">
      <Patterns />
      <ol className="-mx-[1.5px] grid grid-cols-30 gap-y-3 md:grid-cols-90">
        {days.map((day, index) => (
          <li key={day.day} className="group px-[1.5px]">
            <Bar day={day} elapsed={index === days.length - 1 ? elapsed : MINUTES_PER_DAY} />
            <p className={`${tip} group-hover:visible`}>
              <strong className="font-semibold text-text">
                {index === days.length - 1 ? "Today" : dayWords(day.day)}
              </strong>{" "}
              {dayOutcome(day)}
            </p>
          </li>
        ))}
      </ol>
      <p className={`${below} flex justify-between group-has-[li:hover]/bars:invisible`}>
        <span>{first && shortDate(first.day * 86_400_000)}</span>
        <span>Today</span>
      </p>
    </div>
  );
}

const below = "absolute inset-x-0 bottom-0 h-11 text-sm text-muted md:h-6";
const tip = `pointer-events-none invisible ${below} tabular-nums`;

function Bar({ day, elapsed }: { day: Day; elapsed: number }) {
  const { good, failing, gap } = sharesOf(day, elapsed);
  const isPartly = good + failing + gap < 99;
  return (
    <svg className={`block h-12 w-full rounded-[2px] md:h-20 ${isPartly ? empty : ""}`}>
      {good > 0 && <rect className={goodFill} width="100%" height={`${good}%`} y={`${rest(good)}%`} />}
      {failing > 0 && (
        <rect fill="url(#status-failing)" width="100%" height={`${failing}%`} y={`${rest(good + failing)}%`} />
      )}
      {gap > 0 && <rect fill="url(#status-gap)" width="100%" height={`${gap}%`} y={`${rest(good + failing + gap)}%`} />}
    </svg>
  );
}

function rest(taken: number): number {
  return Math.round((100 - taken) * 100) / 100;
}

const empty = "bg-raised outline outline-1 -outline-offset-1 outline-line";
const goodFill = "fill-switch-on forced-colors:fill-[CanvasText]";

/** Told apart without colour: whole, hatched, dotted. */
function Patterns() {
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
      {signs.map(({ words, fill, look }) => (
        <li key={words} className="flex items-center gap-2">
          <svg className={`h-4 w-3 rounded-[2px] ${fill || look ? "" : empty}`}>
            {(fill ?? look) && <rect className={look} fill={fill} width="100%" height="100%" />}
          </svg>
          {words}
        </li>
      ))}
    </ul>
  );
}

type Sign = { words: string; fill?: string; look?: string };

const signs: Sign[] = [
  { words: "Well", look: goodFill },
  { words: "Failing", fill: "url(#status-failing)" },
  { words: "Nobody recorded anything", fill: "url(#status-gap)" },
  { words: "Before the first record" },
];
