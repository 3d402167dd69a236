import { measures } from "#app/features/analytics/dimension-rules.ts";
import type { Measure } from "#app/features/analytics/dimension-rules.ts";

import type { DayNote } from "#app/features/analytics/notes/note-schema.ts";

import { drawChart } from "./charts/chart-drawing.server.ts";
import { addFilterQuery } from "./filter-labels.ts";
import { filterQuery, listFilters, sourcesOf } from "./filter-rules.ts";
import type { ReportFilter } from "./filter-rules.ts";
import { rangeQuery } from "./range-rules.ts";
import type { Range } from "./range-rules.ts";
import type { ReportCard, ReportOwner } from "./report-data.server.ts";
import { labelOf } from "./report-labels.ts";
import { filterLabels, filterMessages, listLabels, measureLabels, weekdays } from "./report-messages.ts";
import { changeOf, countsOfVisits, listDimensions, rateOf, reportMeasures } from "./report-rules.ts";
import type { ListDimension, Report, ReportCounts, ReportMeasure, ReportRow, ReportStep } from "./report-rules.ts";

type Named = Pick<ReportOwner, "links" | "locale" | "ownerId" | "firstDay"> & { cards: ReportCard[] };

/** A report as its page shows it: every text and every shape is finished, so the browser needs no library for charts. */
export type ReportView = ReturnType<typeof viewReport>;

export function viewReport(report: Report, options: ViewOptions) {
  const { named, filter = {} } = options;
  const { range, totals, before } = report;
  const shown = listShown(filter);
  const measure = shown.find((name) => name === options.measure) ?? shown[0] ?? "clicks";
  const format = dayFormats(named.locale, range);
  return {
    id: range.id,
    query: rangeQuery(range) + filterQuery(filter),
    period: format.period(range.from, range.to),
    periodBefore: range.before && format.period(range.before.from, range.before.to),
    measure,
    tiles: shown.filter((name) => isShown(name, totals, before)).map((name) => viewTile(name, report, filter)),
    chart: drawChart(
      report.steps.map((step) => ({
        n: step.counts[measure],
        before: step.before?.[measure],
        label: format.step(step),
        tick: format.tick(step),
        notes: notesOf(report, step).map((note) => (range.step === "day" ? note.text : format.note(note))),
      })),
    ),
    steps: report.steps.map((step) => ({
      label: format.step(step),
      counts: step.counts,
      before: step.before?.[measure],
      notes: notesOf(report, step).map((note) => (range.step === "day" ? note.text : format.note(note))),
    })),
    sinceText: sinceText(range, named.firstDay, format.full),
    mergedText: mergedText(range, options.daysFrom, format.full),
    notes: report.notes.map(({ id, day, text }) => ({ id, label: format.day(day), text })),
    lists: listDimensions.flatMap((dimension) => viewList(dimension, report, { named, filter, measure })),
    hours: listFilters(filter).length === 0 ? viewHours(report.hours) : undefined,
    coverage: coverageText(filter),
    isEmpty: measures.every((name) => totals[name] === 0),
  };
}

type ViewOptions = {
  measure: ReportMeasure;
  named: Named;
  filter?: ReportFilter;
  /** The first day that isn't merged into its month. */
  daysFrom?: number;
};

/** Which counts the lists of a report with filters don't have, because they aren't stored; undefined without filters. */
function coverageText(filter: ReportFilter): string | undefined {
  const [first, second] = listFilters(filter);
  return second ? filterMessages.two : first && filterLabels[first[0]].missing;
}

/** A period before that began earlier than the first visit is no fair comparison. */
function sinceText({ before, to }: Range, firstDay: number | undefined, format: (day: number) => string) {
  if (!before || firstDay === undefined || firstDay <= before.from || firstDay > to) return undefined;
  return `Counting started on ${format(firstDay)}.`;
}

/** Of own dates alone, days may be missing that were merged into their month. */
function mergedText({ id, from, before }: Range, daysFrom: number | undefined, format: (day: number) => string) {
  if (id !== "own" || daysFrom === undefined || (before?.from ?? from) >= daysFrom) return undefined;
  return `Before ${format(daysFrom)}, only months are stored. Each counts on its first day.`;
}

function notesOf({ notes }: Report, { from, to }: ReportStep) {
  return notes.filter(({ day }) => day >= from && day <= to);
}

/** A link has clicks alone. With one source, every visit is a scan or none is. */
function listShown(filter: ReportFilter): readonly ReportMeasure[] {
  if (filter.link !== undefined) return ["clicks"];
  return sourcesOf(filter) === undefined ? measures : reportMeasures;
}

/** Without a way to get them, a tile would only raise questions. */
function isShown(measure: ReportMeasure, totals: ReportCounts, before: ReportCounts | undefined): boolean {
  return (measure !== "wallets" && measure !== "leads") || totals[measure] > 0 || (before?.[measure] ?? 0) > 0;
}

function viewTile(measure: ReportMeasure, report: Report, filter: ReportFilter) {
  const { totals, before } = report;
  const hasRate = outcomes.some((name) => name === measure);
  // A visitor of two pages is counted on the first one.
  const hint = measure === "visitors" && listFilters(filter).length > 0 && filterMessages.visitors;
  const ofVisits = countsOfVisits(report)[measure];
  return {
    measure,
    ...measureLabels[measure],
    ...(hint && { hint }),
    n: totals[measure],
    change: changeOf(totals[measure], before?.[measure]),
    rate: hasRate ? rateOf(ofVisits, totals.visits) : undefined,
    /** Leads from a kiosk, a paper card or typed in. The rate leaves them out. */
    inPerson: totals[measure] - ofVisits,
  };
}

