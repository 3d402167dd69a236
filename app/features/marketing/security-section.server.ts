import { findUptime } from "#app/features/status/data.server.ts";
import { latest } from "#app/features/status/latest.ts";
import type { Services } from "#app/services/context.ts";
import type { SiteContent } from "#app/services/site-content.server.ts";
import { within } from "#app/services/time-limit.ts";

export type SecurityFacts = {
  /** Measured, in percent, over so many days; undefined while less than a day was. */
  uptime: { percent: number; days: number } | undefined;
  /** What the operator says; a fact that is missing is not said. */
  stated: SiteContent["facts"];
};

/**
 * What the landing page says of this installation. It is worth more than its one measured sentence: where the database does not
 * answer in time the sentence is left out, and `isRead` is false.
 */
export async function findSecurityFacts({
  content,
  db,
  clock,
  log,
}: Pick<Services, "content" | "db" | "clock" | "log">): Promise<{ facts: SecurityFacts; isRead: boolean }> {
  const stated = content.facts;
  try {
    const measured = await within(PATIENCE_MS, uptimeLately(db, clock()));
    return { facts: { uptime: measured && { percent: measured.percent, days: measured.days }, stated }, isRead: true };
  } catch (error) {
    log.error({ err: error }, "the landing page goes without its uptime");
    return { facts: { uptime: undefined, stated }, isRead: false };
  }
}

const PATIENCE_MS = 1_000;
/** It changes with the minute, and the page is asked for more often. */
const uptimeLately = latest(30_000, findUptime);
