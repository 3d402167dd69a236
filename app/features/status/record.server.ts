import { transact } from "#app/services/database.server.ts";
import type { Db, Trx } from "#app/services/database.server.ts";

import {
  checkNames,
  dayOf,
  emptyDay,
  failingBits,
  layOver,
  minuteOf,
  MINUTES_PER_DAY,
  MS_PER_MINUTE,
  readMarks,
} from "./rules.ts";
import type { Found } from "./rules.ts";

/** What one process found at a moment (epoch milliseconds). */
export type Heartbeat = { instance: string; lookedAt: number; found: Found };

/** One statement. Writing the same again changes nothing; of two looks in one minute the later one stands. */
export async function saveHeartbeats(db: Db, heartbeats: readonly Heartbeat[]): Promise<void> {
  // Two rows of one minute can't be in one statement.
  const byMinute = new Map(heartbeats.map((heartbeat) => [minuteOf(heartbeat.lookedAt), heartbeat]));
  if (byMinute.size === 0) return;
  await db
    .insertInto("heartbeat")
    .values(
      Array.from(byMinute, ([minute, { instance, lookedAt, found }]) => rowOf({ minute, instance, lookedAt, found })),
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

function rowOf({ minute, instance, lookedAt, found }: Heartbeat & { minute: number }) {
  return { minute, instance, looked_at: lookedAt, ...found };
}

/** For a process whose clock was ahead: what it said of minutes that are still to come. */
export async function forgetLater(db: Db, { instance, after }: { instance: string; after: number }): Promise<void> {
  await db.deleteFrom("heartbeat").where("instance", "=", instance).where("minute", ">", minuteOf(after)).execute();
}

/** Says that this process runs, and returns the time that the database has of it. */
export async function showInstance(
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

export async function hideInstance(db: Db, id: string): Promise<void> {
  await db.deleteFrom("instance").where("id", "=", id).execute();
}

/**
 * Rolls up the days before yesterday's yesterday, one row each, and forgets processes that were killed. Safe to repeat and in any number of
 * processes at once; a heartbeat that arrives later is laid over its day the next time.
 */
export async function rollUp(db: Db, now: number): Promise<void> {
  const firstKept = (dayOf(minuteOf(now)) - RAW_DAYS + 1) * MINUTES_PER_DAY;
  for (let day = await oldestDay(db, firstKept); day !== undefined; day = await oldestDay(db, firstKept)) {
    const rolled = day;
    await transact(db, (trx) => rollUpDay(trx, rolled));
  }
  await db
    .deleteFrom("instance")
    .where("seen_at", "<", now - FORGOTTEN_AFTER)
    .execute();
}

/** Today, yesterday and the day before are kept minute by minute and process by process. */
export const RAW_DAYS = 3;
const FORGOTTEN_AFTER = MINUTES_PER_DAY * MS_PER_MINUTE;

async function oldestDay(db: Db, firstKept: number): Promise<number | undefined> {
  const row = await db
    .selectFrom("heartbeat")
    .select("minute")
    .where("minute", "<", firstKept)
    .orderBy("minute")
    .limit(1)
    .executeTakeFirst();
  return row && dayOf(row.minute);
}

async function rollUpDay(trx: Trx, day: number): Promise<void> {
  // Makes the row, or writes it as it is: either way it is ours until the end, and a second process waits here.
  const { minutes: before } = await trx
    .insertInto("status_day")
    .values({ day, minutes: emptyDay })
    .onConflict((conflict) => conflict.column("day").doUpdateSet((row) => ({ minutes: row.ref("status_day.minutes") })))
    .returning("minutes")
    .executeTakeFirstOrThrow();
  // What is taken is what was deleted, and nothing that came in between.
  const rows = await trx
    .deleteFrom("heartbeat")
    .where("minute", ">=", day * MINUTES_PER_DAY)
    .where("minute", "<", (day + 1) * MINUTES_PER_DAY)
    .returning(["minute", ...checkNames])
    .execute();
  const found = rows.map(({ minute, ...checks }) => ({ minute, bits: failingBits(checks) }));
  await trx
    .updateTable("status_day")
    .set({ minutes: layOver(readMarks(before), found) })
    .where("day", "=", day)
    .execute();
}
