import { expect, test } from "vitest";

import type { Db, Engine } from "#app/services/database/database.server.ts";
import { describeOnEachDatabase, makeDatabase } from "#tests/support/database/databases.ts";
import type { TestDatabase } from "#tests/support/database/databases.ts";
import { insertProfile } from "#tests/support/database/seed.ts";

import { addCounts, deleteCounts } from "#app/features/analytics/data.server.ts";
import type { HourlyCount } from "#app/features/analytics/data.server.ts";
import { isoDayOf } from "#app/services/preferences/owner-days.ts";
import { deleteOldHours, mergeMonths } from "./retention-data.server.ts";
import { rollUp } from "./roll-up-data.server.ts";
import { noOrigin } from "#app/features/analytics/counting/visit-rules.ts";

const ownerId = "ada";
const at = (time: string) => Math.floor(Date.parse(time) / 3_600_000);
const now = Date.parse("2026-11-23T12:00:00Z");

function count(change: Partial<HourlyCount> = {}): HourlyCount {
  const event = { ownerId, subject: "card:1", kind: "visit", target: "" } as const;
  return { ...noOrigin, ...event, hour: at("2026-11-23T10:00Z"), n: 1, firsts: 0, ...change };
}

let batches = 0;
const add = (database: Pick<TestDatabase, "db" | "engine">, ...counts: HourlyCount[]) =>
  addCounts(database, { id: `batch ${(batches += 1)}`, counts }, now);

/** A database with the profile of Ada, in this time zone. */
async function open(engine: Engine, timeZone = "") {
  const database = await makeDatabase(engine);
  await insertProfile(database.db);
  await database.db.insertInto("account_preference").values({ owner_id: ownerId, time_zone: timeZone }).execute();
  return database;
}

/** "2026-11-23 qr": { visits: 3 } without zeros. */
async function readDays(db: Db, dimension: string) {
  const rows = await db.selectFrom("daily_count").selectAll().where("dimension", "=", dimension).execute();
  return Object.fromEntries(
    rows.map(({ owner_id: _owner, dimension: _dimension, day, value, ...counts }) => [
      `${isoDayOf(day)} ${value}`.trim(),
      Object.fromEntries(Object.entries(counts).filter(([, n]) => n !== 0)),
    ]),
  );
}

