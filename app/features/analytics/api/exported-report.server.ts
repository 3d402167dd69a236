import type { Counts } from "#app/features/analytics/dimension-rules.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { isoDayOf } from "#app/services/preferences/owner-days.ts";

import { listFilters, sourcesOf } from "#app/features/analytics/report/filter-rules.ts";
import type { ReportFilter } from "#app/features/analytics/report/filter-rules.ts";
import type { Range } from "#app/features/analytics/report/range-rules.ts";
import { readReport } from "#app/features/analytics/report/report-data.server.ts";
import type { ReportOwner } from "#app/features/analytics/report/report-data.server.ts";
import { labelOf } from "#app/features/analytics/report/report-labels.ts";
import { weekdays } from "#app/features/analytics/report/report-messages.ts";
import { listDimensions } from "#app/features/analytics/report/report-rules.ts";
import type { Report } from "#app/features/analytics/report/report-rules.ts";

/** The numbers of a range as files and programs get them. `from` and `to` are days, both included. */
export async function exportReport(
  db: Db,
  owner: ReportOwner,
  { range, filter }: { range: Range; filter: ReportFilter },
) {
  const report = await readReport(db, owner, { range, filter });
  return {
    from: isoDayOf(range.from),
    to: isoDayOf(range.to),
    timeZone: owner.timeZone || "UTC",
    filters: listFilters(filter).map(([by, value]) => ({ by, value, name: labelOf(by, value, owner) })),
    notes: report.notes.map(({ day, text }) => ({ day: isoDayOf(day), text })),
    rows: listRows(report, { owner, filter }),
  };
}

/**
 * What isn't known is left out: a zero would be a number. Scans are added up for the points of the chart alone, because in the list of
 * sources, each code has its own row; of the hours of the week, only the visits are read.
 */
type ExportRow = { by: string; value: string; name: string; counts: Partial<Counts & { scans: number }> };

/** The points of the chart, then each list, then the hours of the week, which no filter has. */
function listRows(
  { range, steps, lists, hours }: Report,
  { owner, filter }: { owner: ReportOwner; filter: ReportFilter },
): ExportRow[] {
  return [
    ...steps.map(({ from, counts: { scans, ...counts } }) => ({
      by: range.step,
      value: isoDayOf(from),
      name: "",
      counts: sourcesOf(filter) === undefined ? counts : { ...counts, scans },
    })),
    ...listDimensions.flatMap((by) =>
      lists[by].map(({ value, counts }) => ({ by, value, name: labelOf(by, value, owner), counts })),
    ),
    ...(listFilters(filter).length > 0 ? [] : hours).map((visits, hour) => ({
      by: "hour of the week",
      value: String(hour),
      name: `${weekdays[Math.floor(hour / 24)]}, ${hour % 24}:00`,
      counts: { visits },
    })),
  ];
}
