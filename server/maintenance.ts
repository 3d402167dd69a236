import type { Feature, MaintenanceTask } from "#app/services/features/feature.ts";
import { updateStatistics } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { deleteOldMails } from "#app/services/jobs/jobs.server.ts";

const intervalMs = 60 * 60 * 1_000;

/** What the services themselves need. */
const serviceTasks: readonly MaintenanceTask[] = [
  { name: "expired sessions and links", run: ({ auth }) => auth.sweep() },
  { name: "rate limits", run: ({ rateLimits }) => rateLimits.sweep() },
  { name: "undelivered mails", run: deleteOldMails },
  { name: "rendered pages", run: sweepPages },
  { name: "statistics of the query planner", run: (services) => updateStatistics(services) },
];

/** Reads the whole table, so one of the processes does it. */
const pageSweep = { name: "page sweep", max: 1, windowMs: 50 * 60 * 1_000, isExpected: true } as const;

async function sweepPages({ rateLimits, renderedPages }: Services): Promise<void> {
  if (!(await rateLimits.consume([{ limit: pageSweep, subject: "all" }]))) await renderedPages.sweep();
}

/** Runs the services' and the features' maintenance tasks now and every hour, unless they are still running. */
export function startMaintenance(features: readonly Feature[], services: Services) {
  let isRunning = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    await runMaintenance(features, services);
    isRunning = false;
  };
  void run();
  setInterval(() => void run(), intervalMs).unref();
}

/** Runs all tasks, one after the other. One that fails is logged by its name, and one that changed rows or took long with its duration. */
export async function runMaintenance(features: readonly Feature[], services: Services): Promise<void> {
  const tasks = [
    ...serviceTasks,
    ...features.flatMap(({ maintenance }) => maintenance ?? []),
    ...features.flatMap(({ storedData }) => storedData ?? []).flatMap(retentionTask),
  ];
  for (const { name, run } of tasks) {
    const startedAt = performance.now();
    try {
      const rows = (await run(services)) ?? 0;
      const ms = Math.round(performance.now() - startedAt);
      if (rows > 0 || ms > 1_000) services.log.info({ task: name, rows, ms }, "maintenance");
    } catch (error) {
      services.log.error({ err: error, task: name }, "maintenance failed; it runs again in an hour");
    }
  }
}

function retentionTask({ name, deleteOld }: NonNullable<Feature["storedData"]>[number]): MaintenanceTask[] {
  return deleteOld ? [{ name: `retention: ${name}`, run: deleteOld }] : [];
}
