import { firstOfMonth, isoDayOf, parseIsoDay } from "#app/services/preferences/owner-days.ts";

export const rangeIds = ["7", "30", "90", "12m", "all", "own"] as const;

export type RangeId = (typeof rangeIds)[number];

/** What a report covers, in days since 1970-01-01, both included. `before`: the period that it is compared with. */
export type Range = {
  id: RangeId;
  from: number;
  to: number;
  before: { from: number; to: number } | undefined;
  /** What one point of the chart stands for. */
  step: "day" | "month";
};

/** `problem`: the dates of an own range as they were typed, when they are none. */
export type RangeChoice = { range: Range; typed: { from: string; to: string }; problem: string | undefined };

export const rangeMessages = {
  missing: "Enter both dates, as in 2026-11-23.",
  reversed: "The first day is after the last one.",
  long: "Choose at most 20 years.",
};

/** In days. A longer range has more points than a page can show. */
const maxDays = 20 * 366;

type RangeFacts = {
  /** In the owner's time zone. */
  today: number;
  /** The first day with counts; undefined before the first visit. */
  firstDay: number | undefined;
};

/** Reads `?range=90` or `?range=own&from=2026-01-01&to=2026-03-31`. Anything else is the last 30 days. */
export function readRange(query: URLSearchParams, facts: RangeFacts): RangeChoice {
  const typed = { from: query.get("from") ?? "", to: query.get("to") ?? "" };
  const id = rangeIds.find((known) => known === query.get("range")) ?? "30";
  if (id !== "own") return { range: namedRange(id, facts), typed, problem: undefined };
  const [from, to] = [parseIsoDay(typed.from), parseIsoDay(typed.to)];
  const fallback = namedRange("30", facts);
  if (from === undefined || to === undefined) return { range: fallback, typed, problem: rangeMessages.missing };
  if (from > to) return { range: fallback, typed, problem: rangeMessages.reversed };
  if (to - from > maxDays) return { range: fallback, typed, problem: rangeMessages.long };
  return { range: readOwnRange(from, to), typed, problem: undefined };
}

/** A range of whole days, both included, compared with as many days before. */
export function readOwnRange(from: number, to: number): Range {
  return withPeriods("own", from, to);
}

function namedRange(id: Exclude<RangeId, "own">, { today, firstDay = today }: RangeFacts): Range {
  if (id === "all") return { ...withPeriods("all", Math.min(firstDay, today), today), before: undefined };
  if (id === "12m") {
    const from = firstOfMonth(today, -11);
    // The last month isn't over: the same days of it a year ago, not all of them.
    const sameDay = firstOfMonth(today, -12) + (today - firstOfMonth(today));
    const before = { from: firstOfMonth(today, -23), to: Math.min(sameDay, from - 1) };
    return { id, from, to: today, before, step: "month" };
  }
  return withPeriods(id, today - Number(id) + 1, today);
}

/** The period before has the same number of days. */
function withPeriods(id: RangeId, from: number, to: number): Range {
  const days = to - from + 1;
  return { id, from, to, before: { from: from - days, to: from - 1 }, step: days <= 92 ? "day" : "month" };
}

/** The first days of the points of a chart: each day, or the first of each month. The first one may be in the middle of a month. */
export function listSteps({ from, to, step }: Pick<Range, "from" | "to" | "step">): number[] {
  if (step === "day") return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const steps: number[] = [];
  for (let day = firstOfMonth(from); day <= to; day = firstOfMonth(day, 1)) steps.push(Math.max(day, from));
  return steps;
}

/** The query string of a range: "range=own&from=2026-01-01&to=2026-03-31". */
export function rangeQuery({ id, from, to }: Pick<Range, "id" | "from" | "to">): string {
  return id === "own" ? `range=own&from=${isoDayOf(from)}&to=${isoDayOf(to)}` : `range=${id}`;
}
