import type { Report } from "./report.ts";
import { MS_PER_MINUTE } from "./rules.ts";

/** What /status.json says, as docs/status.md describes it: times as ISO 8601 in UTC, nothing that is known by one process alone. */
export function describeReport({ state, now, checks, instances, uptime, days, stretches }: Report) {
  return {
    state,
    at: iso(now),
    checks: checks.map(({ name, state, failingOn, lookedAt }) => ({
      name,
      state,
      failingOn,
      lookedAt: lookedAt === undefined ? null : iso(lookedAt),
    })),
    instances: instances.map(({ id, state, startedAt, lookedAt }) => ({
      id,
      state,
      startedAt: iso(startedAt),
      lookedAt: iso(lookedAt),
    })),
    uptime: uptime
      ? {
          percent: uptime.percent,
          since: iso(uptime.since),
          minutes: uptime.minutes,
          good: uptime.good,
          failing: uptime.failing,
          gap: uptime.gap,
        }
      : null,
    days: days.map(({ day, minutes, good, failing, gap }) => ({
      date: iso(day * 86_400_000).slice(0, 10),
      minutes,
      good,
      failing,
      gap,
    })),
    stretches: stretches.map(({ kind, checks, from, until, isOver }) => ({
      kind,
      checks,
      from: iso(from * MS_PER_MINUTE),
      until: isOver ? iso(until * MS_PER_MINUTE) : null,
      minutes: until - from,
    })),
  };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
