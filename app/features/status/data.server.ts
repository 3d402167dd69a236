import { sql } from "kysely";

import type { Db } from "#app/services/database.server.ts";

import { checkNames, dayOf, emptyDay, layOver, minuteOf, MINUTES_PER_DAY, MS_PER_MINUTE, readMarks } from "./rules.ts";
import type { Found, MinuteFound } from "./rules.ts";
import { daysCounted, measure, percentOf, WINDOW_DAYS } from "./uptime.ts";
import type { History, Measured } from "./uptime.ts";

/** A process that runs now and what it found when it looked last; times in epoch milliseconds. */
export type RunningInstance = { id: string; startedAt: number; lookedAt: number; found: Found };

export type Status = { now: number; running: RunningInstance[]; measured: Measured | undefined };

/** Who has said nothing for so long does not run any more, as far as anybody knows. */
export const LATELY_MS = 3 * MS_PER_MINUTE;

/** How it is now, and how it was. */
export async function readStatus(db: Db, now: number): Promise<Status> {
  const [running, history] = await Promise.all([listRunning(db, now), readHistory(db, now)]);
  return { now, running, measured: measure(history, now) };
}

/**
 * The share of minutes that were well, in percent and cut off after two digits, of all since the first record or in 90 days. Undefined
 * while less than a day is recorded.
 */
export async function findUptime(
  db: Db,
  now: number,
): Promise<{ percent: number; days: number; since: number } | undefined> {
  const measured = measure(await readHistory(db, now), now);
  if (!measured || measured.total.minutes < MINUTES_PER_DAY) return undefined;
  return { percent: percentOf(measured.total), days: daysCounted(measured), since: measured.since };
}

/** Those that run, the longest first. A time far ahead is of a clock that was wrong. */
async function listRunning(db: Db, now: number): Promise<RunningInstance[]> {
  const rows = await db
    .selectFrom("instance")
    .innerJoin("heartbeat", "heartbeat.instance", "instance.id")
    .select(["instance.id", "instance.started_at", "heartbeat.looked_at", ...checkNames])
    .where("instance.seen_at", ">=", now - LATELY_MS)
    .where("instance.seen_at", "<=", now + LATELY_MS)
    .where("heartbeat.minute", ">=", minuteOf(now - LATELY_MS))
    .where("heartbeat.minute", "<=", minuteOf(now + LATELY_MS))
    .orderBy("instance.started_at")
    .orderBy("instance.id")
    .orderBy("heartbeat.minute")
    .execute();
  // The last of each stays.
  const byId = new Map(
    rows.map(({ id, started_at, looked_at, database, files, mail, jobs }) => [
      id,
      { id, startedAt: started_at, lookedAt: looked_at, found: { database, files, mail, jobs } },
    ]),
  );
  return [...byId.values()];
}

/** Minutes are read before the days that they are rolled up into: in between they are found in both, never in none. */
async function readHistory(db: Db, now: number): Promise<History> {
  const end = minuteOf(now);
  const firstDay = dayOf(end) - WINDOW_DAYS + 1;
  const firstRaw = await findFirstMinute(db);
  const raw = await listMinutes(db, { from: firstDay * MINUTES_PER_DAY, until: end });
  const firstStored = await findFirstStored(db);
  const rolledUp = await db
    .selectFrom("status_day")
    .selectAll()
    .where("day", ">=", firstDay)
    .where("day", "<=", dayOf(end))
    .execute();
  const rawByDay = Map.groupBy(raw, ({ minute }) => dayOf(minute));
  const stored = new Map(rolledUp.map(({ day, minutes }) => [day, readMarks(minutes)]));
  const firsts = [firstRaw, firstStored].filter((minute) => minute !== undefined);
  return {
    marksOf: (day) => layOver(stored.get(day) ?? emptyDay, rawByDay.get(day) ?? []),
    first: firsts.length > 0 ? Math.min(...firsts) : undefined,
  };
}

/** The minutes that are not rolled up, each once however many processes looked in it. */
async function listMinutes(db: Db, { from, until }: { from: number; until: number }): Promise<MinuteFound[]> {
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
  return rows.map(({ minute, is_well, ...found }) => ({
    minute,
    bits: is_well ? 0 : checkNames.reduce((bits, name, place) => bits | (found[name] << place), 0),
  }));
}

async function findFirstMinute(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom("heartbeat").select("minute").orderBy("minute").limit(1).executeTakeFirst();
  return row?.minute;
}

async function findFirstStored(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom("status_day").selectAll().orderBy("day").limit(1).executeTakeFirst();
  const place = row ? readMarks(row.minutes).search(/[^-]/) : -1;
  return row && place >= 0 ? row.day * MINUTES_PER_DAY + place : undefined;
}
