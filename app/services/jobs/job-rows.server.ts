import { randomUUID } from "node:crypto";

import type { Selectable } from "kysely";

import { withoutEmails } from "#app/services/base/plain-text.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { JobTable } from "#app/services/database/schema.ts";

export type Job = Selectable<JobTable>;

/** `runAt`: it doesn't start before (epoch milliseconds). */
export type ScheduledJob = { kind: string; payload: unknown; runAt: number } & (
  | { key?: undefined }
  /**
   * At most one job of this kind and key waits or runs. One that waits already stays as it is, but `hurry` brings it forward unless it has
   * failed. One that runs is run again, at `runAt` with this payload.
   */
  | { key: string; hurry?: boolean }
);

/** Ten tries take about a day and a half. A job that fails the last one stays in the table for the operator, a mail for 30 days. */
export const maxJobTries = 10;

export async function insertJob(db: Db | Trx, { kind, payload, runAt, ...keyed }: ScheduledJob, now: number) {
  const job = { id: randomUUID(), kind, payload: JSON.stringify(payload), run_at: runAt, created_at: now };
  const insert = db.insertInto("job");
  if (keyed.key === undefined) return insert.values(job).execute();
  const { key, hurry = false } = keyed;
  // One that was given up stays for the operator.
  const givenUp = db.updateTable("job").set({ key: null }).where("kind", "=", kind).where("key", "=", key);
  await givenUp.where("tries", ">=", maxJobTries).where("leased_until", "<=", now).execute();
  // PostgreSQL locks a job that waits even if nothing is set, so that its run sees what this transaction writes.
  return insert
    .values({ ...job, key })
    .onConflict((conflict) =>
      conflict
        .columns(["kind", "key"])
        .doUpdateSet((row) => {
          const isRunning = row("job.leased_until", ">", 0);
          const [earlier, later] = [row.ref("job.run_at"), row.ref("excluded.run_at")];
          return {
            payload: row.ref("excluded.payload"),
            run_at: row.case().when(isRunning).then(earlier).else(later).end(),
            again_at: row.case().when(isRunning).then(later).else(null).end(),
          };
        })
        .where((row) => {
          const isRunning = row.and([row("job.leased_until", ">", 0), row("job.again_at", "is", null)]);
          const isFresh = row.and([row("job.leased_until", "=", 0), row("job.tries", "=", 0)]);
          const isLater = row("job.run_at", ">", row.ref("excluded.run_at"));
          return hurry ? row.or([isRunning, row.and([isFresh, isLater])]) : isRunning;
        }),
    )
    .execute();
}

/** Deletes a job that waits; one that runs goes on. */
export async function deleteWaitingJob(db: Db | Trx, { kind, key }: { kind: string; key: string }): Promise<void> {
  await db.deleteFrom("job").where("kind", "=", kind).where("key", "=", key).where("leased_until", "=", 0).execute();
}

/** Due jobs that no worker holds, oldest first. */
export async function listDueJobs(db: Db, { kinds, now }: { kinds: string[]; now: number }) {
  if (kinds.length === 0) return [];
  return db
    .selectFrom("job")
    .select(["id", "kind"])
    .where("run_at", "<=", now)
    .where("leased_until", "<=", now)
    .where("tries", "<", maxJobTries)
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
      // This run sees what it was scheduled again for, if the last one was lost.
      again_at: null,
      last_error: "The process ended while the job was running.",
    }))
    .where("id", "=", id)
    .where("run_at", "<=", now)
    .where("leased_until", "<=", now)
    .returningAll()
    .executeTakeFirst();
}

/** Returns false and does nothing when the lease ended and another worker claimed the job, which increased `tries`. */
export async function finishJob(db: Db | Trx, job: Job): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("job")
    .where("id", "=", job.id)
    .where("tries", "=", job.tries)
    .where("again_at", "is", null)
    .executeTakeFirst();
  return numDeletedRows > 0n || (job.key !== null && restartJob(db, job));
}

/** Lets the job wait for another run: for `next`, or for what it was scheduled again for. Its id is new, so that this run can't end that one. */
export async function restartJob(
  db: Db | Trx,
  { id, tries }: Job,
  next?: { runAt: number; payload: unknown },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("job")
    .set((row) => ({
      id: randomUUID(),
      ...(next && { payload: JSON.stringify(next.payload) }),
      run_at: next ? Math.round(next.runAt) : row.fn.coalesce("again_at", "run_at"),
      again_at: null,
      tries: 0,
      leased_until: 0,
      last_error: null,
    }))
    .where("id", "=", id)
    .where("tries", "=", tries)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Jobs that failed their last try and aren't running: one, or all of a kind. `now` by the database's clock. */
type GivenUpJobs = { now: number } & ({ id: string } | { kind: string });

/** Lets them run again at once, with all their tries. Returns their kinds: none when another operator was faster. */
export async function retryGivenUp(db: Db | Trx, { now, ...which }: GivenUpJobs): Promise<string[]> {
  const rows = await db
    .updateTable("job")
    .set({ tries: 0, run_at: now })
    .where((row) => row.and(which))
    .where("tries", ">=", maxJobTries)
    .where("leased_until", "<=", now)
    .returning("kind")
    .execute();
  return rows.map(({ kind }) => kind);
}

/** Deletes them. Returns their kinds. */
export async function discardGivenUp(db: Db | Trx, { now, ...which }: GivenUpJobs): Promise<string[]> {
  const rows = await db
    .deleteFrom("job")
    .where((row) => row.and(which))
    .where("tries", ">=", maxJobTries)
    .where("leased_until", "<=", now)
    .returning("kind")
    .execute();
  return rows.map(({ kind }) => kind);
}

/** The newest of them, without their payloads, which name people. */
export async function listGivenUp(db: Db, { now, limit }: { now: number; limit: number }) {
  return db
    .selectFrom("job")
    .select(["id", "kind", "created_at as createdAt", "last_error as lastError"])
    .where("tries", ">=", maxJobTries)
    .where("leased_until", "<=", now)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
}

export async function postponeJob(
  db: Db,
  { id, tries }: Job,
  { runAt, error }: { runAt: number; error: unknown },
): Promise<void> {
  await db
    .updateTable("job")
    .set((row) => ({
      run_at: Math.round(runAt),
      leased_until: 0,
      // What it was scheduled again for gets a try of its own, even after the last one.
      tries: row
        .case()
        .when("again_at", "is not", null)
        .then(Math.min(tries, maxJobTries - 1))
        .else(tries)
        .end(),
      again_at: null,
      last_error: storableError(error),
    }))
    .where("id", "=", id)
    .where("tries", "=", tries)
    .execute();
}

/** The message of an error as it is stored: without email addresses, and at most 1,000 characters. */
export function storableError(error: unknown): string {
  const text = withoutEmails(error instanceof Error ? error.message : String(error));
  return text.slice(0, 1000).replaceAll("\u0000", "").toWellFormed();
}
