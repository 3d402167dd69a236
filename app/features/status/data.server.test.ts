import { expect, test } from "vitest";

import { programVersion as version } from "#app/services/config/version.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { describeOnEachDatabase, makeDatabase } from "#tests/support/database/databases.ts";

import {
  findUptime,
  listInstances,
  readStatus,
  recentMs,
  removeInstance,
  saveHeartbeats,
  saveInstance,
  sweepInstances,
} from "./data.server.ts";
import { minutesPerDay, msPerMinute } from "./rules.ts";
import type { CheckResults } from "./rules.ts";

const noon = 20_778 * minutesPerDay + 720;
const timeOf = (minute: number) => minute * msPerMinute + 4_000;
const well: CheckResults = { database: "well", files: "well", mail: "unset", jobs: "well" };
const mailFails: CheckResults = { ...well, mail: "failing" };
const range = (from: number, until: number) => Array.from({ length: until - from }, (_, n) => from + n);

async function beat(db: Db, minutes: number[], { id = "a", results = well } = {}) {
  const heartbeats = minutes.map((minute) => ({ checkedAt: timeOf(minute), results }));
  await saveHeartbeats(db, id, heartbeats);
}

const measure = async (db: Db, minute = noon) => (await readStatus(db, timeOf(minute))).measured;

describeOnEachDatabase("the status", (makeDb, engine) => {
  test("counts a minute once, as good when one process found everything well", async () => {
    const db = await makeDb();
    expect(await measure(db)).toBeUndefined();
    for (const id of ["a", "b", "a"]) await beat(db, range(noon - 10, noon - 5), { id });
    await beat(db, range(noon - 3, noon), { results: mailFails });
    await beat(db, [noon - 2], { id: "b" });
    await beat(db, [noon - 1], { id: "b", results: { ...well, files: "failing" } });
    const measured = await measure(db);
    expect(measured?.total).toEqual({ minutes: 10, good: 6, failing: 2, gap: 2 });
    expect(measured?.incidents.map(({ checks }) => checks)).toEqual([[], ["mail"], ["files", "mail"]]);
  });

  test("lists running processes with their last results, without stopped and silent ones", async () => {
    const db = await makeDb();
    for (const id of ["late", "early", "silent", "gone", "new"]) {
      await saveInstance(db, { id, startedAt: timeOf(noon - 100) + (id === "late" ? 1 : 0), now: timeOf(noon) });
      if (id !== "new") await beat(db, [noon - 4], { id, results: mailFails });
      if (id !== "silent" && id !== "new") await beat(db, [noon], { id });
    }
    await removeInstance(db, "gone");
    const { running } = await readStatus(db, timeOf(noon) + 100);
    expect(running.map(({ id }) => id)).toEqual(["early", "late"]);
    const times = { startedAt: timeOf(noon - 100), checkedAt: timeOf(noon) };
    expect(running[0]).toEqual({ id: "early", ...times, seenAt: timeOf(noon), results: well, version });
    expect((await readStatus(db, timeOf(noon) + recentMs + 1)).running).toEqual([]);
    expect(await db.selectFrom("instance").select("id").execute()).toHaveLength(4);
    await sweepInstances(db, timeOf(noon) + 86_400_001);
    expect(await db.selectFrom("instance").select("id").execute()).toEqual([]);
  });

  test("lists a silent process for longer if asked to, and one of a version that says none", async () => {
    const db = await makeDb();
    const row = { started_at: 1, seen_at: timeOf(noon) };
    await db
      .insertInto("instance")
      .values({ ...row, id: "old" })
      .execute();
    await saveInstance(db, { id: "new", startedAt: 2, now: timeOf(noon) });
    for (const id of ["old", "new"]) await beat(db, [noon], { id });
    const later = timeOf(noon) + recentMs + 1;
    expect(await listInstances(db, later)).toEqual([]);
    expect(await listInstances(db, later, 2 * recentMs)).toMatchObject([
      { id: "old", seenAt: timeOf(noon), version: "" },
      { id: "new", seenAt: timeOf(noon), version },
    ]);
  });

  test("has an uptime once a whole day is recorded, counted from the first of the last ninety days", async () => {
    const db = await makeDb();
    await beat(db, range(noon - minutesPerDay, noon - 1));
    expect(await findUptime(db, timeOf(noon - 1))).toBeUndefined();
    const since = (noon - minutesPerDay) * msPerMinute;
    expect(await findUptime(db, timeOf(noon))).toEqual({ percent: 99.93, days: 1, since });
    await beat(db, [noon - 90 * minutesPerDay, noon + 365 * minutesPerDay]);
    expect(await measure(db)).toMatchObject({ total: { minutes: 89 * minutesPerDay + 720, good: 1_439 } });
  });

  test("loses nothing that several processes write at the same time, late and over midnight", async () => {
    const database = await makeDatabase(engine);
    const others = engine === "postgres" ? [await database.open(), await database.open()] : [];
    const midnight = noon - 720;
    const writes = [database, database, ...others].map(({ db }, n) =>
      beat(db, range(midnight - 300 + n * 50, midnight + 300 + n * 50), {
        id: `${n}`,
        results: n === 0 ? mailFails : well,
      }),
    );
    await Promise.all(writes);
    const until = midnight + 250 + writes.length * 50;
    expect((await measure(database.db, until))?.total).toMatchObject({
      failing: 50,
      gap: 0,
      minutes: until - midnight + 300,
    });
  });
});
