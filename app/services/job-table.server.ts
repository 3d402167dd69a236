import type { Selectable } from "kysely";

import type { Db } from "./database.server.ts";
import type { JobTable } from "./schema.ts";
import { withoutEmails } from "./plain-text.ts";

type Job = Selectable<JobTable>;

/** Ids of what is due and in nobody's hands, the longest waiting first. */
export async function listDueJobs(
  db: Db,
  { kinds, now, maxTries }: { kinds: string[]; now: number; maxTries: number },
) {
  if (kinds.length === 0) return [];
  const rows = await db
    .selectFrom("job")
    .select("id")
    .where("run_at", "<=", now)
    .where("leased_until", "<=", now)
    .where("tries", "<", maxTries)
    .where("kind", "in", kinds)
    .orderBy("run_at")
    .limit(10)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Takes the job until `until`, or returns undefined when another worker was faster: of two that write one row the second sees
 * what the first wrote. The clocks of the processes must agree better than the length of a lease.
 */
export async function takeJob(
  db: Db,
  id: string,
  { now, until }: { now: number; until: number },
): Promise<Job | undefined> {
  return db
    .updateTable("job")
    .set((row) => ({ tries: row("tries", "+", 1), leased_until: until, last_error: "The process ended while it ran." }))
    .where("id", "=", id)
    .where("run_at", "<=", now)
    .where("leased_until", "<=", now)
    .returningAll()
    .executeTakeFirst();
}

/** `tries` says that it is still ours: who overran the lease finds it taken, and leaves it to the other. */
export async function finishJob(db: Db, { id, tries }: Job): Promise<void> {
  await db.deleteFrom("job").where("id", "=", id).where("tries", "=", tries).execute();
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
