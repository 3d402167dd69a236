import { statfs } from "node:fs/promises";

import { logAction } from "#app/features/admin/operator-log-data.server.ts";
import { isLow } from "#app/features/status/checks.server.ts";
import { listInstances, recentMs, storedInstanceMs } from "#app/features/status/data.server.ts";
import { listQueues } from "#app/features/status/queue-data.server.ts";
import { programVersion } from "#app/services/config/version.ts";
import { measureDatabase, transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { discardGivenUp, listGivenUp, retryGivenUp } from "#app/services/jobs/job-rows.server.ts";

const shownJobs = 50;

export type System = Awaited<ReturnType<typeof readSystem>>;

/** The state of the installation. Times by the database's clock. */
export async function readSystem(all: Services) {
  const { db, maintenance } = all;
  const now = databaseTime(all);
  const [queues, failed, tasks, instances, storage] = await Promise.all([
    listQueues(db, now),
    listGivenUp(db, { now, limit: shownJobs }),
    maintenance.list(),
    listInstances(db, now, storedInstanceMs),
    measureStorage(all),
  ]);
  const processes = instances.map((instance) => ({ ...instance, isSilent: instance.checkedAt < now - recentMs }));
  const running = processes.filter(({ isSilent }) => !isSilent);
  const versions = [...new Set([programVersion, ...running.map(({ version }) => version)])].toSorted();
  return { now, queues, failed, tasks, processes, versions, storage };
}

/** The time by which jobs are run and processes report. */
function databaseTime({ clock, clockCheck }: Pick<Services, "clock" | "clockCheck">): number {
  return clock() - clockCheck.ahead();
}

/** Sizes in bytes. */
async function measureStorage({ db, engine, config, log }: Services) {
  const { bavail, blocks, bsize } = await statfs(config.dataDir);
  const disk = { free: bavail * bsize, total: blocks * bsize };
  const databaseBytes = await measureDatabase({ db, engine }, config.dataDir).catch((error: unknown) => {
    // Some databases that speak PostgreSQL's protocol can't tell.
    log.warn({ err: error }, "the size of the database is unknown");
  });
  const pages = await db
    .selectFrom("rendered_page")
    .select(({ fn }) => [fn.countAll<number>().as("count"), fn.sum<number | null>("bytes").as("bytes")])
    .executeTakeFirstOrThrow();
  return {
    engine,
    disk: { ...disk, isLow: isLow(disk) },
    databaseBytes: databaseBytes ?? undefined,
    pages: { count: pages.count, bytes: pages.bytes ?? 0, maxBytes: config.pageCacheMb * 1_000_000 },
  };
}

/** One job, or all of a kind. */
type JobRequest = { adminId: string } & ({ id: string } | { kind: string });

/** Lets jobs that were given up run again, and logs that. Returns how many: none when another operator was faster. */
export function retryJobs(all: Services, request: JobRequest): Promise<number> {
  return changeJobs(all, request, { action: "job-retry", change: retryGivenUp });
}

/** Deletes one that was given up, and logs that. */
export function discardJob(all: Services, request: { adminId: string; id: string }): Promise<number> {
  return changeJobs(all, request, { action: "job-discard", change: discardGivenUp });
}

type JobChange = { action: "job-retry" | "job-discard"; change: typeof retryGivenUp };

function changeJobs(all: Services, { adminId, ...which }: JobRequest, { action, change }: JobChange): Promise<number> {
  return transact(all.db, async (trx: Trx) => {
    const kinds = await change(trx, { ...which, now: databaseTime(all) });
    const [kind] = kinds;
    if (kind === undefined) return 0;
    const detail = kinds.length === 1 ? `a failed job (${kind})` : `${kinds.length} failed jobs (${kind})`;
    await logAction(trx, { adminId, ownerId: "", action, detail });
    return kinds.length;
  });
}
