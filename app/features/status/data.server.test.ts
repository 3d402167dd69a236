import { expect, test } from "vitest";

import type { Db } from "#app/services/database/database.server.ts";
import { describeOnEachDatabase, makeDatabase } from "#tests/support/database/databases.ts";

import { findUptime, recentMs, readStatus } from "./data.server.ts";
import { removeInstance, rawDays, rollUp, saveHeartbeats, saveInstance } from "./heartbeat-data.server.ts";
import { unrecordedDay, minutesPerDay, msPerMinute } from "./rules.ts";
import type { CheckResults } from "./rules.ts";

const today = 20_778;
const noon = today * minutesPerDay + 720;
const timeOf = (minute: number) => minute * msPerMinute + 4_000;
const well: CheckResults = { database: "well", files: "well", mail: "unset", jobs: "well" };
const mailFails: CheckResults = { ...well, mail: "failing" };

async function beat(db: Db, minutes: number[], { instance = "a", results = well } = {}) {
  for (let from = 0; from < minutes.length; from += 100) {
    const heartbeats = minutes
      .slice(from, from + 100)
      .map((minute) => ({ instance, checkedAt: timeOf(minute), results }));
    await saveHeartbeats(db, heartbeats);
  }
}

const range = (from: number, until: number) => Array.from({ length: until - from }, (_, n) => from + n);
const totalOf = async (db: Db, minute = noon) => (await readStatus(db, timeOf(minute))).measured?.total;
const rawRows = async (db: Db) => (await db.selectFrom("heartbeat").select("minute").execute()).length;

describeOnEachDatabase("the status", (makeDb) => {
  test("is unknown without any record", async () => {
    const db = await makeDb();
    expect(await readStatus(db, timeOf(noon))).toEqual({ now: timeOf(noon), running: [], measured: undefined });
    expect(await findUptime(db, timeOf(noon))).toBeUndefined();
  });

  test("counts each minute once, whatever the number of processes and writes", async () => {
    const db = await makeDb();
    for (const instance of ["a", "b", "a"]) await beat(db, range(noon - 10, noon - 5), { instance });
    expect(await totalOf(db)).toEqual({ minutes: 10, good: 5, failing: 0, gap: 5 });
    // Of two of a process, the later one counts.
    await beat(db, [noon - 1]);
    await beat(db, [noon - 1], { results: mailFails });
    expect(await totalOf(db)).toMatchObject({ good: 5, failing: 1 });
  });

  test("counts a minute as good when one process found everything well", async () => {
    const db = await makeDb();
    await beat(db, [noon - 3, noon - 2, noon - 1], { instance: "a", results: mailFails });
    await beat(db, [noon - 2], { instance: "b" });
    await beat(db, [noon - 1], { instance: "b", results: { ...well, files: "failing" } });
    const { measured } = await readStatus(db, timeOf(noon));
    expect(measured?.total).toEqual({ minutes: 3, good: 1, failing: 2, gap: 0 });
    expect(measured?.incidents.map(({ checks }) => checks)).toEqual([["mail"], ["files", "mail"]]);
  });

  test("lists running processes with their last results, without stopped and silent ones", async () => {
    const db = await makeDb();
    for (const [id, seen] of [
      ["early", 0],
      ["late", 0],
      ["silent", recentMs + 1],
      ["gone", 0],
    ] as const) {
      await saveInstance(db, { id, startedAt: timeOf(noon - 100) + (id === "late" ? 1 : 0), now: timeOf(noon) - seen });
      await beat(db, [noon - 1], { instance: id, results: mailFails });
      await beat(db, [noon], { instance: id });
    }
    await removeInstance(db, "gone");
    const { running } = await readStatus(db, timeOf(noon) + 100);
    expect(running.map(({ id }) => id)).toEqual(["early", "late"]);
    expect(running[0]).toEqual({ id: "early", startedAt: timeOf(noon - 100), checkedAt: timeOf(noon), results: well });
    expect((await readStatus(db, timeOf(noon) + recentMs + 1_000)).running).toEqual([]);
  });

  test("returns the uptime once a whole day is recorded", async () => {
    const db = await makeDb();
    await beat(db, range(noon - minutesPerDay, noon - 1));
    expect(await findUptime(db, timeOf(noon - 1))).toBeUndefined();
    const since = (noon - minutesPerDay) * msPerMinute;
    expect(await findUptime(db, timeOf(noon))).toEqual({ percent: 99.93, days: 1, since });
  });
});

