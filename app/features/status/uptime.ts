import { bitsOf, dayOf, minuteOf, MINUTES_PER_DAY, MS_PER_MINUTE, namesOf } from "./rules.ts";
import type { CheckName } from "./rules.ts";

/** So many days are shown and counted, today among them. */
export const WINDOW_DAYS = 90;

/** Whole minutes: `good`, `failing` and `gap` together are `minutes`. */
export type Tally = { minutes: number; good: number; failing: number; gap: number };

/** A day of UTC (`time / 86400000`). `minutes` is short of 1440 on the day of the first record and today, 0 before. */
export type Day = Tally & { day: number };

/** Some minutes in a row in which the same kind of thing was wrong; `until` is the first minute that is not among them. */
export type Stretch = {
  kind: "failing" | "gap";
  checks: CheckName[];
  from: number;
  until: number;
  isOver: boolean;
};

/** What was recorded: the marks of each day, and the first minute that anybody ever recorded. */
export type History = { marksOf: (day: number) => string; first: number | undefined };

export type Measured = { days: Day[]; total: Tally; since: number; stretches: Stretch[] };

/**
 * Counts the minutes of the window. They begin with the first record, or with the window when that is older, and end with the last minute
 * that is over: what runs now can't be judged yet. Undefined while there is none.
 */
export function measure({ marksOf, first }: History, now: number): Measured | undefined {
  const end = minuteOf(now);
  const today = dayOf(end);
  const start = (today - WINDOW_DAYS + 1) * MINUTES_PER_DAY;
  if (first === undefined || first >= end) return undefined;
  const from = Math.max(first, start);
  const days: Day[] = [];
  const stretches: Stretch[] = [];
  for (let day = today - WINDOW_DAYS + 1; day <= today; day++) {
    const span = { from: Math.max(from, day * MINUTES_PER_DAY), until: Math.min(end, (day + 1) * MINUTES_PER_DAY) };
    days.push({ day, ...count(marksOf(day), span, stretches) });
  }
  const last = stretches.at(-1);
  if (last?.until === end) last.isOver = false;
  return { days, total: sum(days), since: from * MS_PER_MINUTE, stretches };
}

type Span = { from: number; until: number };

function count(marks: string, { from, until }: Span, stretches: Stretch[]): Tally {
  const tally = { minutes: Math.max(0, until - from), good: 0, failing: 0, gap: 0 };
  for (let minute = from; minute < until; minute++) {
    const bits = bitsOf(marks[minute % MINUTES_PER_DAY] ?? "-");
    if (bits === 0) tally.good++;
    else if (bits === undefined) tally.gap++;
    else tally.failing++;
    if (bits !== 0) note(stretches, minute, bits);
  }
  return tally;
}

/** A stretch goes on over midnight, and when another check begins to fail in it. */
function note(stretches: Stretch[], minute: number, bits: number | undefined) {
  const kind = bits === undefined ? "gap" : "failing";
  const checks = bits === undefined ? [] : namesOf(bits);
  const last = stretches.at(-1);
  if (last?.kind !== kind || last.until !== minute) {
    stretches.push({ kind, checks, from: minute, until: minute + 1, isOver: true });
    return;
  }
  last.until = minute + 1;
  for (const name of checks) if (!last.checks.includes(name)) last.checks.push(name);
}

function sum(days: readonly Day[]): Tally {
  const total = { minutes: 0, good: 0, failing: 0, gap: 0 };
  for (const { minutes, good, failing, gap } of days) {
    total.minutes += minutes;
    total.good += good;
    total.failing += failing;
    total.gap += gap;
  }
  return total;
}

/** Good minutes of all, in percent with two digits, cut off and not rounded: 100 only where not a single minute is missing. */
export function percentOf({ good, minutes }: Pick<Tally, "good" | "minutes">): number {
  return minutes === 0 ? 0 : Math.floor((good * 10_000) / minutes) / 100;
}

/** How many days the figure speaks of: the whole window once it is full, else the days that are over since the first record. */
export function daysCounted({ total, days }: Measured): number {
  return (days[0]?.minutes ?? 0) === MINUTES_PER_DAY ? WINDOW_DAYS : Math.floor(total.minutes / MINUTES_PER_DAY);
}
