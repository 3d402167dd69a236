/** What each process checks. Append new checks: stored minute codes refer to them by position. */
export const checkNames = ["database", "files", "mail", "jobs"] as const;

export type CheckName = (typeof checkNames)[number];

/** `unset`: not configured, so there is nothing to check. */
export type CheckState = "well" | "failing" | "unset";

export type CheckResults = Record<CheckName, CheckState>;

export const msPerMinute = 60_000;
export const minutesPerDay = 1_440;

/** The number of days that are shown and counted, including today. */
export const windowDays = 90;

export const minuteOf = (time: number): number => Math.floor(time / msPerMinute);
export const dayOf = (minute: number): number => Math.floor(minute / minutesPerDay);

/** A day is stored as one character for each minute: "-" without a record, else the failed checks as bits in base 32 ("0" for none). */
export const unrecordedDay: string = "-".repeat(minutesPerDay);

/** "5" when the first and the third of `checkNames` fail. */
export function encodeResults(results: CheckResults): string {
  const bits = checkNames.reduce((sum, name, position) => sum | (results[name] === "failing" ? 1 << position : 0), 0);
  return bits.toString(32);
}

/** The checks that fail in at least one of the minutes, in the order in which they began to fail. */
function failingChecks(codes: string): CheckName[] {
  const inOneMinute = (code: string) => checkNames.filter((_name, at) => Number.parseInt(code, 32) & (1 << at));
  return [...new Set([...new Set(codes)].flatMap(inOneMinute))];
}

/**
 * Combines two results of one minute: well when one process found everything well, else all failures of both. Commutative, associative and
 * idempotent, so results can arrive late, twice and in any order.
 */
export function mergeMinute(one: string, other: string): string {
  if (one === "-" || other === "0") return other;
  if (other === "-" || one === "0") return one;
  return (Number.parseInt(one, 32) | Number.parseInt(other, 32)).toString(32);
}

/** Whole minutes: `good` + `failing` + `gap` = `minutes`. */
export type MinuteCounts = { minutes: number; good: number; failing: number; gap: number };

/** A UTC day (`time / 86400000`). `minutes` is less than 1440 today and on the day of the first record, and 0 before it. */
export type DayCounts = MinuteCounts & { day: number };

/** Consecutive minutes with the same kind of problem, from `from` up to but not including `until`. */
export type Incident = { kind: "failing" | "gap"; checks: CheckName[]; from: number; until: number; isOver: boolean };

/** The codes of the 90 days, today included, and whether there are records of earlier days. */
export type UptimeHistory = { codes: string; isOlder: boolean };

export type UptimeMeasurement = { days: DayCounts[]; total: MinuteCounts; since: number; incidents: Incident[] };

/** Counts the minutes since the first record up to the last full minute. Undefined before the first recorded minute is over. */
export function measureUptime({ codes, isOlder }: UptimeHistory, now: number): UptimeMeasurement | undefined {
  const end = minuteOf(now);
  const firstDay = dayOf(end) - windowDays + 1;
  const start = firstDay * minutesPerDay;
  const past = codes.slice(0, end - start);
  const first = isOlder ? 0 : past.search(/[^-]/);
  if (first < 0) return undefined;
  const days = Array.from({ length: windowDays }, (_, n) => {
    const minutes = past.slice(Math.max(first, n * minutesPerDay), (n + 1) * minutesPerDay);
    return { day: firstDay + n, ...countMinutes(minutes) };
  });
  // An incident continues over midnight, and when another check starts to fail.
  const incidents = Array.from(past.slice(first).matchAll(/-+|[^-0]+/g), ({ 0: problem, index }): Incident => {
    const from = start + first + index;
    const until = from + problem.length;
    const kind = problem.startsWith("-") ? "gap" : "failing";
    return { kind, checks: failingChecks(problem), from, until, isOver: until < end };
  });
  return { days, total: countMinutes(past.slice(first)), since: (start + first) * msPerMinute, incidents };
}

function countMinutes(codes: string): MinuteCounts {
  const [good, gap] = [codes.split("0").length - 1, codes.split("-").length - 1];
  return { minutes: codes.length, good, failing: codes.length - good - gap, gap };
}

/** The share of good minutes in percent, truncated to two decimals: 100 only if every minute was good. */
export function uptimePercent({ good, minutes }: Pick<MinuteCounts, "good" | "minutes">): number {
  return minutes === 0 ? 0 : Math.floor((good * 10_000) / minutes) / 100;
}

/** How many days the uptime covers: the window once it is full, else the full days since the first record. */
export function countedDays({ total, days }: UptimeMeasurement): number {
  return days[0]?.minutes === minutesPerDay ? windowDays : Math.floor(total.minutes / minutesPerDay);
}
