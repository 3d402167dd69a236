import { findUptime } from "#app/features/status/data.server.ts";
import { latest } from "#app/features/status/latest.ts";
import type { Services } from "#app/services/context.ts";
import type { SiteContent } from "#app/services/site-content.server.ts";

export type SecurityFacts = {
  /** Measured, in percent, over so many days; undefined while less than a day was. */
  uptime: { percent: number; days: number } | undefined;
  /** What the operator says; a fact that is missing is not said. */
  stated: SiteContent["facts"];
};

/** It changes with the minute, and the page is asked for more often. */
const uptimeLately = latest(30_000, findUptime);

export async function findSecurityFacts({ content, db, clock }: Pick<Services, "content" | "db" | "clock">) {
  const measured = await uptimeLately(db, clock());
  const facts: SecurityFacts = {
    uptime: measured && { percent: measured.percent, days: measured.days },
    stated: content.facts,
  };
  return facts;
}
