import { sql } from "kysely";
import PQueue from "p-queue";
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
  /** Adds a queue beside the table `job`. */
  addQueue: <Work>(queue: WorkQueue<Work>) => void;
  /** Polls the queues every second, and the jobs immediately when this process adds one. */
  start: () => void;
  /** Claims nothing more and waits for what runs. The rest runs after the next start, or in another process. */
  stop: () => Promise<void>;
  /**
   * Runs all that is due, or what is due in one queue ("jobs" is the table), and returns when there is nothing more to start and what it
   * started has ended.
   */
  runDue: (queue?: string) => Promise<void>;
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

/** A queue with limits of its own: its work doesn't wait for that of other queues. */
export type WorkQueue<Work> = {
  name: string;
  /**
   * Claims what is due at `now`, which all processes agree on, as far as its limits allow beside what runs in this process. Each one starts
   * before the next one is claimed.
   */
  claimDue: (running: ReadonlyMap<Work, unknown>, now: number) => AsyncIterable<Work>;
  run: (work: Work) => Promise<void>;
  /** For the log, when claiming fails. */
  problem: string;
};

type JobsDeps = {
  db: Db;
  clock: () => number;
  log: Logger;
  /** By kind. Jobs of other kinds are left to processes that know them, such as a newer version. */
  handlers: Record<string, JobHandler>;
  /** False while this process may claim nothing from any queue: with a wrong clock, it would take what another process has claimed. */
  canClaim?: () => boolean;
  metrics?: Metrics;
};

/** Background jobs in the table `job`, which survive restarts and are shared by all processes, and the work of other queues. */
export function createJobs({ db, clock, log, metrics, canClaim, handlers: initialHandlers }: JobsDeps): Jobs {
  const handlers = new Map(Object.entries(initialHandlers));
  const slowKinds = new Set<string>();
  const queues = createQueues({ log, clock, canClaim });
  const problem = "jobs can't be claimed from the database";
  const fillSoon = queues.addQueue({ name: "jobs", claimDue, run, problem });

  async function enqueue(db: Db | Trx, kind: string, payload: unknown) {
    await schedule(db, { kind, payload, runAt: clock() });
    // In a transaction it isn't visible yet. If the commit takes longer than this delay, the next poll finds it.
    setTimeout(fillSoon, db.isTransaction ? commitDelayMs : 0);
  }

  async function schedule(db: Db | Trx, job: ScheduledJob) {
    await insertJob(db, job, clock());
  }

  function handle(kind: string, handler: JobHandler, { isSlow = false } = {}) {
    if (handlers.has(kind)) throw new Error(`There is already a handler for jobs of kind "${kind}".`);
    handlers.set(kind, handler);
    if (isSlow) slowKinds.add(kind);
  }

  async function* claimDue(running: ReadonlyMap<Job, unknown>, now: number) {
    const hasRoom = (kind: string, id?: string) => {
      const slow = [...running.keys()].filter((job) => slowKinds.has(job.kind));
      // A slow job that still runs here when its lease has ended isn't started twice.
      const isLimited = slow.length >= maxSlowWorkers || slow.some((job) => job.id === id);
      return running.size < maxWorkers && !(isLimited && slowKinds.has(kind));
    };
    const kinds = [...handlers.keys()].filter((kind) => hasRoom(kind));
    for (const { id, kind } of await listDueJobs(db, { kinds, now })) {
      const job = hasRoom(kind, id) && (await claimJob(db, id, { now, until: now + leaseMs }));
      if (job) yield job;
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
    }
  }

  return { enqueue, schedule, cancel: deleteWaitingJob, handle, ...queues };
}

type OpenQueue = {
  name: string;
  running: ReadonlyMap<unknown, Promise<void>>;
  /** Starts what is due, and returns it. */
  fill: () => Promise<Promise<void>[]>;
  fillSoon: () => void;
};

/** Polls the queues, and runs what they claim. */
function createQueues({ log, clock, canClaim = () => true }: Pick<JobsDeps, "log" | "clock" | "canClaim">) {
  const queues: OpenQueue[] = [];
  let timer: NodeJS.Timeout | undefined;
  let state: "idle" | "started" | "stopped" = "idle";

  const mayClaim = () => state !== "stopped" && canClaim();

  /** Returns a function that starts what is due in the queue before the next poll. */
  function addQueue<Work>({ name, claimDue, run, problem }: WorkQueue<Work>): () => void {
    const running = new Map<Work, Promise<void>>();
    const fills = new PQueue({ concurrency: 1 });
    const logProblem = (error: unknown) => log.error({ err: error }, problem);

    async function startDue(): Promise<Promise<void>[]> {
      const started: Promise<void>[] = [];
      for (let before = -1; before < started.length && mayClaim();) {
        before = started.length;
        for await (const work of claimDue(running, clock())) {
          const ended = run(work).catch(logProblem);
          running.set(work, ended);
          void ended.then(() => running.delete(work)).then(fillSoon);
          started.push(ended);
          if (!mayClaim()) break;
        }
      }
      return started;
    }

    const fill = () => fills.add(startDue);
    function fillSoon() {
      // A fill that still waits finds the same work.
      if (state === "started" && fills.size === 0) fill().catch(logProblem);
    }
    queues.push({ name, running, fill, fillSoon });
    return fillSoon;
  }

  function poll() {
    for (const { fillSoon } of queues) fillSoon();
    timer = setTimeout(poll, pollMs);
  }

  function start() {
    state = "started";
    poll();
  }

  async function stop() {
    state = "stopped";
    clearTimeout(timer);
    // These start nothing, but wait for a claim that runs.
    await Promise.all(queues.map(({ fill }) => fill()));
    await Promise.all(queues.flatMap(({ running }) => [...running.values()]));
  }

  async function runDue(name?: string) {
    const chosen = queues.filter((queue) => name === undefined || queue.name === name);
    for (;;) {
      const started = (await Promise.all(chosen.map(({ fill }) => fill()))).flat();
      if (started.length === 0) return;
      await Promise.all(started);
    }
  }

  return { addQueue, start, stop, runDue };
}

/** Begins a run. Returns a function that notes its end. */
function timeRun({ kind }: Job, metrics: Metrics | undefined) {
  const startedAt = performance.now();
  return (outcome: Outcome) => metrics?.noteJob({ kind, outcome, ms: performance.now() - startedAt });
}

const pollMs = 1000;
const maxWorkers = 4;
const maxSlowWorkers = 2;
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
