import { measures } from "#app/features/analytics/dimension-rules.ts";
import type { Counts, Measure } from "#app/features/analytics/dimension-rules.ts";

import { drawChart } from "./charts/chart-drawing.server.ts";
import { rangeQuery } from "./range-rules.ts";
import type { Range } from "./range-rules.ts";
import type { ReportCard, ReportOwner } from "./report-data.server.ts";
import { labelOf } from "./report-labels.ts";
import { listLabels, measureLabels, weekdays } from "./report-messages.ts";
import { changeOf, listDimensions, rateOf } from "./report-rules.ts";
import type { ListDimension, Report, ReportStep } from "./report-rules.ts";

type Named = Pick<ReportOwner, "links" | "locale" | "ownerId"> & { cards: ReportCard[] };

/** A report as its page shows it: every text and every shape is finished, so the browser needs no library for charts. */
export type ReportView = ReturnType<typeof viewReport>;

export function viewReport(report: Report, { measure, named }: { measure: Measure; named: Named }) {
  const { range, totals, before } = report;
  const format = dayFormats(named.locale, range);
  return {
    id: range.id,
    query: rangeQuery(range),
    period: format.period(range.from, range.to),
    periodBefore: range.before && format.period(range.before.from, range.before.to),
    measure,
    tiles: measures.filter((name) => isShown(name, totals, before)).map((name) => viewTile(name, totals, before)),
    chart: drawChart(
      report.steps.map((step) => ({
        n: step.counts[measure],
        before: step.before?.[measure],
        label: format.step(step),
        tick: format.tick(step),
      })),
    ),
    steps: report.steps.map((step) => ({ label: format.step(step), counts: step.counts })),
    lists: listDimensions.flatMap((dimension) => viewList(dimension, report, named)),
    hours: viewHours(report.hours),
  };
}

/** Without a way to get them, a tile would only raise questions. */
function isShown(measure: Measure, totals: Counts, before: Counts | undefined): boolean {
  return (measure !== "wallets" && measure !== "leads") || totals[measure] > 0 || (before?.[measure] ?? 0) > 0;
}

function viewTile(measure: Measure, totals: Counts, before: Counts | undefined) {
  const hasRate = measure !== "visits" && measure !== "visitors";
  return {
    measure,
    ...measureLabels[measure],
    n: totals[measure],
    change: changeOf(totals[measure], before?.[measure]),
    rate: hasRate ? rateOf(totals[measure], totals.visits) : undefined,
  };
}

/** The others are in the export. */
const maxRows = { shown: 8, all: 50 };

/** A list is left out when it can have no rows: there are no countries without COUNTRY_HEADER. */
function viewList(dimension: ListDimension, { lists, totals }: Report, named: Named) {
  const rows = lists[dimension];
  if (rows.length === 0 && dimension !== "page" && dimension !== "link" && dimension !== "source") return [];
  const measure: Measure = dimension === "link" ? "clicks" : "visits";
  const all = rows
    .filter(({ counts }) => measures.some((name) => counts[name] > 0))
    .map(({ value, counts }) => ({
      value,
      label: labelOf(dimension, value, named),
      n: counts[measure],
      share: Math.max(0, Math.min(1, counts[measure] / Math.max(1, totals[measure]))),
      // A link itself has no visits.
      ...(dimension !== "link" && {
        saveRate: rateOf(counts.saves, counts.visits),
        clickRate: rateOf(counts.clicks, counts.visits),
      }),
    }));
  return [
    {
      dimension,
      ...listLabels[dimension],
      measure: measureLabels[measure].label,
      rows: all.slice(0, maxRows.shown),
      more: all.slice(maxRows.shown, maxRows.all),
    },
  ];
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
  const full = format({ year: "numeric", month: "short", day: "numeric" });
  const withWeekday = format({ weekday: "short", year: "numeric", month: "short", day: "numeric" });
  const month = format({ year: "numeric", month: "long" });
  const shortDay = format({ month: "short", day: "numeric" });
  const shortMonth = format({ year: "2-digit", month: "short" });
  return {
    period: (from: number, to: number) => (from === to ? full(from) : `${full(from)} – ${full(to)}`),
    step: ({ from }: ReportStep) => (step === "day" ? withWeekday(from) : month(from)),
    tick: ({ from }: ReportStep) => (step === "day" ? shortDay(from) : shortMonth(from)),
  };
}
