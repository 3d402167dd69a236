import { randomBytes, randomUUID } from "node:crypto";
import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { withTimeout } from "#app/services/base/time-limit.ts";
import type { Services } from "#app/services/http/context.ts";
import { maxJobTries } from "#app/services/jobs/job-rows.server.ts";

import { cachedRead } from "./cached-read.ts";
import { removeInstance, saveInstance } from "./data.server.ts";
import { msPerMinute } from "./rules.ts";
import type { CheckName, CheckResults, CheckState } from "./rules.ts";

/** Resolves to "well", or "unset" when there is nothing to check; throws the failure. */
export type Check = () => Promise<"well" | "unset">;

/** This process: a random id and when it started (epoch milliseconds). */
export type ProcessIdentity = { id: string; startedAt: number };

/** The checks of `checkNames`. Each performs a real operation of the product. */
export function createChecks(services: Services, self: ProcessIdentity): Record<CheckName, Check> {
  return {
    database: () => checkDatabase(services, self),
    files: async () => {
      if ((await checkStorage(services, self)) === "low") services.log.warn("the disk of DATA_DIR is almost full");
      return "well";
    },
    mail: () => checkMail(services),
    jobs: () => checkJobs(services, self),
  };
}

/** Writes and reads a row: a read-only database is failing. */
async function checkDatabase({ db, clock, clockCheck }: Services, self: ProcessIdentity) {
  // By the database's clock: other processes look for those that were seen lately.
  const now = clock() - clockCheck.ahead();
  const stored = await saveInstance(db, { ...self, now });
  if (stored !== now) throw new Error(`the database returned ${stored} after ${now} was written`);
  return "well" as const;
}

/** Stores, reads and removes a file under a name of this process, and looks at the data folder's disk, which has more than files. */
async function checkStorage({ files, config }: Services, { id }: ProcessIdentity) {
  const path = `${probeFolder}${id}/probe`;
  const written = randomBytes(probeBytes);
  await files.put(path, written, "application/octet-stream");
  const read = await files.read(path);
  await files.remove(path);
  if (!read || !written.equals(read)) throw new Error("file storage returned different bytes than were written");
  const probe = join(config.dataDir, "write-test");
  try {
    await writeFile(probe, written, { flush: true, mode: 0o600 });
  } finally {
    await rm(probe, { force: true });
  }
  const { bavail, blocks, bsize } = await statfs(config.dataDir);
  return isLow({ free: bavail * bsize, total: blocks * bsize }) ? ("low" as const) : ("well" as const);
}

/** In bytes: less than 1 GB or 5 % is free. */
export function isLow({ free, total }: { free: number; total: number }): boolean {
  return free < Math.max(1_000_000_000, total / 20);
}

const probeFolder = "status/";
/** More than a file system stores without a block of its own. */
const probeBytes = 16_384;

/** Removes the probe files of processes that were killed during a check. */
export async function sweepProbes({ files, clock }: Pick<Services, "files" | "clock">): Promise<void> {
  for await (const { path, writtenAt } of files.list(probeFolder)) {
    if (writtenAt < clock() - 60 * msPerMinute) await files.remove(path);
  }
}

/** Signs in to the mail server, or checks the local outbox when there is none. */
async function checkMail({ mail }: Services) {
  if (!mail.isConfigured) return "unset" as const;
  await mail.check();
  return "well" as const;
}

/** A job that is due for minutes without a lease means that no process takes jobs, or that there are too many. */
async function checkJobs({ db, clock, clockCheck }: Services, { startedAt }: ProcessIdentity) {
  await clockCheck.measure();
  const problem = clockCheck.problem();
  if (problem) throw new Error(problem);
  const now = clock() - clockCheck.ahead();
  // Jobs that waited while no process ran get a moment to be taken.
  if (now - startedAt < maxWaitMs) return "well" as const;
  const waiting = await db
    .selectFrom("job")
    .select(["kind", "run_at"])
    .where("run_at", "<", now - maxWaitMs)
    .where("leased_until", "<", now - maxWaitMs)
    .where("tries", "<", maxJobTries)
    .orderBy("run_at")
    .limit(1)
    .executeTakeFirst();
  if (!waiting) return "well" as const;
  const minutes = Math.floor((now - waiting.run_at) / msPerMinute);
  throw new Error(`a job (${waiting.kind}) has been due for ${minutes} minutes and no process has run it`);
}

const maxWaitMs = 5 * msPerMinute;

/** `low`: there is little space left. */
export type Readiness = { database: "well" | "failing"; files: "well" | "low" | "failing" };

/** Whether this process can write right now. Never throws; at most once a second, because every visitor can request it. */
export const readReadiness = cachedRead(1_000, async (services: Services, now): Promise<Readiness> => {
  const probe = { id: randomUUID(), startedAt: now };
  async function attempt<State>(check: string, work: () => Promise<State>): Promise<State | "failing"> {
    try {
      return await withTimeout(readinessTimeoutMs, work());
    } catch (error) {
      services.log.error({ err: error, check }, "this process is not ready");
      return "failing";
    }
  }
  const [database, files] = await Promise.all([
    attempt("database", async () => {
      const state = await checkDatabase(services, probe);
      await removeInstance(services.db, probe.id);
      return state;
    }),
    attempt("files", () => checkStorage(services, probe)),
  ]);
  return { database, files };
});

const readinessTimeoutMs = 3_000;

type CheckRunnerOptions = {
  log: Services["log"];
  /** A check that takes longer is failing. */
  limitMs: number;
  /** A monotonic clock in milliseconds. */
  elapsed?: () => number;
};

/** A check that never ends is then given up, and a new one may start. */
const giveUpAfterMs = 5 * msPerMinute;

/** Returns a function that runs all checks at once and never throws. */
export function createCheckRunner(
  checks: Record<CheckName, Check>,
  { log, limitMs, elapsed = () => performance.now() }: CheckRunnerOptions,
): () => Promise<CheckResults> {
  const hanging = new Map<CheckName, number>();
  const failing = new Set<CheckName>();

  async function run(name: CheckName): Promise<CheckState> {
    try {
      const begunAt = elapsed();
      if (begunAt - (hanging.get(name) ?? -Infinity) < giveUpAfterMs)
        throw new Error("an earlier run is still hanging");
      hanging.set(name, begunAt);
      // One that was given up may end during the next one.
      const work = Promise.try(checks[name]).finally(() => hanging.get(name) === begunAt && hanging.delete(name));
      const state = await withTimeout(limitMs, work);
      if (failing.delete(name)) log.info({ check: name }, `self-check: ${name} is working again`);
      return state;
    } catch (error) {
      log.error({ err: error, check: name }, `self-check: ${name} is failing`);
      failing.add(name);
      return "failing";
    }
  }

  return async () => {
    const [database, files, mail, jobs] = await Promise.all([run("database"), run("files"), run("mail"), run("jobs")]);
    return { database, files, mail, jobs };
  };
}
