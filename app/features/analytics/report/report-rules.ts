import { measures, noCounts } from "#app/features/analytics/dimension-rules.ts";
import type { Counts, Dimension, Measure } from "#app/features/analytics/dimension-rules.ts";

import type { DayNote } from "#app/features/analytics/notes/note-schema.ts";

import { listSteps } from "./range-rules.ts";
import type { Range } from "./range-rules.ts";

/** What a report counts. "scans" are visits whose source is one of `scannedSources`: they are added up, not stored. */
export const reportMeasures = ["visits", "visitors", "scans", "saves", "clicks", "wallets", "leads"] as const;

export type ReportMeasure = Measure | "scans";

export type ReportCounts = Record<ReportMeasure, number>;

export const noReportCounts: ReportCounts = { ...noCounts, scans: 0 };

/** The codes that people scan: on a screen, in print, in a wallet and behind someone in a video call. */
export const scannedSources: readonly string[] = ["qr", "print", "wallet", "background"];

/** A row of a list: a card, a link, a source … */
export type ReportRow = { value: string; counts: Counts };

export type ReportStep = { from: number; to: number; counts: ReportCounts; before: ReportCounts | undefined };

export type Report = {
  range: Range;
  totals: ReportCounts;
  /** Of the period before; undefined for all time. */
  before: ReportCounts | undefined;
  steps: ReportStep[];
  /** The most visited first. Those without a visit come by their clicks. */
  lists: Record<ListDimension, ReportRow[]>;
  /** Visits by hour of the week, 168 numbers from Monday. */
  hours: number[];
  /** Oldest first. */
  notes: DayNote[];
};

export type ListDimension = Exclude<Dimension, "all" | "hour">;

export const listDimensions = ["page", "link", "source", "device", "country", "referrer", "campaign"] as const;

/** "scan": visits by a code, of the sources that are one. */
export type ReportCount = { dimension: Dimension | "scan"; day: number; value: string } & Counts;

/** Adds up counts: rows "all" and "scan" by day, of both periods, and the other dimensions of the period itself. */
export function buildReport(range: Range, rows: readonly ReportCount[], notes: readonly DayNote[] = []): Report {
  const days = new Map<number, ReportCounts>();
  const lists: Record<ListDimension, Map<string, Counts>> = {
    page: new Map(),
    link: new Map(),
    source: new Map(),
    device: new Map(),
    country: new Map(),
    referrer: new Map(),
    campaign: new Map(),
  };
  const hours = Array.from({ length: 168 }, () => 0);
  for (const row of rows) {
    if (row.dimension === "all") addToReport(days, row.day, { ...row, scans: 0 });
    else if (row.dimension === "scan") addToReport(days, row.day, { ...noCounts, scans: row.visits });
    else if (row.dimension === "hour") hours[Number(row.value)] = (hours[Number(row.value)] ?? 0) + row.visits;
    else addTo(lists[row.dimension], row.value, row);
  }
  const sumOf = (from: number, to: number) =>
    sum([...days].filter(([day]) => day >= from && day <= to).map(([, counts]) => counts));
  const { before } = range;
  return {
    range,
    totals: sumOf(range.from, range.to),
    before: before && sumOf(before.from, before.to),
    steps: listReportSteps(range, days),
    lists: {
      page: sortRows(lists.page),
      link: sortRows(lists.link),
      source: sortRows(lists.source),
      device: sortRows(lists.device),
      country: sortRows(lists.country),
      referrer: sortRows(lists.referrer),
      campaign: sortRows(lists.campaign),
    },
    hours,
    notes: notes.toSorted((a, b) => a.day - b.day || (a.id < b.id ? -1 : 1)),
  };
}

/** The points of the chart. A month of the period before may be shorter or longer than the one it is compared with. */
function listReportSteps(range: Range, days: Map<number, ReportCounts>): ReportStep[] {
  const { before } = range;
  const starts = listSteps(range);
  const startsBefore = before && listSteps({ ...before, step: range.step });
  const sums = (list: number[], end: number) => {
    const result = list.map(() => ({ ...noReportCounts }));
    for (const [day, counts] of days) {
      const index = day > end ? -1 : list.findLastIndex((start) => start <= day);
      const target = result[index];
      if (target) for (const measure of reportMeasures) target[measure] += counts[measure];
    }
    return result;
  };
  const now = sums(starts, range.to);
  const then = before && startsBefore && sums(startsBefore, before.to);
  return starts.map((from, index) => ({
    from,
    to: (starts[index + 1] ?? range.to + 1) - 1,
    counts: now[index] ?? noReportCounts,
    before: then?.[index],
  }));
}

function addTo<Key>(sums: Map<Key, Counts>, key: Key, counts: Counts) {
  const target = sums.get(key) ?? { ...noCounts };
  for (const measure of measures) target[measure] += counts[measure];
  sums.set(key, target);
}

function addToReport(sums: Map<number, ReportCounts>, day: number, counts: ReportCounts) {
  const target = sums.get(day) ?? { ...noReportCounts };
  for (const measure of reportMeasures) target[measure] += counts[measure];
  sums.set(day, target);
}

function sum(list: ReportCounts[]): ReportCounts {
  const total = { ...noReportCounts };
  for (const counts of list) for (const measure of reportMeasures) total[measure] += counts[measure];
  return total;
}

function sortRows(rows: Map<string, Counts>): ReportRow[] {
  return [...rows]
    .map(([value, counts]) => ({ value, counts }))
    .toSorted(
      (a, b) => b.counts.visits - a.counts.visits || b.counts.clicks - a.counts.clicks || (a.value < b.value ? -1 : 1),
    );
}

/** The change from the period before in whole percent; undefined when there was nothing before. */
export function changeOf(now: number, before: number | undefined): number | undefined {
  return before === undefined || before === 0 ? undefined : Math.round((now / before - 1) * 100);
}

/** Of leads alone: no one opened a page. */
const sourcesWithoutVisits: readonly string[] = ["kiosk", "scan", "hand"];

/** The totals that came from visits, for the share of the visits that led to something. */
export function countsOfVisits({ totals, lists }: Pick<Report, "totals" | "lists">): ReportCounts {
  const others = lists.source.filter(({ value }) => sourcesWithoutVisits.includes(value));
  return { ...totals, leads: others.reduce((left, { counts }) => left - counts.leads, totals.leads) };
}

/** How many of the visits led to something: 0.125 for 1 of 8; undefined without a visit. More than every visit counts as 1. */
export function rateOf(n: number, visits: number): number | undefined {
  return visits === 0 ? undefined : Math.min(1, n / visits);
}
