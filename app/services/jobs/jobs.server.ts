import { randomUUID } from "node:crypto";

import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { Logger } from "pino";

import { withoutEmails } from "#app/services/base/plain-text.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { deleteInParts } from "./long-work.server.ts";
import type { JobTable } from "#app/services/database/schema.ts";

export type Jobs = {
  /** Adds a job. With a transaction, the job exists only if that commits. */
  enqueue: (db: Db | Trx, kind: string, payload: unknown) => Promise<void>;
  /** The same for later: the job doesn't start before `runAt` (epoch milliseconds). */
  schedule: (db: Db | Trx, job: ScheduledJob) => Promise<void>;
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
  /** Deletes the job in this transaction. False when the lease ended and another worker claimed the job: then write nothing. */
  finish: (trx: Trx) => Promise<boolean>;
};

type ScheduledJob = { kind: string; payload: unknown; runAt: number };

type JobsDeps = {
  db: Db;
  clock: () => number;
  log: Logger;
  /** By kind. Jobs of other kinds are left to processes that know them, such as a newer version. */
  handlers: Record<string, JobHandler>;
  /** False while this process may claim none. */
  canClaim?: () => boolean;
};

/** Background jobs in the table `job`, which survive restarts and are shared by all processes. */
export function createJobs({ db, clock, log, handlers: initialHandlers, canClaim = () => true }: JobsDeps): Jobs {
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

  async function schedule(db: Db | Trx, { kind, payload, runAt }: ScheduledJob) {
    const job = { id: randomUUID(), kind, payload: JSON.stringify(payload), run_at: runAt, created_at: clock() };
    await db.insertInto("job").values(job).execute();
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
    try {
      await handlers.get(job.kind)?.(JSON.parse(job.payload), { finish: (trx) => finishJob(trx, job) });
      await finishJob(db, job);
    } catch (error) {
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

  return { enqueue, schedule, handle, start, stop, runDue };
}

type TakeOptions = Pick<JobsDeps, "db" | "clock"> & { kinds: readonly string[]; slow: SlowJobs };

/** Another worker may be faster to claim each due job. */
async function takeNext({ db, clock, kinds, slow }: TakeOptions): Promise<Job | undefined> {
  for (;;) {
    const now = clock();
    const due = await listDueJobs(db, { kinds: kinds.filter(slow.canStart), now, maxTries: maxJobTries });
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

type Job = Selectable<JobTable>;

const maxWorkers = 4;
const maxSlowWorkers = 2;
const pollMs = 1000;
const commitDelayMs = 50;
const leaseMs = 2 * 60_000;
/** From the database's clock: two processes may differ in opposite directions. */
export const maxClockDifferenceMs = leaseMs / 2;
/** Ten tries take about a day and a half. A job that fails the last one stays in the table for the operator, a mail for 30 days. */
export const maxJobTries = 10;
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

/** Due jobs that no worker holds, oldest first. */
export async function listDueJobs(
  db: Db,
  { kinds, now, maxTries }: { kinds: string[]; now: number; maxTries: number },
) {
  if (kinds.length === 0) return [];
  return db
    .selectFrom("job")
    .select(["id", "kind"])
    .where("run_at", "<=", now)
    .where("leased_until", "<=", now)
    .where("tries", "<", maxTries)
    .where("kind", "in", kinds)
    .orderBy("run_at")
    .limit(10)
    .execute();
}

/**
 * Claims the job until `until`, or returns undefined when another worker was faster: of two updates of one row, the second sees the first.
 * The clocks of the processes must differ by less than a lease.
 */
export async function claimJob(
  db: Db,
  id: string,
  { now, until }: { now: number; until: number },
): Promise<Job | undefined> {
  return db
    .updateTable("job")
    .set((row) => ({
      tries: row("tries", "+", 1),
      leased_until: until,
      last_error: "The process ended while the job was running.",
    }))
    .where("id", "=", id)
    .where("run_at", "<=", now)
    .where("leased_until", "<=", now)
    .returningAll()
    .executeTakeFirst();
}

/** Returns false and does nothing when the lease ended and another worker claimed the job, which increased `tries`. */
export async function finishJob(db: Db | Trx, { id, tries }: Job): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("job")
    .where("id", "=", id)
    .where("tries", "=", tries)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function postponeJob(
  db: Db,
  { id, tries }: Job,
  { runAt, error }: { runAt: number; error: unknown },
): Promise<void> {
  const last_error = withoutEmails(error instanceof Error ? error.message : String(error))
    .slice(0, 1000)
    .replaceAll("\u0000", "");
  await db
    .updateTable("job")
    .set({ run_at: Math.round(runAt), leased_until: 0, last_error: last_error.toWellFormed() })
    .where("id", "=", id)
    .where("tries", "=", tries)
    .execute();
}
