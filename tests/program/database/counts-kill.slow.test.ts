import { setTimeout as pause } from "node:timers/promises";

import { expect, test } from "vitest";

import { openDatabase } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { describeOnEachDatabase, makeDatabase } from "#tests/support/database/databases.ts";
import { freePort } from "#tests/support/program/free-port.ts";
import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";

const rounds = 8;
/** What the program may lose: a visit is in the database within a second. */
const lossMs = 1_000;

describeOnEachDatabase("visits while the program is killed", (_, engine) => {
  test(`are counted once, but for those of the last second, in ${rounds} times kill -9`, async () => {
    const { databaseUrl } = await makeDatabase(engine);
    const env = { PORT: String(await freePort()), DEMO: "on", ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
    let program = await startProgram(env);
    const { db, close } = await openDatabase({ dataDir: program.dataDir, databaseUrl });
    const visits = { sent: 0, safe: 0 };
    try {
      for (let round = 0; round < rounds; round++) {
        expect(await program.isUp()).toBe(true);
        // The roll-up of the start runs at the same time.
        const { times, killedAt } = await visitUntilKilled(program, 300 + Math.random() * 2_500);
        visits.sent += times.length;
        visits.safe += times.filter((at) => at < killedAt - lossMs).length;
        program = await startProgram({ ...env, DATA_DIR: program.dataDir });
      }
      expect(await program.isUp()).toBe(true);
      await expect.poll(async () => (await sumCounts(db)).waiting).toBe(0);
      const { hourly, daily } = await sumCounts(db);
      expect(visits.safe).toBeGreaterThan(rounds);
      expect(hourly).toBeGreaterThanOrEqual(visits.safe);
      expect(hourly).toBeLessThanOrEqual(visits.sent);
      expect(daily).toBe(hourly);
    } finally {
      await close();
      await program.remove();
    }
  });
});

/** Visits a page again and again. Returns when each visit was answered: never, for those in flight at the end. */
async function visitUntilKilled(program: Program, ms: number) {
  const times: number[] = [];
  const end = performance.now() + ms;
  const visit = async () => {
    while (performance.now() < end + 5_000) {
      const response = await fetch(`${program.url}/card/demo-card?q`, {
        headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0" },
      }).catch(() => undefined);
      // The answer may be lost, and the visit counted.
      if (!response?.ok) return void times.push(Infinity);
      await response.text().catch(() => "");
      times.push(performance.now());
      await pause(5);
    }
  };
  const running = Promise.all(Array.from({ length: 3 }, visit));
  await pause(ms);
  const killedAt = performance.now();
  await program.kill("SIGKILL");
  await running;
  return { times, killedAt };
}

async function sumCounts(db: Db) {
  const ofHours = await db
    .selectFrom("hourly_count")
    .select(({ fn }) => [fn.sum<number>("n").as("n"), fn.sum<number>("rolled").as("rolled")])
    .where("subject", "=", "card:demo-card")
    .where("kind", "=", "visit")
    .executeTakeFirstOrThrow();
  const ofDays = await db
    .selectFrom("daily_count")
    .select(({ fn }) => fn.sum<number>("visits").as("n"))
    .where("dimension", "=", "page")
    .where("value", "=", "card:demo-card")
    .executeTakeFirstOrThrow();
  return { hourly: ofHours.n, waiting: ofHours.n - ofHours.rolled, daily: ofDays.n };
}