describeOnEachDatabase("rolling up", (makeDb, engine) => {
  const old = (today - rawDays) * minutesPerDay;

  test("stores one row per day without changing the status, and leaves the last days alone", async () => {
    const db = await makeDb();
    await beat(db, range(old + 100, old + 200));
    await beat(db, range(old + 150, old + 160), { instance: "b", results: mailFails });
    await beat(db, range(old + 200, old + 210), { instance: "b", results: mailFails });
    await beat(db, range(old + minutesPerDay, old + minutesPerDay + 5));
    const before = await readStatus(db, timeOf(noon));
    for (let times = 0; times < 3; times++) await rollUp(db, timeOf(noon));
    expect(await readStatus(db, timeOf(noon))).toEqual(before);
    expect(await rawRows(db)).toBe(5);
    const days = await db.selectFrom("status_day").selectAll().execute();
    expect(days).toEqual([{ day: today - rawDays, minutes: expect.stringMatching(/^-{100}0{100}4{10}-{1230}$/) }]);
  });

  test("merges heartbeats that arrive after their day was rolled up", async () => {
    const db = await makeDb();
    await beat(db, range(old, old + 100));
    await rollUp(db, timeOf(noon));
    await beat(db, range(old + 90, old + 120));
    const late = await totalOf(db);
    expect(late).toMatchObject({ good: 120 });
    await rollUp(db, timeOf(noon));
    expect(await totalOf(db)).toEqual(late);
    expect(await rawRows(db)).toBe(0);
  });

  test("in several processes while heartbeats arrive loses and duplicates nothing", async () => {
    const database = await makeDatabase(engine);
    const others = engine === "postgres" ? [await database.open(), await database.open()] : [];
    const dbs = [database, ...others].map(({ db }) => db);
    const days = range(0, 3).map((day) => old - day * minutesPerDay);
    for (const day of days) await beat(database.db, range(day, day + 300));
    await Promise.all([
      ...dbs.flatMap((db) => [rollUp(db, timeOf(noon)), rollUp(db, timeOf(noon))]),
      ...days.map((day) => beat(database.db, range(day + 250, day + 500), { instance: "late" })),
    ]);
    await Promise.all(dbs.map((db) => rollUp(db, timeOf(noon))));
    expect(await totalOf(database.db)).toMatchObject({ good: 1_500, failing: 0 });
    expect(await rawRows(database.db)).toBe(0);
  });

  test("never hides a minute from a concurrent reader", async () => {
    const database = await makeDatabase(engine);
    const reader = engine === "postgres" ? await database.open() : database;
    await beat(database.db, range(old, old + 1_440));
    const seen: unknown[] = [];
    const roll = new AbortController();
    const reading = (async () => {
      while (!roll.signal.aborted) seen.push((await totalOf(reader.db))?.good);
    })();
    for (let times = 0; times < 3; times++) {
      await rollUp(database.db, timeOf(noon));
      await beat(database.db, range(old, old + 1_440), { instance: `later ${times}` });
    }
    roll.abort();
    await reading;
    expect(new Set(seen)).toEqual(new Set([1_440]));
  });

  test("by a machine whose clock is a year ahead removes nothing", async () => {
    const db = await makeDb();
    await beat(db, range(noon - 60, noon));
    const before = await totalOf(db);
    await rollUp(db, timeOf(noon + 365 * minutesPerDay));
    await beat(db, [noon]);
    expect(await totalOf(db)).toEqual(before);
    expect(await totalOf(db, noon + 1)).toMatchObject({ good: 61, gap: 0 });
  });

  test("treats an unreadable day as a gap", async () => {
    const db = await makeDb();
    await beat(db, range(noon - 60, noon));
    const codes = ["?", unrecordedDay.replace("-", "0")];
    const rows = codes.map((minutes, n) => ({ day: today - 5 + n, minutes }));
    await db.insertInto("status_day").values(rows).execute();
    expect(await totalOf(db)).toMatchObject({ good: 60 });
  });

  test("removes processes that were killed a day ago", async () => {
    const db = await makeDb();
    await saveInstance(db, { id: "killed", startedAt: 0, now: timeOf(noon) - 86_400_001 });
    await saveInstance(db, { id: "alive", startedAt: 0, now: timeOf(noon) });
    await rollUp(db, timeOf(noon));
    expect(await db.selectFrom("instance").select("id").execute()).toEqual([{ id: "alive" }]);
  });
});
