import { expect, test } from "vitest";

import type { Db } from "#app/services/database.server.ts";
import { describeOnEachDatabase, makeDatabase } from "#tests/support/databases.ts";

import { findUptime, LATELY_MS, readStatus } from "./data.server.ts";
import { hideInstance, RAW_DAYS, rollUp, saveHeartbeats, showInstance } from "./record.server.ts";
import { emptyDay, MINUTES_PER_DAY, MS_PER_MINUTE } from "./rules.ts";
import type { Found } from "./rules.ts";

const today = 20_778;
const noon = today * MINUTES_PER_DAY + 720;
const at = (minute: number) => minute * MS_PER_MINUTE + 4_000;
const well: Found = { database: "well", files: "well", mail: "unset", jobs: "well" };
const mailFails: Found = { ...well, mail: "failing" };

async function beat(db: Db, minutes: number[], { instance = "a", found = well } = {}) {
  for (let from = 0; from < minutes.length; from += 100) {
    const heartbeats = minutes.slice(from, from + 100).map((minute) => ({ instance, lookedAt: at(minute), found }));
    await saveHeartbeats(db, heartbeats);
  }
}

const range = (from: number, until: number) => Array.from({ length: until - from }, (_, n) => from + n);
const totalOf = async (db: Db, minute = noon) => (await readStatus(db, at(minute))).measured?.total;
const rawRows = async (db: Db) => (await db.selectFrom("heartbeat").select("minute").execute()).length;

describeOnEachDatabase("the status", (makeDb) => {
  test("of an installation that never looked at itself is not known", async () => {
    const db = await makeDb();
    expect(await readStatus(db, at(noon))).toEqual({ now: at(noon), running: [], measured: undefined });
    expect(await findUptime(db, at(noon))).toBeUndefined();
  });

  test("counts each minute once, however many processes looked and however often it was written", async () => {
    const db = await makeDb();
    for (const instance of ["a", "b", "a"]) await beat(db, range(noon - 10, noon - 5), { instance });
    expect(await totalOf(db)).toEqual({ minutes: 10, good: 5, failing: 0, gap: 5 });
  });

  test("a minute is well when one process found everything well, and failing when none did", async () => {
    const db = await makeDb();
    await beat(db, [noon - 3, noon - 2, noon - 1], { instance: "a", found: mailFails });
    await beat(db, [noon - 2], { instance: "b" });
    await beat(db, [noon - 1], { instance: "b", found: { ...well, files: "failing" } });
    const { measured } = await readStatus(db, at(noon));
    expect(measured?.total).toEqual({ minutes: 3, good: 1, failing: 2, gap: 0 });
    expect(measured?.stretches.map(({ checks }) => checks)).toEqual([["mail"], ["files", "mail"]]);
  });

  test("of two looks of one process in a minute the later one stands", async () => {
    const db = await makeDb();
    await beat(db, [noon - 1]);
    await beat(db, [noon - 1], { found: mailFails });
    expect(await totalOf(db)).toMatchObject({ good: 0, failing: 1 });
  });

  test("shows who runs now with what was found last, and not who ended or fell silent", async () => {
    const db = await makeDb();
    for (const [id, seen] of [
      ["early", 0],
      ["late", 0],
      ["silent", LATELY_MS + 1],
      ["gone", 0],
    ] as const) {
      await showInstance(db, { id, startedAt: at(noon - 100) + (id === "late" ? 1 : 0), now: at(noon) - seen });
      await beat(db, [noon - 1], { instance: id, found: mailFails });
      await beat(db, [noon], { instance: id });
    }
    await hideInstance(db, "gone");
    const { running } = await readStatus(db, at(noon) + 100);
    expect(running.map(({ id }) => id)).toEqual(["early", "late"]);
    expect(running[0]).toEqual({ id: "early", startedAt: at(noon - 100), lookedAt: at(noon), found: well });
    expect((await readStatus(db, at(noon) + LATELY_MS + 1_000)).running).toEqual([]);
  });

  test("gives a figure once a whole day is on record", async () => {
    const db = await makeDb();
    await beat(db, range(noon - MINUTES_PER_DAY, noon - 1));
    expect(await findUptime(db, at(noon - 1))).toBeUndefined();
    expect(await findUptime(db, at(noon))).toEqual({
      percent: 99.93,
      days: 1,
      since: (noon - MINUTES_PER_DAY) * MS_PER_MINUTE,
    });
  });
});

