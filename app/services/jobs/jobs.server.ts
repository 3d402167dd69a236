import { sql } from "kysely";
import type { Logger } from "pino";

import type { Db, Trx } from "#app/services/database/database.server.ts";
import {
  claimJob,
  deleteWaitingJob,
  finishJob,
  insertJob,
  listDueJobs,
  maxJobTries,
  postponeJob,
  restartJob,
} from "./job-rows.server.ts";
import type { Job, ScheduledJob } from "./job-rows.server.ts";
import type { Metrics, Outcome } from "#app/services/metrics/metrics.server.ts";

import { deleteInParts } from "./long-work.server.ts";

export type Jobs = {
  /** Adds a job. With a transaction, the job exists only if that commits. */
  enqueue: (db: Db | Trx, kind: string, payload: unknown) => Promise<void>;
  /** The same for later, and for jobs with a key. */
  schedule: (db: Db | Trx, job: ScheduledJob) => Promise<void>;
  /** Deletes the job with this key if it waits; one that runs goes on. */
  cancel: (db: Db | Trx, job: { kind: string; key: string }) => Promise<void>;
  /**
   * Registers the handler of one kind, in addition to those given at the start. Throws when the kind has one. Slow kinds wait for servers that
   * users chose: together they get half of the workers, so that mails don't wait for them.
   */
  handle: (kind: string, handler: JobHandler, options?: { isSlow?: boolean }) => void;
  /** Polls for jobs every second, and immediately when this process adds one. */
  start: () => void;
  /** Claims no more jobs and waits for the running ones. The rest runs after the next start, or in another process. */
  stop: () => Promise<void>;
  /** Runs all due jobs and returns when none is left. */
  runDue: () => Promise<void>;
};

/**
 * Runs the jobs of one kind. It runs at least once, so it must be idempotent, and must end within two minutes (the lease). What it writes
 * in a transaction that also calls `finish` happens exactly once.
 */
export type JobHandler = (payload: unknown, job: RunningJob) => Promise<void>;

export type RunningJob = {
  /** Ends the job in this transaction. False when the lease ended and another worker claimed the job: then write nothing. */
  finish: (trx: Trx) => Promise<boolean>;
  /** Runs the job again at this time (epoch milliseconds), as if it were new: for a failure with delays of its own, and for a part of the work. */
  runAgain: (next: { runAt: number; payload: unknown }) => Promise<void>;
};

type JobsDeps = {
  db: Db;
  clock: () => number;
  log: Logger;
  /** By kind. Jobs of other kinds are left to processes that know them, such as a newer version. */
  handlers: Record<string, JobHandler>;
  /** False while this process may claim none. */
  canClaim?: () => boolean;
  metrics?: Metrics;
};

/** Background jobs in the table `job`, which survive restarts and are shared by all processes. */
export function createJobs({ db, clock, log, handlers: initialHandlers, ...options }: JobsDeps): Jobs {
  const { canClaim = () => true, metrics } = options;
  const handlers = new Map(Object.entries(initialHandlers));
  const workers = new Set<Promise<void>>();
  const slow = createSlowJobs();
  let timer: NodeJS.Timeout | undefined;
  let state: "idle" | "started" | "stopped" = "idle";

  async function enqueue(db: Db | Trx, kind: string, payload: unknown) {
    await schedule(db, { kind, payload, runAt: clock() });
    // In a transaction it isn't visible yet. If the commit takes longer than this delay, the next poll finds it.
    if (state === "started") poll(db.isTransaction ? commitDelayMs : 0);
  }

  async function schedule(db: Db | Trx, job: ScheduledJob) {
    await insertJob(db, job, clock());
  }

  function handle(kind: string, handler: JobHandler, { isSlow = false } = {}) {
    if (handlers.has(kind)) throw new Error(`There is already a handler for jobs of kind "${kind}".`);
    handlers.set(kind, handler);
    if (isSlow) slow.addKind(kind);
  }

  function poll(delayMs: number) {
    clearTimeout(timer);
    timer = setTimeout(() => {
      startWorker();
      poll(pollMs);
    }, delayMs);
  }

  function startWorker() {
    if (state !== "started" || workers.size >= maxWorkers) return;
    const worker = runWorker()
      .catch((error: unknown) => log.error({ err: error }, "jobs can't be claimed from the database"))
      .finally(() => workers.delete(worker));
    workers.add(worker);
  }

  async function runWorker() {
    for (;;) {
      if (state === "stopped" || !canClaim()) return;
      const job = await takeNext({ db, clock, kinds: [...handlers.keys()], slow });
      if (!job) return;
      // Starts another worker for the next job, because this one may take long.
      startWorker();
      await run(job);
    }
  }

  async function run(job: Job) {
    const note = timeRun(job, metrics);
    try {
      await handlers.get(job.kind)?.(JSON.parse(job.payload), {
        finish: (trx) => finishJob(trx, job),
        runAgain: async (next) => void (await restartJob(db, job, next)),
      });
      await finishJob(db, job);
      note("done");
    } catch (error) {
      note(job.tries < maxJobTries ? "failed" : "given-up");
      const about = { err: error, job: job.id, kind: job.kind, tries: job.tries };
      if (job.tries < maxJobTries) log.warn(about, "a job failed and will be retried");
      else log.error(about, "a job failed permanently; it stays in the table");
      await postponeJob(db, job, { runAt: clock() + backOff(job.tries), error });
    } finally {
      slow.release(job.id);
    }
  }

  function start() {
    state = "started";
    poll(0);
  }

  async function stop() {
    state = "stopped";
    clearTimeout(timer);
    await Promise.all(workers);
  }

  async function runDue() {
    await Promise.all(Array.from({ length: maxWorkers }, runWorker));
    await Promise.all(workers);
  }

  return { enqueue, schedule, cancel: deleteWaitingJob, handle, start, stop, runDue };
}

