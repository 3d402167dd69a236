import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

import {
  checkNames,
  dayOf,
  unrecordedDay,
  encodeFailures,
  mergeIntoDay,
  minuteOf,
  minutesPerDay,
  msPerMinute,
  parseDayCodes,
} from "./rules.ts";
import type { CheckResults } from "./rules.ts";

/** The results of one process's checks at one time (epoch milliseconds). */
export type Heartbeat = { instance: string; checkedAt: number; results: CheckResults };

/** Saves in one statement. Idempotent; of two heartbeats of a process in one minute the later one wins. */
export async function saveHeartbeats(db: Db, heartbeats: readonly Heartbeat[]): Promise<void> {
  // One statement can't upsert the same row twice.
  const byMinute = new Map(heartbeats.map((heartbeat) => [minuteOf(heartbeat.checkedAt), heartbeat]));
  if (byMinute.size === 0) return;
  await db
    .insertInto("heartbeat")
    .values(
      Array.from(byMinute, ([minute, { instance, checkedAt, results }]) => ({
        minute,
        instance,
        looked_at: checkedAt,
        ...results,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["minute", "instance"]).doUpdateSet((row) => ({
        looked_at: row.ref("excluded.looked_at"),
        database: row.ref("excluded.database"),
        files: row.ref("excluded.files"),
        mail: row.ref("excluded.mail"),
        jobs: row.ref("excluded.jobs"),
      })),
    )
    .execute();
}

/** Records that this process is running, and returns the time that the database stored. */
export async function saveInstance(
  db: Db,
  { id, startedAt, now }: { id: string; startedAt: number; now: number },
): Promise<number> {
  await db
    .insertInto("instance")
    .values({ id, started_at: startedAt, seen_at: now })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ seen_at: now }))
    .execute();
  const row = await db.selectFrom("instance").select("seen_at").where("id", "=", id).executeTakeFirst();
  return row?.seen_at ?? 0;
}

export async function removeInstance(db: Db, id: string): Promise<void> {
  await db.deleteFrom("instance").where("id", "=", id).execute();
}

/**
 * Rolls up each day that is older than `rawDays` into one row, and removes processes that were killed. Safe to repeat and to run in several
 * processes at once. A heartbeat that arrives later is merged into its day by the next run.
 */
export async function rollUp(db: Db, now: number): Promise<void> {
  const firstRawMinute = (dayOf(minuteOf(now)) - rawDays + 1) * minutesPerDay;
  for (let day = await oldestDay(db, firstRawMinute); day !== undefined; day = await oldestDay(db, firstRawMinute)) {
    const rolled = day;
    await transact(db, (trx) => rollUpDay(trx, rolled));
  }
  await db
    .deleteFrom("instance")
    .where("seen_at", "<", now - instanceRetentionMs)
    .execute();
}

/** Heartbeats of today and the two days before are stored per minute and process. */
export const rawDays = 3;
const instanceRetentionMs = minutesPerDay * msPerMinute;

async function oldestDay(db: Db, firstRawMinute: number): Promise<number | undefined> {
  const row = await db
    .selectFrom("heartbeat")
    .select("minute")
    .where("minute", "<", firstRawMinute)
    .orderBy("minute")
    .limit(1)
    .executeTakeFirst();
  return row && dayOf(row.minute);
}

async function rollUpDay(trx: Trx, day: number): Promise<void> {
  // Inserts the row or updates it unchanged: both lock it, so that a second process waits here.
  const { minutes: before } = await trx
    .insertInto("status_day")
    .values({ day, minutes: unrecordedDay })
    .onConflict((conflict) => conflict.column("day").doUpdateSet((row) => ({ minutes: row.ref("status_day.minutes") })))
    .returning("minutes")
    .executeTakeFirstOrThrow();
  // Counts exactly the deleted rows, not those that were inserted in between.
  const rows = await trx
    .deleteFrom("heartbeat")
    .where("minute", ">=", day * minutesPerDay)
    .where("minute", "<", (day + 1) * minutesPerDay)
    .returning(["minute", ...checkNames])
    .execute();
  const results = rows.map(({ minute, ...checks }) => ({ minute, bits: encodeFailures(checks) }));
  await trx
    .updateTable("status_day")
    .set({ minutes: mergeIntoDay(parseDayCodes(before), results) })
    .where("day", "=", day)
    .execute();
}
