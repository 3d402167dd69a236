import { programVersion } from "#app/services/config/version.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

import {
  checkNames,
  countedDays,
  dayOf,
  encodeResults,
  measureUptime,
  mergeMinute,
  minuteOf,
  minutesPerDay,
  msPerMinute,
  unrecordedDay,
  uptimePercent,
  windowDays,
} from "./rules.ts";
import type { CheckResults, UptimeHistory, UptimeMeasurement } from "./rules.ts";

/** A running process and the results of its last checks; times in epoch milliseconds. */
export type RunningInstance = {
  id: string;
  startedAt: number;
  seenAt: number;
  checkedAt: number;
  results: CheckResults;
  /** "" for a program that is too old to say. */
  version: string;
};

export type Status = { now: number; running: RunningInstance[]; measured: UptimeMeasurement | undefined };

/** A process that hasn't reported for longer than this counts as stopped. */
export const recentMs = 3 * msPerMinute;

/** The current state and the history of the last 90 days. */
export async function readStatus(db: Db, now: number): Promise<Status> {
  const [running, history] = await Promise.all([listInstances(db, now), readHistory(db, now)]);
  return { now, running, measured: measureUptime(history, now) };
}

/** The uptime since the first record, at most of the last 90 days, in percent. Undefined while less than a day is recorded. */
export async function findUptime(
  db: Db,
  now: number,
): Promise<{ percent: number; days: number; since: number } | undefined> {
  const measured = measureUptime(await readHistory(db, now), now);
  if (!measured || measured.total.minutes < minutesPerDay) return undefined;
  return { percent: uptimePercent(measured.total), days: countedDays(measured), since: measured.since };
}

/** The processes that reported lately, oldest first. Times far in the future come from a wrong clock and are ignored. */
export async function listInstances(db: Db, now: number, maxAgeMs = recentMs): Promise<RunningInstance[]> {
  const rows = await db
    .selectFrom("instance")
    .select(["id", "started_at", "seen_at", "checked_at", "version", ...checkNames])
    .where("checked_at", ">=", now - maxAgeMs)
    .where("checked_at", "<=", now + recentMs)
    .orderBy("started_at")
    .orderBy("id")
    .execute();
  return rows.map(({ id, started_at: startedAt, seen_at: seenAt, checked_at: checkedAt, version, ...results }) => {
    return { id, startedAt, seenAt, checkedAt, results, version };
  });
}

async function readHistory(db: Db, now: number): Promise<UptimeHistory> {
  const today = dayOf(minuteOf(now));
  const firstDay = today - windowDays + 1;
  const rows = await db
    .selectFrom("status_day")
    .selectAll()
    .where("day", ">=", firstDay)
    .where("day", "<=", today)
    .execute();
  const older = await db.selectFrom("status_day").select("day").where("day", "<", firstDay).limit(1).executeTakeFirst();
  const byDay = new Map(rows.map(({ day, minutes }) => [day, minutes]));
  const days = Array.from({ length: windowDays }, (_, n) => byDay.get(firstDay + n) ?? unrecordedDay);
  return { codes: days.join(""), isOlder: older !== undefined };
}

/** What a process found at one time (epoch milliseconds). */
export type Heartbeat = { checkedAt: number; results: CheckResults };

/** Merges heartbeats into their days. Safe to repeat, in several processes at once, and late. The last one is shown as the process's state. */
export async function saveHeartbeats(db: Db, id: string, heartbeats: readonly Heartbeat[]): Promise<void> {
  await transact(db, async (trx) => {
    for (const [day, ofDay] of Map.groupBy(heartbeats, ({ checkedAt }) => dayOf(minuteOf(checkedAt)))) {
      // Inserts the row or updates it unchanged: both lock it, so that a second process waits here.
      const stored = await trx
        .insertInto("status_day")
        .values({ day, minutes: unrecordedDay })
        .onConflict((conflict) =>
          conflict.column("day").doUpdateSet((row) => ({ minutes: row.ref("status_day.minutes") })),
        )
        .returning("minutes")
        .executeTakeFirstOrThrow();
      const codes = [...stored.minutes];
      for (const { checkedAt, results } of ofDay) {
        const position = minuteOf(checkedAt) % minutesPerDay;
        codes[position] = mergeMinute(codes[position] ?? "-", encodeResults(results));
      }
      await trx
        .updateTable("status_day")
        .set({ minutes: codes.join("") })
        .where("day", "=", day)
        .execute();
    }
    const last = heartbeats.at(-1);
    if (!last) return;
    const state = { checked_at: last.checkedAt, ...last.results };
    await trx.updateTable("instance").set(state).where("id", "=", id).execute();
  });
}

/** Records that this process is running, and returns the time that the database stored. */
export async function saveInstance(
  db: Db,
  { id, startedAt, now }: { id: string; startedAt: number; now: number },
): Promise<number> {
  await db
    .insertInto("instance")
    .values({ id, started_at: startedAt, seen_at: now, version: programVersion })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ seen_at: now }))
    .execute();
  const row = await db.selectFrom("instance").select("seen_at").where("id", "=", id).executeTakeFirst();
  return row?.seen_at ?? 0;
}

export async function removeInstance(db: Db, id: string): Promise<void> {
  await db.deleteFrom("instance").where("id", "=", id).execute();
}

/** How long the row of a process that was killed is stored. */
export const storedInstanceMs = minutesPerDay * msPerMinute;

/** Removes the processes that were killed more than a day ago. */
export async function sweepInstances(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom("instance")
    .where("seen_at", "<", now - storedInstanceMs)
    .execute();
}
