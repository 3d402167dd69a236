import type { Services } from "#app/services/context.ts";

import { readStatus } from "./data.server.ts";
import { latest } from "./latest.ts";
import { makeReport, reportUnread } from "./report.ts";
import type { Report } from "./report.ts";
import { within } from "#app/services/time-limit.ts";

/** The report of this moment. Where the database does not answer in time it says so: then `isRead` is false. */
export async function loadReport({
  db,
  clock,
  log,
}: Pick<Services, "db" | "clock" | "log">): Promise<{ report: Report; isRead: boolean }> {
  const now = clock();
  try {
    return { report: makeReport(await within(PATIENCE_MS, statusLately(db, now))), isRead: true };
  } catch (error) {
    log.error({ err: error }, "the status can't be read");
    return { report: reportUnread(now), isRead: false };
  }
}

const PATIENCE_MS = 3_000;
/** Three days of minutes are read for it, and anybody may ask. */
const statusLately = latest(5_000, readStatus);