/** The others are in the export. */
const maxRows = { shown: 8, all: 50 };

/** What a visit can lead to. The lists of a report show the one that its chart shows. */
const outcomes: readonly Measure[] = ["saves", "clicks", "wallets", "leads"];

type ListOptions = { named: Named; filter: ReportFilter; measure: ReportMeasure };

/** A list is left out when it can have no rows: there are no countries without COUNTRY_HEADER. */
function viewList(dimension: ListDimension, report: Report, { named, filter, measure }: ListOptions) {
  const { range, lists, totals } = report;
  const rows = lists[dimension];
  const isFiltered = listFilters(filter).length > 0;
  const isAlways = !isFiltered && (dimension === "page" || dimension === "link" || dimension === "source");
  if (rows.length === 0 && !isAlways) return [];
  // A link itself has no visits.
  const hasClicksOnly = dimension === "link" || filter.link !== undefined;
  const outcome = outcomes.find((name) => name === measure);
  const counted: Measure = hasClicksOnly ? "clicks" : (outcome ?? "visits");
  const rated = hasClicksOnly ? undefined : ratedIn(dimension, outcome, report);
  const all = rows
    .filter(({ counts }) => isListed(counts, counted))
    .toSorted((a, b) => b.counts[counted] - a.counts[counted])
    .map(({ value, counts }) => ({
      value,
      label: labelOf(dimension, value, named),
      n: counts[counted],
      share: Math.max(0, Math.min(1, counts[counted] / Math.max(1, totals[counted]))),
      filterQuery: rangeFilterQuery(range, addFilterQuery(filter, dimension, value)),
      rate: rated && rateOf(counts[rated], counts.visits),
    }));
  // Leads aren't counted by device or country.
  if (counted === "leads" && all.every(({ n }) => n === 0)) return [];
  return [
    {
      dimension,
      ...listLabels[dimension],
      measure: columnLabels[counted] ?? measureLabels[counted].label,
      /** Of the column with each row's `rate`; undefined without one. */
      rateLabel: rated && (outcome ? "Of visits" : "Saved"),
      rows: all.slice(0, maxRows.shown),
      more: all.slice(maxRows.shown, maxRows.all),
    },
  ];
}

/** Many leads come without a visit. Their sources, such as a kiosk, are in the lists of leads alone. */
function isListed(counts: ReportRow["counts"], counted: Measure): boolean {
  return measures.some((name) => counts[name] > 0 && (counted === "leads" || name !== "leads"));
}

/** The measure whose share of the visits a list shows. */
function ratedIn(dimension: ListDimension, outcome: Measure | undefined, report: Report): Measure | undefined {
  if (!outcome) return dimension === "device" || dimension === "country" ? undefined : "saves";
  // A page's leads from a kiosk came without a visit, and aren't counted apart from the others.
  const isUnknown = outcome === "leads" && dimension === "page" && countsOfVisits(report).leads < report.totals.leads;
  return isUnknown ? undefined : outcome;
}

/** Where the label of a measure is too long for a column. */
const columnLabels: Partial<Record<Measure, string>> = { clicks: "Clicks" };

function rangeFilterQuery(range: Range, query: string | undefined): string | undefined {
  return query === undefined ? undefined : rangeQuery(range) + query;
}

function viewHours(hours: number[]) {
  const highest = Math.max(...hours);
  const busiest = hours.indexOf(highest);
  return {
    rows: weekdays.map((weekday, day) => ({
      weekday,
      cells: hours
        .slice(day * 24, day * 24 + 24)
        .map((n) => ({ n, level: n === 0 ? 0 : Math.ceil((n / highest) * 4) })),
    })),
    busiest: highest === 0 ? undefined : `${weekdays[Math.floor(busiest / 24)]}, ${hourRange(busiest % 24)}`,
  };
}

/** 9 -> "9:00 to 10:00" */
function hourRange(hour: number): string {
  return `${hour}:00 to ${hour + 1}:00`;
}

const msPerDay = 86_400_000;

function dayFormats(locale: string, { step }: Pick<Range, "step">) {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(locale || "en-US", { ...options, timeZone: "UTC" });
    return (day: number) => formatter.format(day * msPerDay);
  };
  const dates = new Intl.DateTimeFormat(locale || "en-US", {
    year: "numeric",
    month: "short",
    day: "numeric",
    timeZone: "UTC",
  });
  const full = (day: number) => dates.format(day * msPerDay);
  const withWeekday = format({ weekday: "short", year: "numeric", month: "short", day: "numeric" });
  const month = format({ year: "numeric", month: "long" });
  const shortDay = format({ month: "short", day: "numeric" });
  const shortMonth = format({ month: "short" });
  const monthAndYear = format({ year: "numeric", month: "short" });
  return {
    full,
    // A common month or year is named once: "Nov 20 – 26, 2026".
    period: (from: number, to: number) => dates.formatRange(from * msPerDay, to * msPerDay),
    day: withWeekday,
    note: ({ day, text }: DayNote) => `${shortDay(day)}: ${text}`,
    step: ({ from }: ReportStep) => (step === "day" ? withWeekday(from) : month(from)),
    tick: ({ from }: ReportStep) =>
      step === "day"
        ? { label: shortDay(from) }
        : { label: shortMonth(from), withYear: monthAndYear(from), year: new Date(from * msPerDay).getUTCFullYear() },
  };
}