describeOnEachDatabase("rolling up", (makeDb, engine) => {
  const old = (today - RAW_DAYS) * MINUTES_PER_DAY;

  test("makes one row of a day, says the same as before, and leaves the last days as they are", async () => {
    const db = await makeDb();
    await beat(db, range(old + 100, old + 200));
    await beat(db, range(old + 150, old + 160), { instance: "b", found: mailFails });
    await beat(db, range(old + 200, old + 210), { instance: "b", found: mailFails });
    await beat(db, range(old + MINUTES_PER_DAY, old + MINUTES_PER_DAY + 5));
    const before = await readStatus(db, at(noon));
    for (let times = 0; times < 3; times++) await rollUp(db, at(noon));
    expect(await readStatus(db, at(noon))).toEqual(before);
    expect(await rawRows(db)).toBe(5);
    const days = await db.selectFrom("status_day").selectAll().execute();
    expect(days).toEqual([{ day: today - RAW_DAYS, minutes: expect.stringMatching(/^-{100}0{100}4{10}-{1230}$/) }]);
  });

  test("keeps what comes late, also for a day that was rolled up, and counts nothing twice", async () => {
    const db = await makeDb();
    await beat(db, range(old, old + 100));
    await rollUp(db, at(noon));
    await beat(db, range(old + 90, old + 120));
    const late = await totalOf(db);
    expect(late).toMatchObject({ good: 120 });
    await rollUp(db, at(noon));
    expect(await totalOf(db)).toEqual(late);
    expect(await rawRows(db)).toBe(0);
  });

  test("by many at once, while heartbeats arrive, loses and doubles nothing", async () => {
    const database = await makeDatabase(engine);
    const others = engine === "postgres" ? [await database.open(), await database.open()] : [];
    const dbs = [database, ...others].map(({ db }) => db);
    const days = range(0, 3).map((day) => old - day * MINUTES_PER_DAY);
    for (const day of days) await beat(database.db, range(day, day + 300));
    await Promise.all([
      ...dbs.flatMap((db) => [rollUp(db, at(noon)), rollUp(db, at(noon))]),
      ...days.map((day) => beat(database.db, range(day + 250, day + 500), { instance: "late" })),
    ]);
    await Promise.all(dbs.map((db) => rollUp(db, at(noon))));
    expect(await totalOf(database.db)).toMatchObject({ good: 1_500, failing: 0 });
    expect(await rawRows(database.db)).toBe(0);
  });

  test("while it runs, a reader sees every minute at all times", async () => {
    const database = await makeDatabase(engine);
    const reader = engine === "postgres" ? await database.open() : database;
    await beat(database.db, range(old, old + 1_440));
    const seen: unknown[] = [];
    const roll = new AbortController();
    const reading = (async () => {
      while (!roll.signal.aborted) seen.push((await totalOf(reader.db))?.good);
    })();
    for (let times = 0; times < 5; times++) {
      await rollUp(database.db, at(noon));
      await beat(database.db, range(old, old + 1_440), { instance: `later ${times}` });
    }
    roll.abort();
    await reading;
    expect(new Set(seen)).toEqual(new Set([1_440]));
  });

  test("by a machine whose clock is a year ahead takes nothing away", async () => {
    const db = await makeDb();
    await beat(db, range(noon - 60, noon));
    const before = await totalOf(db);
    await rollUp(db, at(noon + 365 * MINUTES_PER_DAY));
    await beat(db, [noon]);
    expect(await totalOf(db)).toEqual(before);
    expect(await totalOf(db, noon + 1)).toMatchObject({ good: 61, gap: 0 });
  });

  test("a day's row that can't be read is a gap, and no crash", async () => {
    const db = await makeDb();
    await beat(db, range(noon - 60, noon));
    await db
      .insertInto("status_day")
      .values({ day: today - 5, minutes: "?" })
      .execute();
    await db
      .insertInto("status_day")
      .values({ day: today - 4, minutes: emptyDay.replace("-", "0") })
      .execute();
    const { measured } = await readStatus(db, at(noon));
    expect(measured?.total.good).toBe(60);
  });

  test("forgets processes that were killed a day ago", async () => {
    const db = await makeDb();
    await showInstance(db, { id: "killed", startedAt: 0, now: at(noon) - 86_400_001 });
    await showInstance(db, { id: "alive", startedAt: 0, now: at(noon) });
    await rollUp(db, at(noon));
    expect(await db.selectFrom("instance").select("id").execute()).toEqual([{ id: "alive" }]);
  });
});
