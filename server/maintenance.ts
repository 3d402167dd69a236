import type { Feature, MaintenanceTask } from "#app/services/features/feature.ts";
import { transact, updateStatistics } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { storableError } from "#app/services/jobs/job-rows.server.ts";
import { deleteOldMails } from "#app/services/jobs/jobs.server.ts";
import type { JobHandler } from "#app/services/jobs/jobs.server.ts";
import { findTaskRuns, saveTaskRuns } from "#app/services/jobs/maintenance-runs.server.ts";
import type { Maintenance, TaskRun } from "#app/services/jobs/maintenance-runs.server.ts";

const intervalMs = 60 * 60 * 1_000;
const pageSweep = { name: "page sweep", max: 1, windowMs: 50 * 60 * 1_000, isExpected: true } as const;

/** What the services themselves need. */
const serviceTasks: readonly MaintenanceTask[] = [
  { name: "expired sessions and links", run: ({ auth }) => auth.sweep() },
  { name: "rate limits", run: ({ rateLimits }) => rateLimits.sweep() },
  { name: "undelivered mails", run: deleteOldMails },
  { name: "rendered pages", run: ({ renderedPages }) => renderedPages.sweep(), limit: pageSweep },
  { name: "statistics of the query planner", run: (services) => updateStatistics(services) },
];

function listTasks(features: readonly Feature[]): MaintenanceTask[] {
  return [
    ...serviceTasks,
    ...features.flatMap(({ maintenance }) => maintenance ?? []),
    ...features.flatMap(({ storedData }) => storedData ?? []).flatMap(retentionTask),
  ];
}

function retentionTask({ name, deleteOld }: NonNullable<Feature["storedData"]>[number]): MaintenanceTask[] {
  return deleteOld ? [{ name: `retention: ${name}`, run: deleteOld }] : [];
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

/** Runs all tasks, one after the other, and stores their runs. Never throws. */
export async function runMaintenance(features: readonly Feature[], services: Services): Promise<void> {
  const runs: Record<string, TaskRun> = {};
  for (const task of listTasks(features)) {
    const run = await runTask(task, services);
    if (run) runs[task.name] = run;
  }
  await saveTaskRuns(services.db, runs).catch((error: unknown) =>
    services.log.error({ err: error }, "the runs of the maintenance can't be stored"),
  );
}

/** Undefined when its limit was reached. A failure is logged by its name, and what changed rows or took long with its duration. */
async function runTask(
  { name, run, limit }: MaintenanceTask,
  services: Services,
  isLimited = true,
): Promise<TaskRun | undefined> {
  const [at, startedAt] = [services.clock(), performance.now()];
  const elapsedMs = () => Math.round(performance.now() - startedAt);
  try {
    if (isLimited && limit && (await services.rateLimits.consume([{ limit, subject: "all" }]))) return undefined;
    const rows = (await run(services)) ?? undefined;
    const ms = elapsedMs();
    if ((rows ?? 0) > 0 || ms > 1_000) services.log.info({ task: name, rows: rows ?? 0, ms }, "maintenance");
    return { at, ms, rows };
  } catch (error) {
    services.log.error({ err: error, task: name }, "maintenance failed; it runs again in an hour");
    return { at, ms: elapsedMs(), error: storableError(error) };
  }
}

/** Jobs of this kind run a task out of turn: its name is their payload and key. */
export const maintenanceJob = "maintenance";

export function openMaintenance(features: readonly Feature[], services: () => Services): Maintenance {
  const names = listTasks(features).map(({ name }) => name);
  return {
    async list() {
      const runs = await findTaskRuns(services().db);
      return names.map((name) => ({ name, last: runs[name] }));
    },
    async runNow(name) {
      if (!names.includes(name)) return false;
      const { db, jobs, clock, clockCheck } = services();
      const runAt = clock() - clockCheck.ahead();
      await jobs.schedule(db, { kind: maintenanceJob, key: name, payload: name, runAt, hurry: true });
      return true;
    },
  };
}

/** Handles such a job. */
export async function runTaskNow(
  features: readonly Feature[],
  services: Services,
  [payload, { finish }]: Parameters<JobHandler>,
): Promise<void> {
  const task = listTasks(features).find(({ name }) => name === payload);
  // A process of another version may have it.
  if (!task) throw new Error(`There is no maintenance task "${String(payload)}" in this version.`);
  // It may take longer than the lease of a job, and runs again within an hour if this process is killed.
  if (!(await transact(services.db, finish))) return;
  const run = await runTask(task, services, false);
  if (run) await saveTaskRuns(services.db, { [task.name]: run });
}
