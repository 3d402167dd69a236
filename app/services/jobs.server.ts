import { randomUUID } from "node:crypto";

import type { Selectable } from "kysely";
import type { Logger } from "pino";

import type { Db, Trx } from "./database.server.ts";
import { finishJob, listDueJobs, postponeJob, takeJob } from "./job-table.server.ts";
import type { JobTable } from "./schema.ts";

export type Jobs = {
  /** Notes work to be done soon. In a transaction (`trx`) it is noted if, and only if, that commits. */
  enqueue: (db: Db | Trx, kind: string, payload: unknown) => Promise<void>;
  /** Looks for work each second, and at once when this process notes some. */
  start: () => void;
  /** Takes no more and waits for what runs. What is left is done after the next start, or by another process. */
  stop: () => Promise<void>;
  /** Runs all that is due, until nothing is, and returns when it is done. */
  runDue: () => Promise<void>;
};

/** Does the work of one kind. It runs at least once, so it must be safe to repeat, and ends within two minutes (the lease). */
export type JobHandler = (payload: unknown) => Promise<void>;

type Parts = {
  db: Db;
  clock: () => number;
  log: Logger;
  /** By kind. Work of other kinds is left to processes that know it: a newer version that runs beside this one. */
  handlers: Record<string, JobHandler>;
};

/** Work for later, in the table `job`: it survives a restart, and any number of processes share it. */
export function createJobs({ db, clock, log, handlers }: Parts): Jobs {
  const lanes = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let state: "idle" | "started" | "stopped" = "idle";

  async function enqueue(db: Db | Trx, kind: string, payload: unknown) {
    const now = clock();
    const job = { id: randomUUID(), kind, payload: JSON.stringify(payload), run_at: now, created_at: now };
    await db.insertInto("job").values(job).execute();
    // In a transaction nobody can see it yet. A moment later it is there, or else the next look finds it.
    if (state === "started") look(db.isTransaction ? COMMITTED_WITHIN : 0);
  }

  function look(after: number) {
    clearTimeout(timer);
    timer = setTimeout(() => {
      openLane();
      look(LOOK_EVERY);
    }, after);
  }

  function openLane() {
    if (state !== "started" || lanes.size >= LANES) return;
    const lane = runLane()
      .catch((error: unknown) => log.error({ err: error }, "jobs can't be taken from the database"))
      .finally(() => lanes.delete(lane));
    lanes.add(lane);
  }

  async function runLane() {
    for (;;) {
      const job = state === "stopped" ? undefined : await takeNext();
      if (!job) return;
      // There may be more to do than this one, which may take long.
      openLane();
      await run(job);
    }
  }

  /** Somebody else may be faster with each of those that are due. */
  async function takeNext(): Promise<Job | undefined> {
    const now = clock();
    for (const id of await listDueJobs(db, { kinds: Object.keys(handlers), now, maxTries: MAX_TRIES })) {
      const job = await takeJob(db, id, { now, until: now + LEASE });
      if (job) return job;
    }
    return undefined;
  }

  async function run(job: Job) {
    try {
      await handlers[job.kind]?.(JSON.parse(job.payload));
      await finishJob(db, job);
    } catch (error) {
      const about = { err: error, job: job.id, kind: job.kind, tries: job.tries };
      if (job.tries < MAX_TRIES) log.warn(about, "a job failed and will be tried again");
      else log.error(about, "a job failed for good; it stays in the table");
      await postponeJob(db, job, { runAt: clock() + backOff(job.tries), error });
    }
  }

  function start() {
    state = "started";
    look(0);
  }

  async function stop() {
    state = "stopped";
    clearTimeout(timer);
    await Promise.all(lanes);
  }

  async function runDue() {
    await Promise.all(Array.from({ length: LANES }, runLane));
    await Promise.all(lanes);
  }

  return { enqueue, start, stop, runDue };
}

type Job = Selectable<JobTable>;

const LANES = 4;
const LOOK_EVERY = 1000;
const COMMITTED_WITHIN = 50;
const LEASE = 2 * 60_000;
/** The ten tries take about a day and a half; what failed that often stays in the table for somebody to look at. */
export const MAX_TRIES = 10;

/** 5 s, 20 s, 80 s … at most 12 hours; up to a quarter more, so that what failed together does not come back together. */
function backOff(tries: number): number {
  return Math.min(5000 * 4 ** (tries - 1), 12 * 3_600_000) * (1 + Math.random() / 4);
}
