import type { ExpressionBuilder } from "kysely";

import type { Db } from "#app/services/database/database.server.ts";
import type { Schema } from "#app/services/database/schema.ts";
import { maxJobTries } from "#app/services/jobs/job-rows.server.ts";

/** Work that waits in the database. */
export type Queue = {
  /** The kind of the jobs, "events" or "webhooks". */
  name: string;
  /** That is being done, or will be tried now or later. */
  waiting: number;
  /** Since when the oldest that no process has claimed is due (epoch milliseconds). */
  dueSince: number | undefined;
  /** Jobs that failed their last try; they stay until an operator decides. */
  givenUp: number;
};

/** The queues that aren't empty. `now` by the database's clock. */
export async function listQueues(db: Db, now: number): Promise<Queue[]> {
  // The last try of a job may still be running.
  const isGivenUp = (row: ExpressionBuilder<Schema, "job">) =>
    row.and([row("tries", ">=", maxJobTries), row("leased_until", "<=", now)]);
  const jobs = await db
    .selectFrom("job")
    .select(({ fn }) => [
      "kind as name",
      fn
        .countAll<number>()
        .filterWhere((row) => row.not(isGivenUp(row)))
        .as("waiting"),
      fn.countAll<number>().filterWhere(isGivenUp).as("givenUp"),
      fn
        .min<number | null>("run_at")
        .filterWhere("tries", "<", maxJobTries)
        .filterWhere("run_at", "<=", now)
        .filterWhere("leased_until", "<=", now)
        .as("dueSince"),
    ])
    .groupBy("kind")
    .orderBy("kind")
    .execute();
  const event = await db
    .selectFrom("event")
    .select(({ fn }) => [
      fn.countAll<number>().as("waiting"),
      fn.min<number | null>("created_at").filterWhere("leased_until", "<=", now).as("dueSince"),
    ])
    .executeTakeFirstOrThrow();
  const delivery = await db
    .selectFrom("webhook_delivery")
    .innerJoin("webhook_endpoint", "webhook_endpoint.id", "endpoint_id")
    .select(({ fn }) => [
      fn.countAll<number>().as("waiting"),
      // A receiver that doesn't respond is its owner's problem.
      fn
        .min<number | null>("next_attempt_at")
        .filterWhere("next_attempt_at", "<=", now)
        .filterWhere("paused_until", "<=", now)
        .as("dueSince"),
    ])
    .where("next_attempt_at", "is not", null)
    .executeTakeFirstOrThrow();
  return [...jobs, { name: "events", ...event, givenUp: 0 }, { name: "webhooks", ...delivery, givenUp: 0 }].flatMap(
    ({ dueSince, ...queue }) =>
      queue.waiting + queue.givenUp > 0 ? { ...queue, dueSince: dueSince ?? undefined } : [],
  );
}