/** Begins a run. Returns a function that notes its end. */
function timeRun({ kind }: Job, metrics: Metrics | undefined) {
  const startedAt = performance.now();
  return (outcome: Outcome) => metrics?.noteJob({ kind, outcome, ms: performance.now() - startedAt });
}

type TakeOptions = Pick<JobsDeps, "db" | "clock"> & { kinds: readonly string[]; slow: SlowJobs };

/** Another worker may be faster to claim each due job. */
async function takeNext({ db, clock, kinds, slow }: TakeOptions): Promise<Job | undefined> {
  for (;;) {
    const now = clock();
    const due = await listDueJobs(db, { kinds: kinds.filter(slow.canStart), now });
    for (const { id, kind } of due) {
      if (!slow.reserve(id, kind)) continue;
      let job: Job | undefined;
      try {
        job = await claimJob(db, id, { now, until: now + leaseMs });
      } finally {
        if (!job) slow.release(id);
      }
      if (job) return job;
    }
    // Otherwise slow jobs, which can't start anymore, may have hidden others.
    if (due.every(({ kind }) => slow.canStart(kind))) return undefined;
  }
}

type SlowJobs = ReturnType<typeof createSlowJobs>;

/** The jobs of slow kinds that this process has claimed, or is about to. */
function createSlowJobs() {
  const kinds = new Set<string>();
  const ids = new Set<string>();
  return {
    addKind: (kind: string) => void kinds.add(kind),
    canStart: (kind: string) => ids.size < maxSlowWorkers || !kinds.has(kind),
    /** False for a slow job that can't start now. */
    reserve(id: string, kind: string): boolean {
      if (!kinds.has(kind)) return true;
      if (ids.size >= maxSlowWorkers || ids.has(id)) return false;
      ids.add(id);
      return true;
    },
    release: (id: string) => void ids.delete(id),
  };
}

const maxWorkers = 4;
const maxSlowWorkers = 2;
const pollMs = 1000;
const commitDelayMs = 50;
const leaseMs = 2 * 60_000;
/** From the database's clock: two processes may differ in opposite directions. */
export const maxClockDifferenceMs = leaseMs / 2;
const keptMailMs = 30 * 24 * 3_600_000;

/** Deletes mails that could not be delivered: they name people who may have been erased since. */
export function deleteOldMails({ db, clock }: { db: Db; clock: () => number }): Promise<number> {
  const where = sql`kind = 'mail' and tries >= ${maxJobTries} and created_at < ${clock() - keptMailMs}`;
  return deleteInParts(db, { from: "job", key: ["id"], where });
}

/** 5 s, 20 s, 80 s … at most 12 hours, plus up to a quarter, so that jobs that failed together are not retried together. */
function backOff(tries: number): number {
  return Math.min(5000 * 4 ** (tries - 1), 12 * 3_600_000) * (1 + Math.random() / 4);
}
