import { unconfirmedAccountMs } from "#app/features/account/rules.ts";
import { sweepProbes } from "#app/features/status/checks.server.ts";
import { rollUp } from "#app/features/status/heartbeat-data.server.ts";
import { sweepStore, sweepUploads } from "#app/features/uploads/storage/sweep.server.ts";
import { deleteUnconfirmedUsers } from "#app/services/auth/user-rows.server.ts";
import type { Services } from "#app/services/http/context.ts";

const intervalMs = 60 * 60 * 1_000;
/** Lists all stored files, so it runs once a day in one of the processes. */
const storeSweep = { name: "store sweep", max: 1, windowMs: 20 * 60 * 60 * 1_000 };

/** At the start and every hour: deletes expired sessions, links, rate-limit attempts, unconfirmed accounts and unfinished uploads, and rolls up the status data. */
export function startMaintenance(services: Services) {
  const { auth, clock, db, rateLimits, log } = services;
  async function sweep() {
    try {
      await auth.sweep();
      const deleted = await deleteUnconfirmedUsers(services, clock() - unconfirmedAccountMs);
      if (deleted > 0) log.info({ accounts: deleted }, "unconfirmed accounts deleted");
      await rateLimits.sweep();
      await rollUp(db, clock());
      await sweepUploads(services);
      await sweepProbes(services);
      if (!(await rateLimits.consume([{ limit: storeSweep, subject: "all" }]))) await sweepStore(services);
    } catch (error) {
      log.error({ err: error }, "maintenance failed; it runs again in an hour");
    }
  }
  void sweep();
  setInterval(() => void sweep(), intervalMs).unref();
}
