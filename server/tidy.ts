import { sweepProbes } from "#app/features/status/checks.server.ts";
import { rollUp } from "#app/features/status/record.server.ts";
import { sweepStore, sweepUploads } from "#app/features/uploads/sweep.server.ts";
import type { Services } from "#app/services/context.ts";

const EVERY_MS = 60 * 60 * 1_000;
/** All files are listed for it: once a day, by one of the processes. */
const storeSweep = { name: "store sweep", max: 1, windowMs: 20 * 60 * 60 * 1_000 };

/**
 * At the start and once an hour: takes away what is over and only takes room (sessions, links in mails, counts of guesses, uploads that
 * were cut off), and rolls up what /status is computed from.
 */
export function keepTidy(services: Services) {
  const { auth, clock, db, limits, log } = services;
  async function sweep() {
    try {
      await auth.sweep();
      await limits.sweep();
      await rollUp(db, clock());
      await sweepUploads(services);
      await sweepProbes(services);
      if (!(await limits.take([{ limit: storeSweep, of: "all" }]))) await sweepStore(services);
    } catch (error) {
      log.error({ err: error }, "what is over could not be taken away; tried again in an hour");
    }
  }
  void sweep();
  setInterval(() => void sweep(), EVERY_MS).unref();
}