describeOnEachDatabase("roll-ups", (_makeDb, engine) => {
  test("add up each dimension, also of counts that arrive late", async () => {
    const database = await open(engine);
    await add(
      database,
      count({ source: "qr", device: "phone", country: "DE", n: 3, firsts: 2 }),
      count({ referrer: "news.example", campaign: "spring", device: "desktop" }),
      count({ kind: "click", target: "mine", n: 2 }),
      count({ kind: "save" }),
      count({ kind: "wallet" }),
      count({ kind: "lead" }),
    );
    await rollUp(database, now);
    await rollUp(database, now);
    const day = "2026-11-23";
    const others = { saves: 1, clicks: 2, wallets: 1, leads: 1 };
    const all = { visits: 4, visitors: 2, ...others };
    const fromQr = { visits: 3, visitors: 2 };
    const sources = { [day]: others, [`${day} news.example`]: { visits: 1 }, [`${day} qr`]: fromQr };
    const devices = { [`${day} phone`]: fromQr, [`${day} desktop`]: { visits: 1 } };
    for (const [dimension, counts] of Object.entries({
      all: { [day]: all },
      page: { [`${day} card:1`]: all },
      source: sources,
      link: { [`${day} mine`]: { clicks: 2 } },
      device: devices,
      country: { [`${day} DE`]: fromQr },
      referrer: { [`${day} news.example`]: { visits: 1 } },
      campaign: { [`${day} spring`]: { visits: 1 } },
      // Those that a report can be filtered by.
      "source@page:card:1": sources,
      "page@source:qr": { [`${day} card:1`]: fromQr },
      "device@page:card:1": devices,
      "source@link:mine": { [day]: { clicks: 2 } },
      "link@page:card:1": { [`${day} mine`]: { clicks: 2 } },
      // Monday, the eleventh hour.
      hour: { [`${day} 10`]: all },
    }))
      expect([dimension, await readDays(database.db, dimension)]).toEqual([dimension, counts]);

    await add(database, count({ source: "qr", device: "phone", country: "DE", n: 5, firsts: 1 }));
    await add(database, count({ hour: at("2026-11-20T23:00Z") }));
    await rollUp(database, now);
    const expected = { [day]: { visits: 9, visitors: 3, ...others }, "2026-11-20": { visits: 1 } };
    expect(await readDays(database.db, "all")).toEqual(expected);
  });

  test("use days and hours of the owner's time zone, also when clocks change", async () => {
    const database = await open(engine, "Europe/Berlin");
    // Clocks go forward at 1:00 UTC, and back at 1:00 UTC.
    const spring = ["28T22:00Z", "28T23:00Z", "29T00:00Z", "29T01:00Z"].map((time) => `2026-03-${time}`);
    const autumn = ["24T22:00Z", "25T00:00Z", "25T01:00Z", "25T22:00Z"].map((time) => `2026-10-${time}`);
    await add(database, ...[...spring, ...autumn].map((hour) => count({ hour: at(hour) })));
    await rollUp(database, now);
    const sunday = 6 * 24;
    expect(await readDays(database.db, "hour")).toEqual({
      [`2026-03-28 ${sunday - 1}`]: { visits: 1 },
      [`2026-03-29 ${sunday}`]: { visits: 1 },
      [`2026-03-29 ${sunday + 1}`]: { visits: 1 },
      [`2026-03-29 ${sunday + 3}`]: { visits: 1 },
      [`2026-10-25 ${sunday}`]: { visits: 1 },
      [`2026-10-25 ${sunday + 2}`]: { visits: 2 },
      [`2026-10-25 ${sunday + 23}`]: { visits: 1 },
    });
  });

  test("count once what a process counted whose clock is wrong, on the day of its clock", async () => {
    const database = await open(engine);
    const day = 86_400_000;
    const hours = ["2026-11-22T23:00Z", "2026-11-23T10:00Z", "2026-11-24T01:00Z", "2025-01-01T10:00Z"];
    for (const hour of hours) await add(database, count({ hour: at(hour) }));
    // The process with the wrong clock rolls up as well, and cleans up.
    for (const clock of [now, now + day, now - day, now]) {
      await rollUp(database, clock);
      await deleteOldHours(database, clock);
    }
    await add(database, count({ hour: at("2025-01-01T10:00Z") }));
    await deleteOldHours(database, now);
    await rollUp(database, now);
    expect(await readDays(database.db, "all")).toEqual({
      "2025-01-01": { visits: 2 },
      "2026-11-22": { visits: 1 },
      "2026-11-23": { visits: 1 },
      "2026-11-24": { visits: 1 },
    });
  });

  test("lose and double nothing while two processes count and roll up at once", async () => {
    const database = await open(engine);
    const other = engine === "postgres" ? await database.open() : database;
    const nodes = [database, other].map(({ db }) => ({ db, engine }));
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        nodes.flatMap((node) => [
          add(node, ...Array.from({ length: 30 }, (_, n) => count({ subject: `card:${(n * 7 + round) % 30}` }))),
          rollUp(node, now),
        ]),
      );
    }
    await rollUp(database, now);
    expect(await readDays(database.db, "all")).toEqual({ "2026-11-23": { visits: 600 } });
  });

  test("roll back as a whole, so that a process that is killed in between has changed nothing", async () => {
    const database = await open(engine);
    await add(database, count({ n: 7 }));
    await database.db.schema.alterTable("daily_count").renameTo("away").execute();
    await expect(rollUp(database, now)).rejects.toThrow("daily_count");
    await database.db.schema.alterTable("away").renameTo("daily_count").execute();
    await rollUp(database, now);
    expect(await readDays(database.db, "all")).toEqual({ "2026-11-23": { visits: 7 } });
  });

  test("leave nothing of a deleted account, also when its counts are written later", async () => {
    const database = await open(engine);
    const { db } = database;
    await add(database, count());
    await rollUp(database, now);
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom("profile").where("owner_id", "=", ownerId).execute();
      await deleteCounts(trx, { ownerId, now });
    });
    await add(database, count({ subject: "card:2" }));
    await rollUp(database, now);
    for (const table of ["hourly_count", "daily_count"] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
  });
});

describeOnEachDatabase("old counts", (_makeDb, engine) => {
  test("are deleted per hour after 30 days, and per day become months after 25 months", async () => {
    const database = await open(engine);
    const { db } = database;
    const visits = "2026-10-20 1, 2026-10-30 1, 2024-10-01 1, 2024-09-30 1, 2024-09-01 2, 2023-02-14 5".split(", ");
    const counts = visits
      .map((visit) => visit.split(" "))
      .map(([day, n]) => count({ hour: at(`${day}T10:00Z`), n: Number(n) }));
    await add(database, ...counts);
    // Kept until it is rolled up.
    await deleteOldHours(database, now);
    await rollUp(database, now);
    await deleteOldHours(database, now);
    for (let round = 0; round < 2; round++) await mergeMonths(database, now);
    expect(await db.selectFrom("hourly_count").select("hour").execute()).toEqual([{ hour: at("2026-10-30T10:00Z") }]);
    expect(await readDays(db, "all")).toEqual({
      "2023-02-01": { visits: 5 },
      "2024-09-01": { visits: 3 },
      "2024-10-01": { visits: 1 },
      "2026-10-20": { visits: 1 },
      "2026-10-30": { visits: 1 },
    });
  });
});
