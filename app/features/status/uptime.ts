import { decodeMinute, dayOf, minuteOf, minutesPerDay, msPerMinute, failingChecks } from "./rules.ts";
import type { CheckName } from "./rules.ts";

/** The number of days that are shown and counted, including today. */
export const windowDays = 90;

/** Whole minutes: `good` + `failing` + `gap` = `minutes`. */
export type MinuteCounts = { minutes: number; good: number; failing: number; gap: number };

/** A UTC day (`time / 86400000`). `minutes` is less than 1440 today and on the day of the first record, and 0 before it. */
export type DayCounts = MinuteCounts & { day: number };

/** Consecutive minutes with the same kind of problem, from `from` up to but not including `until`. */
export type Incident = {
  kind: "failing" | "gap";
  checks: CheckName[];
  from: number;
  until: number;
  isOver: boolean;
};

/** The recorded codes of each day, and the first minute that was ever recorded. */
export type UptimeHistory = { codesOf: (day: number) => string; first: number | undefined };

export type UptimeMeasurement = { days: DayCounts[]; total: MinuteCounts; since: number; incidents: Incident[] };

/**
 * Counts the minutes since the first record, at most those of the window, up to the last full minute. Undefined before the first recorded
 * minute is over.
 */
export function measureUptime({ codesOf, first }: UptimeHistory, now: number): UptimeMeasurement | undefined {
  const end = minuteOf(now);
  const today = dayOf(end);
  const start = (today - windowDays + 1) * minutesPerDay;
  if (first === undefined || first >= end) return undefined;
  const from = Math.max(first, start);
  const days: DayCounts[] = [];
  const incidents: Incident[] = [];
  for (let day = today - windowDays + 1; day <= today; day++) {
    const span = { from: Math.max(from, day * minutesPerDay), until: Math.min(end, (day + 1) * minutesPerDay) };
    days.push({ day, ...countMinutes(codesOf(day), span, incidents) });
  }
  const last = incidents.at(-1);
  if (last?.until === end) last.isOver = false;
  return { days, total: sumCounts(days), since: from * msPerMinute, incidents };
}

type MinuteSpan = { from: number; until: number };

function countMinutes(codes: string, { from, until }: MinuteSpan, incidents: Incident[]): MinuteCounts {
  const counts = { minutes: Math.max(0, until - from), good: 0, failing: 0, gap: 0 };
  for (let minute = from; minute < until; minute++) {
    const bits = decodeMinute(codes[minute % minutesPerDay] ?? "-");
    if (bits === 0) counts.good++;
    else if (bits === undefined) counts.gap++;
    else counts.failing++;
    if (bits !== 0) addToIncidents(incidents, minute, bits);
  }
  return counts;
}

/** An incident continues over midnight, and when another check starts to fail. */
function addToIncidents(incidents: Incident[], minute: number, bits: number | undefined) {
  const kind = bits === undefined ? "gap" : "failing";
  const checks = bits === undefined ? [] : failingChecks(bits);
  const last = incidents.at(-1);
  if (last?.kind !== kind || last.until !== minute) {
    incidents.push({ kind, checks, from: minute, until: minute + 1, isOver: true });
    return;
  }
  last.until = minute + 1;
  for (const name of checks) if (!last.checks.includes(name)) last.checks.push(name);
}

function sumCounts(days: readonly DayCounts[]): MinuteCounts {
  const total = { minutes: 0, good: 0, failing: 0, gap: 0 };
  for (const { minutes, good, failing, gap } of days) {
    total.minutes += minutes;
    total.good += good;
    total.failing += failing;
    total.gap += gap;
  }
  return total;
}

/** The share of good minutes in percent, truncated to two decimals: 100 only if every minute was good. */
export function uptimePercent({ good, minutes }: Pick<MinuteCounts, "good" | "minutes">): number {
  return minutes === 0 ? 0 : Math.floor((good * 10_000) / minutes) / 100;
}

/** How many days the uptime covers: the window once it is full, else the full days since the first record. */
export function countedDays({ total, days }: UptimeMeasurement): number {
  return (days[0]?.minutes ?? 0) === minutesPerDay ? windowDays : Math.floor(total.minutes / minutesPerDay);
}
