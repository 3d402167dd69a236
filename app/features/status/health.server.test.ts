import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";

import { readStatus } from "./data.server.ts";
import { msPerMinute } from "./rules.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { openUnreliableProxy } from "#tests/support/program/connections.ts";

import { createHeartbeat, millisecondsUntilNext } from "./health.server.ts";

const start = Date.UTC(2026, 10, 21, 12);
const well = async () => "well" as const;
/** Checks that are not under test here. */
const checks = { files: well, mail: well, jobs: well };

async function open(env: Record<string, string> = {}) {
  const time = { now: start };
  const app = await createTestApp({ env, clock: () => time.now });
  const { services, logLines } = app;
  const later = (minutes: number) => (time.now += minutes * msPerMinute);
  return {
    ...app,
    time,
    later,
    db: services.db,
    logged: (text: string) => logLines.filter(({ msg }) => String(msg).includes(text)),
    rows: () => services.db.selectFrom("status_day").select("minutes").orderBy("day").execute(),
    measured: async () => (await readStatus(services.db, time.now)).measured,
  };
}

test("a heartbeat records the results of each minute and leaves nothing else behind", async () => {
  const { services, later, db } = await open();
  const heartbeat = createHeartbeat(services);
  await heartbeat.beat();
  later(1);
  await heartbeat.beat();
  later(1);
  const { measured, running } = await readStatus(db, services.clock());
  expect(measured?.total).toEqual({ minutes: 2, good: 2, failing: 0, gap: 0 });
  const results = { database: "well", files: "well", mail: "well", jobs: "well" };
  const times = { startedAt: start, checkedAt: start + msPerMinute };
  expect(running).toMatchObject([{ id: heartbeat.id, ...times, results }]);
  expect(await Array.fromAsync(services.files.list("status/"))).toEqual([]);
  expect(createHeartbeat(services).id).not.toBe(heartbeat.id);
  await heartbeat.leave();
  expect(await db.selectFrom("instance").selectAll().execute()).toEqual([]);
});

test("the clock is not recorded when it is years behind", async () => {
  const { services, time, rows, logged } = await open();
  time.now = 86_400_000;
  await createHeartbeat(services, { checks }).beat();
  expect(await rows()).toEqual([]);
  expect(logged("years behind")).toHaveLength(1);
});

test("the clock schedules the next heartbeat in the next minute, at the process's own second", () => {
  const times = fc.integer({ min: start, max: start + 10 * msPerMinute });
  fc.assert(
    fc.property(times, fc.integer({ min: 1_000, max: 10_000 }), (now, second) => {
      const next = now + millisecondsUntilNext(now, second);
      expect(Math.floor(next / msPerMinute)).toBe(Math.floor(now / msPerMinute) + 1);
      expect(next % msPerMinute).toBe(second);
    }),
  );
});

describe("a database outage", () => {
  test("is recorded as failing minutes, not as a gap, once it is over", async () => {
    const { services, db, later, measured, logged } = await open();
    const heartbeat = createHeartbeat(services, { checks });
    await heartbeat.beat();
    later(1);
    await db.schema.alterTable("status_day").renameTo("away").execute();
    for (let minute = 0; minute < 3; minute++, later(1)) await heartbeat.beat();
    expect(logged("self-checks cannot be written")).toHaveLength(3);
    await db.schema.alterTable("away").renameTo("status_day").execute();
    await heartbeat.beat();
    later(1);
    const uptime = await measured();
    expect(uptime?.total).toEqual({ minutes: 5, good: 2, failing: 3, gap: 0 });
    expect(uptime?.incidents).toMatchObject([{ kind: "failing", checks: ["database"], isOver: true }]);
  });

  test("of more than two days keeps two days of heartbeats in memory", async () => {
    const { services, later, measured } = await open();
    let isAway = true;
    const database = async () => {
      if (isAway) throw new Error("away");
      return "well" as const;
    };
    const heartbeat = createHeartbeat(services, { checks: { ...checks, database } });
    for (let minute = 0; minute < 3_000; minute++, later(1)) await heartbeat.beat();
    isAway = false;
    await heartbeat.beat();
    later(1);
    expect((await measured())?.total).toEqual({ minutes: 2_880, good: 1, failing: 2_879, gap: 0 });
  });

  test.runIf(listEngines().includes("postgres"))(
    "with hanging connections keeps to the timeout, never overlaps checks, and is recorded",
    async () => {
      const { databaseUrl = "" } = await makeDatabase("postgres", { migrated: false });
      const network = await openUnreliableProxy(databaseUrl);
      onTestFinished(network.close);
      const { services, later, measured, rows } = await open({ DATABASE_URL: network.url });
      const heartbeat = createHeartbeat(services, { checks, limitMs: 2_000 });
      const beat = async () => {
        await heartbeat.beat();
        later(1);
      };
      await beat();
      network.silence(true);
      for (let minute = 0; minute < 3; minute++) await beat();
      network.silence(false);
      network.cut();
      for (let minute = 0; minute < 2; minute++) await beat();
      await network.restore();
      // The pool must notice its broken connections first.
      await expect.poll(() => rows().then(({ length }) => length, String)).toBe(1);
      await beat();
      expect((await measured())?.total).toEqual({ minutes: 7, good: 2, failing: 5, gap: 0 });
    },
  );
});
