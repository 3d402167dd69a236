import { redirect } from "react-router";

import { measures } from "#app/features/analytics/dimension-rules.ts";
import { formatCsv } from "#app/services/base/csv.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { contentDisposition } from "#app/services/http/file-name.ts";

import type { Route } from "./+types/export-route.ts";
import { exportReport } from "#app/features/analytics/api/exported-report.server.ts";
import { dayCountsOf, readFilter } from "./filter-rules.ts";
import { readRange } from "./range-rules.ts";
import { readReportOwner } from "./report-data.server.ts";

/** `/analytics/export?format=csv&range=90`: the numbers of a range, as CSV or JSON. Leads to the page where the plan has no analytics. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, ...all } = services(context);
  const owner = await readReportOwner({ ...all, db }, requireUser(context).id);
  if (!owner.plan.hasAnalytics) throw redirect("/analytics");
  const { range, problem } = readRange(url.searchParams, owner);
  const filter = readFilter(url.searchParams, owner.ownerId);
  if (problem || !dayCountsOf(filter)) throw redirect(`/analytics${url.search}`);
  const { rows, notes, filters, ...period } = await exportReport(db, owner, { range, filter });
  const isJson = url.searchParams.get("format") === "json";
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
