import { cachedRead } from "#app/features/status/cached-read.ts";
import { describeBackup } from "#app/features/status/messages.ts";
import { findUptime } from "#app/features/status/data.server.ts";
import { findDailyBackup } from "#app/services/backup/last-backup.server.ts";
import { withTimeout } from "#app/services/base/time-limit.ts";
import type { SiteContent } from "#app/services/config/site-content.server.ts";
import type { Services } from "#app/services/http/context.ts";

export type SecurityFacts = {
  /** Measured over `days` days, in percent; undefined before the first full day. */
  uptime: { percent: number; days: number } | undefined;
  /** What is said of the last backup that was checked, where there is one every day. */
  backup: string | undefined;
  /** What the operator states. */
  stated: SiteContent["facts"];
};

/**
 * The facts about this installation on the landing page. The page doesn't wait for a slow database: it then omits the uptime, and
 * `isRead` is false.
 */
export async function findSecurityFacts(
  services: Pick<Services, "siteContent" | "db" | "config" | "clock" | "log">,
): Promise<{ facts: SecurityFacts; isRead: boolean }> {
  const stated = services.siteContent.facts;
  try {
    const now = services.clock();
    const reads = Promise.all([findRecentUptime(services.db, now), findRecentBackup(services, now)]);
    const [measured, backup] = await withTimeout(uptimeTimeoutMs, reads);
    const uptime = measured && { percent: measured.percent, days: measured.days };
    return { facts: { uptime, backup: backup && describeBackup(backup), stated }, isRead: true };
  } catch (error) {
    services.log.error({ err: error }, "could not read the uptime and the last backup for the landing page");
    return { facts: { uptime: undefined, backup: undefined, stated }, isRead: false };
  }
}

const uptimeTimeoutMs = 1_000;
/** The uptime changes once a minute; the page is requested more often. */
const findRecentUptime = cachedRead(30_000, findUptime);
const findRecentBackup = cachedRead(30_000, findDailyBackup);
