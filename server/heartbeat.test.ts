import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";

import { readStatus } from "#app/features/status/data.server.ts";
import { MS_PER_MINUTE } from "#app/features/status/rules.ts";
import { isMissing, makeDatabase } from "#tests/support/databases.ts";
import { createTestApp } from "#tests/support/test-app.ts";
import { openWeakNetwork } from "#tests/support/weak-network.ts";

import { createHeartbeat, untilNext } from "./heartbeat.ts";

const start = Date.UTC(2026, 10, 21, 12);
const well = async () => "well" as const;
/** What the tests below are not about. */
const checks = { files: well, mail: well, jobs: well };

async function open(env: Record<string, string> = {}) {
  const time = { now: start };
  const app = await createTestApp({ env, clock: () => time.now });
  const { services, logLines } = app;
  const later = (minutes: number) => (time.now += minutes * MS_PER_MINUTE);
  return {
    ...app,
    time,
    later,
    db: services.db,
    logged: (words: string) => logLines.filter(({ msg }) => String(msg).includes(words)),
    rows: () => services.db.selectFrom("heartbeat").selectAll().orderBy("minute").orderBy("instance").execute(),
    measured: async () => (await readStatus(services.db, time.now)).measured,
  };
}

describe("a process", () => {
  test("writes down each minute what it found, and leaves nothing else behind", async () => {
    const { services, later, rows, measured, db } = await open();
    const heartbeat = createHeartbeat(services);
    await heartbeat.beat();
    later(1);
    await heartbeat.beat();
    const all = { database: "well", files: "well", mail: "well", jobs: "well", instance: heartbeat.id };
    const minute = start / MS_PER_MINUTE;
    expect(await rows()).toEqual([
      { ...all, minute, looked_at: start },
      { ...all, minute: minute + 1, looked_at: start + MS_PER_MINUTE },
    ]);
    later(1);
    expect((await measured())?.total).toEqual({ minutes: 2, good: 2, failing: 0, gap: 0 });
    expect(await Array.fromAsync(services.files.list("status/"))).toEqual([]);
    await heartbeat.leave();
    expect(await db.selectFrom("instance").selectAll().execute()).toEqual([]);
  });

  test("that is started again within the minute, or beside another, counts no minute twice", async () => {
    const { services, later, rows, measured } = await open();
    for (let times = 0; times < 3; times++) await createHeartbeat(services).beat();
    expect(new Set((await rows()).map(({ instance }) => instance)).size).toBe(3);
    later(1);
    expect((await measured())?.total).toMatchObject({ minutes: 1, good: 1 });
  });

  test("that stood still for a while leaves a gap, and no minute of it is well", async () => {
    const { services, later, measured } = await open();
    await createHeartbeat(services).beat();
    later(10);
    await createHeartbeat(services).beat();
    later(1);
    expect((await measured())?.total).toEqual({ minutes: 11, good: 2, failing: 0, gap: 9 });
  });
});

describe("the clock", () => {
  test("that went back takes back what was said of minutes to come; going on it counts each once", async () => {
    const { services, later, rows, measured, logged } = await open();
    const heartbeat = createHeartbeat(services, { checks });
    for (let minute = 0; minute < 5; minute++, later(1)) await heartbeat.beat();
    later(-4);
    await heartbeat.beat();
    expect(await rows()).toHaveLength(2);
    expect(logged("the clock went back")).toHaveLength(1);
    later(1);
    for (let minute = 0; minute < 3; minute++, later(1)) await heartbeat.beat();
    expect((await measured())?.total).toEqual({ minutes: 5, good: 5, failing: 0, gap: 0 });
  });

  test("that is years behind makes no first record of 1970", async () => {
    const { services, time, rows, logged } = await open();
    time.now = 86_400_000;
    await createHeartbeat(services, { checks }).beat();
    expect(await rows()).toEqual([]);
    expect(logged("years behind")).toHaveLength(1);
  });

  test("the next look is in the next minute, at the second of this process, whatever the time is", () => {
    const times = fc.integer({ min: start, max: start + 10 * MS_PER_MINUTE });
    fc.assert(
      fc.property(times, fc.integer({ min: 1_000, max: 10_000 }), (now, second) => {
        const next = now + untilNext(now, second);
        expect(Math.floor(next / MS_PER_MINUTE)).toBe(Math.floor(now / MS_PER_MINUTE) + 1);
        expect(next % MS_PER_MINUTE).toBe(second);
      }),
    );
  });
});

describe("a database that is away", () => {
  test("is on record as that once it is back: its minutes are failing and no gap", async () => {
    const { services, db, later, measured, logged } = await open();
    const heartbeat = createHeartbeat(services, { checks });
    await heartbeat.beat();
    later(1);
    await db.schema.alterTable("heartbeat").renameTo("away").execute();
    for (let minute = 0; minute < 150; minute++, later(1)) await heartbeat.beat();
    expect(logged("self-checks can't be written")).toHaveLength(150);
    await db.schema.alterTable("away").renameTo("heartbeat").execute();
    await heartbeat.beat();
    later(1);
    const found = await measured();
    expect(found?.total).toEqual({ minutes: 152, good: 2, failing: 150, gap: 0 });
    expect(found?.stretches).toMatchObject([{ kind: "failing", checks: ["database"], isOver: true }]);
  });

  test("for longer than two days is remembered for two days, and no memory more", async () => {
    const { services, later, rows } = await open();
    let isAway = true;
    const database = async () => {
      if (isAway) throw new Error("away");
      return "well" as const;
    };
    const heartbeat = createHeartbeat(services, { checks: { ...checks, database } });
    for (let minute = 0; minute < 3_000; minute++, later(1)) await heartbeat.beat();
    isAway = false;
    await heartbeat.beat();
    expect(await rows()).toHaveLength(2_880);
  });

  test.skipIf(isMissing("postgres"))(
    "or silent: no look takes longer than it may, none stands beside another, and all is recorded",
    async () => {
      const { databaseUrl = "" } = await makeDatabase("postgres", { migrated: false });
      const network = await openWeakNetwork(databaseUrl);
      onTestFinished(network.close);
      const { services, later, measured, rows } = await open({ DATABASE_URL: network.url });
      const heartbeat = createHeartbeat(services, { checks, limitMs: 2_000 });
      const beat = async () => {
        const began = performance.now();
        await heartbeat.beat();
        later(1);
        return performance.now() - began;
      };
      await beat();
      network.silence(true);
      for (let minute = 0; minute < 3; minute++) expect(await beat()).toBeLessThan(5_000);
      network.silence(false);
      network.cut();
      for (let minute = 0; minute < 2; minute++) await beat();
      await network.restore();
      // The pool has to hear of its broken connections first.
      await expect.poll(() => rows().then(({ length }) => length, String)).toBe(1);
      await beat();
      expect(await rows()).toHaveLength(7);
      expect((await measured())?.total).toEqual({ minutes: 7, good: 2, failing: 5, gap: 0 });
    },
  );
});
