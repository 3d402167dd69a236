import { cachedRead } from "#app/features/status/cached-read.ts";
import { findUptime } from "#app/features/status/data.server.ts";
import { withTimeout } from "#app/services/base/time-limit.ts";
import type { SiteContent } from "#app/services/config/site-content.server.ts";
import type { Services } from "#app/services/http/context.ts";

export type SecurityFacts = {
  /** Measured over `days` days, in percent; undefined before the first full day. */
  uptime: { percent: number; days: number } | undefined;
  /** What the operator states. */
  stated: SiteContent["facts"];
};

/**
 * The facts about this installation on the landing page. The page doesn't wait for a slow database: it then omits the uptime, and
 * `isRead` is false.
 */
export async function findSecurityFacts({
  siteContent,
  db,
  clock,
  log,
}: Pick<Services, "siteContent" | "db" | "clock" | "log">): Promise<{ facts: SecurityFacts; isRead: boolean }> {
  const stated = siteContent.facts;
  try {
    const measured = await withTimeout(uptimeTimeoutMs, findRecentUptime(db, clock()));
    return { facts: { uptime: measured && { percent: measured.percent, days: measured.days }, stated }, isRead: true };
  } catch (error) {
    log.error({ err: error }, "could not read the uptime for the landing page");
    return { facts: { uptime: undefined, stated }, isRead: false };
  }
}

const uptimeTimeoutMs = 1_000;
/** The uptime changes once a minute; the page is requested more often. */
const findRecentUptime = cachedRead(30_000, findUptime);
