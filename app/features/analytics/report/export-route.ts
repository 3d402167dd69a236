import { redirect } from "react-router";

import { measures } from "#app/features/analytics/dimension-rules.ts";
import type { Counts } from "#app/features/analytics/dimension-rules.ts";
import { isoDayOf } from "#app/services/preferences/owner-days.ts";
import { formatCsv } from "#app/services/base/csv.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { contentDisposition } from "#app/services/http/file-name.ts";

import type { Route } from "./+types/export-route.ts";
import { dayCountsOf, listFilters, readFilter, sourcesOf } from "./filter-rules.ts";
import type { ReportFilter } from "./filter-rules.ts";
import { readRange } from "./range-rules.ts";
import { readReport, readReportOwner } from "./report-data.server.ts";
import type { ReportOwner } from "./report-data.server.ts";
import { labelOf } from "./report-labels.ts";
import { weekdays } from "./report-messages.ts";
import { listDimensions } from "./report-rules.ts";
import type { Report } from "./report-rules.ts";

/** `/analytics/export?format=csv&range=90`: the numbers of a range, as CSV or JSON. Leads to the page where the plan has no analytics. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, ...all } = services(context);
  const owner = await readReportOwner({ ...all, db }, requireUser(context).id);
  if (!owner.plan.hasAnalytics) throw redirect("/analytics");
  const { range, problem } = readRange(url.searchParams, owner);
  const filter = readFilter(url.searchParams, owner.ownerId);
  if (problem || !dayCountsOf(filter)) throw redirect(`/analytics${url.search}`);
  const report = await readReport(db, owner, { range, filter });
  const filters = listFilters(filter).map(([by, value]) => ({ by, value, name: labelOf(by, value, owner) }));
  const rows = listRows(report, { owner, filter });
  const notes = report.notes.map(({ day, text }) => ({ day: isoDayOf(day), text }));
  const isJson = url.searchParams.get("format") === "json";
  const period = { from: isoDayOf(range.from), to: isoDayOf(range.to), timeZone: owner.timeZone || "UTC" };
  const body = isJson
    ? JSON.stringify(
        {
          ...period,
          ...(filters.length > 0 && { filters }),
          notes,
          rows: rows.map(({ counts, ...row }) => ({ ...row, ...counts })),
        },
        null,
        2,
      )
    : formatCsv([
        ["by", "value", "name", ...measures, "scans"],
        ...notes.map(({ day, text }) => ["note", day, text, ...measures.map(() => ""), ""]),
        ...rows.map(({ by, value, name, counts }) => [
          by,
          value,
          name,
          ...measures.map((measure) => counts[measure] ?? ""),
          counts.scans ?? "",
        ]),
      ]);
  const name = [`analytics ${period.from} to ${period.to}`, ...filters.map((one) => one.name)].join(" ");
  return new Response(body, {
    headers: {
      "content-type": isJson ? "application/json; charset=utf-8" : "text/csv; charset=utf-8",
      "content-disposition": contentDisposition("attachment", `${name}.${isJson ? "json" : "csv"}`, "analytics"),
      "cache-control": "no-store",
    },
  });
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
