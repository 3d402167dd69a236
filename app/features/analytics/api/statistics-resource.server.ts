import { z } from "zod";

import { measures } from "#app/features/analytics/dimension-rules.ts";
import { exportReport } from "./exported-report.server.ts";
import { dayCountsOf, readFilter } from "#app/features/analytics/report/filter-rules.ts";
import { rangeIds, readRange } from "#app/features/analytics/report/range-rules.ts";
import { readReportOwner } from "#app/features/analytics/report/report-data.server.ts";
import { ApiProblem, invalid } from "#app/services/api/problem.ts";
import { operation } from "#app/services/api/resource.ts";
import type { Resource } from "#app/services/api/resource.ts";

const filterText = z.string().max(120).optional();

const statisticsQuery = z.strictObject({
  range: z.enum(rangeIds).default("30").describe("The last days or months, or `own` with `from` and `to`."),
  from: z.string().optional().describe("A day, such as 2026-11-01."),
  to: z.string().optional(),
  card: filterText.describe("The id of a card, or `profile`."),
  link: filterText.describe("The id of a link."),
  source: filterText.describe("`qr`, `nfc`, `direct` and others."),
});

const count = z.int().optional();
const statisticsOutput = z
  .object({
    from: z.string(),
    to: z.string(),
    timeZone: z.string(),
    filters: z.array(z.object({ by: z.string(), value: z.string(), name: z.string() })),
    notes: z.array(z.object({ day: z.string(), text: z.string() })),
    rows: z
      .array(
        z.object({
          by: z.string(),
          value: z.string(),
          name: z.string(),
          ...Object.fromEntries([...measures, "scans"].map((measure) => [measure, count])),
        }),
      )
      .describe("By day or month, page, link, source and others. A count that isn’t known is left out."),
  })
  .meta({ id: "Statistics" });

export const statisticsResource: Resource = {
  name: "statistics",
  title: "Statistics",
  description: "What visitors did, counted without cookies. Part of Premium.",
  operations: [
    operation({
      id: "getStatistics",
      method: "GET",
      path: "/statistics",
      summary: "Get the numbers of a range",
      scope: "statistics:read",
      problems: ["plan_limit"],
      query: statisticsQuery,
      response: { status: 200, schema: statisticsOutput },
      tool: {
        name: "get_statistics",
        description: "Returns visits, saves, clicks and leads of a range, by day, page and link.",
      },
      async run(services, { owner: { id }, query }) {
        const owner = await readReportOwner(services, id);
        if (!owner.plan.hasAnalytics) throw new ApiProblem("plan_limit", "Statistics are part of Premium.");
        const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined));
        const { range, problem } = readRange(search, owner);
        if (problem !== undefined) throw invalid([{ pointer: "?from", message: problem }]);
        const filter = readFilter(search, id);
        if (!dayCountsOf(filter)) throw invalid([{ pointer: "?source", message: "These filters can’t be combined." }]);
        const { rows, ...report } = await exportReport(services.db, owner, { range, filter });
        return { body: { ...report, rows: rows.map(({ counts, ...row }) => ({ ...row, ...counts })) } };
      },
    }),
  ],
};
