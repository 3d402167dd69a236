import { sql } from "kysely";

import type { Db } from "#app/services/database/database.server.ts";

import {
  checkNames,
  dayOf,
  unrecordedDay,
  mergeIntoDay,
  minuteOf,
  minutesPerDay,
  msPerMinute,
  parseDayCodes,
} from "./rules.ts";
import type { CheckResults, MinuteResult } from "./rules.ts";
import { countedDays, measureUptime, uptimePercent, windowDays } from "./uptime.ts";
import type { UptimeHistory, UptimeMeasurement } from "./uptime.ts";

/** A running process and the results of its last checks; times in epoch milliseconds. */
export type RunningInstance = { id: string; startedAt: number; checkedAt: number; results: CheckResults };

export type Status = { now: number; running: RunningInstance[]; measured: UptimeMeasurement | undefined };

/** A process that hasn't reported for longer than this counts as stopped. */
export const recentMs = 3 * msPerMinute;

/** The current state and the history of the last 90 days. */
export async function readStatus(db: Db, now: number): Promise<Status> {
  const [running, history] = await Promise.all([listRunning(db, now), readHistory(db, now)]);
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

/** The running processes, oldest first. Times far in the future come from a wrong clock and are ignored. */
async function listRunning(db: Db, now: number): Promise<RunningInstance[]> {
  const rows = await db
    .selectFrom("instance")
    .innerJoin("heartbeat", "heartbeat.instance", "instance.id")
    .select(["instance.id", "instance.started_at", "heartbeat.looked_at", ...checkNames])
    .where("instance.seen_at", ">=", now - recentMs)
    .where("instance.seen_at", "<=", now + recentMs)
    .where("heartbeat.minute", ">=", minuteOf(now - recentMs))
    .where("heartbeat.minute", "<=", minuteOf(now + recentMs))
    .orderBy("instance.started_at")
    .orderBy("instance.id")
    .orderBy("heartbeat.minute")
    .execute();
  // The last row of each process wins.
  const byId = new Map(
    rows.map(({ id, started_at, looked_at, database, files, mail, jobs }) => [
      id,
      { id, startedAt: started_at, checkedAt: looked_at, results: { database, files, mail, jobs } },
    ]),
  );
  return [...byId.values()];
}

/** Reads minutes before days: what is rolled up in between is found in both, never in neither. */
async function readHistory(db: Db, now: number): Promise<UptimeHistory> {
  const end = minuteOf(now);
  const firstDay = dayOf(end) - windowDays + 1;
  const firstRaw = await findFirstMinute(db);
  const raw = await listMinutes(db, { from: firstDay * minutesPerDay, until: end });
  const firstStored = await findFirstStored(db);
  const rolledUp = await db
    .selectFrom("status_day")
    .selectAll()
    .where("day", ">=", firstDay)
    .where("day", "<=", dayOf(end))
    .execute();
  const rawByDay = Map.groupBy(raw, ({ minute }) => dayOf(minute));
  const stored = new Map(rolledUp.map(({ day, minutes }) => [day, parseDayCodes(minutes)]));
  const firsts = [firstRaw, firstStored].filter((minute) => minute !== undefined);
  return {
    codesOf: (day) => mergeIntoDay(stored.get(day) ?? unrecordedDay, rawByDay.get(day) ?? []),
    first: firsts.length > 0 ? Math.min(...firsts) : undefined,
  };
}

/** The minutes that are not rolled up, each once whatever the number of processes. */
async function listMinutes(db: Db, { from, until }: { from: number; until: number }): Promise<MinuteResult[]> {
  const failing = (name: (typeof checkNames)[number]) =>
    sql<number>`max(case when ${sql.ref(name)} = 'failing' then 1 else 0 end)`;
  const isWell = sql<number>`max(case when 'failing' in (database, files, mail, jobs) then 0 else 1 end)`;
  const rows = await db
    .selectFrom("heartbeat")
    .select("minute")
    .select(isWell.as("is_well"))
    .select(checkNames.map((name) => failing(name).as(name)))
    .where("minute", ">=", from)
    .where("minute", "<", until)
    .groupBy("minute")
    .execute();
  return rows.map(({ minute, is_well, ...failures }) => ({
    minute,
    bits: is_well ? 0 : checkNames.reduce((bits, name, position) => bits | (failures[name] << position), 0),
  }));
}

async function findFirstMinute(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom("heartbeat").select("minute").orderBy("minute").limit(1).executeTakeFirst();
  return row?.minute;
}

async function findFirstStored(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom("status_day").selectAll().orderBy("day").limit(1).executeTakeFirst();
  const position = row ? parseDayCodes(row.minutes).search(/[^-]/) : -1;
  return row && position >= 0 ? row.day * minutesPerDay + position : undefined;
}
