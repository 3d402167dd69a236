import { services } from "#app/services/http/context.ts";
import { fileLoader, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/status-json-route.ts";
import { loadReport } from "./report.server.ts";
import type { Report } from "./report.server.ts";
import { msPerMinute } from "./rules.ts";

export { rejectWrites as action };

/** The status page as JSON, documented in docs/status.md. */
export const loader = fileLoader(async ({ context }: Route.LoaderArgs) => {
  const { report, isRead } = await loadReport(services(context));
  return Response.json(describeReport(report), {
    status: isRead ? 200 : 503,
    headers: {
      // The data changes once a minute.
      "cache-control": isRead ? "public, max-age=15" : "no-store",
      ...(!isRead && { "retry-after": "60" }),
      // Public data without anything personal: pages of other sites may read it.
      "access-control-allow-origin": "*",
    },
  });
});

/** The public format, which keeps its keys even if our own names change. Times are ISO 8601 in UTC. */
function describeReport({ state, now, checks, instances, uptime, days, incidents, backup }: Report) {
  return {
    state,
    at: toIso(now),
    checks: checks.map(({ checkedAt, ...check }) => ({ ...check, lookedAt: checkedAt ? toIso(checkedAt) : null })),
    instances: instances.map(({ startedAt, checkedAt, ...instance }) => {
      return { ...instance, startedAt: toIso(startedAt), lookedAt: toIso(checkedAt) };
    }),
    uptime: uptime ? { ...uptime, since: toIso(uptime.since) } : null,
    days: days.map(({ day, ...counts }) => ({ date: toIso(day * 86_400_000).slice(0, 10), ...counts })),
    stretches: incidents.map(({ kind, checks, from, until, isOver }) => {
      const end = isOver ? toIso(until * msPerMinute) : null;
      return { kind, checks, from: toIso(from * msPerMinute), until: end, minutes: until - from };
    }),
    backup: backup ? { madeAt: toIso(backup.createdAt), keptDays: backup.days } : null,
  };
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}
