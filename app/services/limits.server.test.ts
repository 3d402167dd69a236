import { expect, test } from "vitest";

import { describeOnEachDatabase } from "#tests/support/databases.ts";

import type { Db } from "./database.server.ts";
import { createLimits } from "./limits.server.ts";
import type { Limit } from "./limits.server.ts";

const limit: Limit = { name: "sign-in", max: 3, windowMs: 60_000 };

describeOnEachDatabase("limits", (makeDb) => {
  test("let as many tries through as they say, and then tell when to come back", async () => {
    const { limits } = await open(makeDb);
    const tries = [{ limit, of: "ada@example.com" }];
    for (let n = 0; n < limit.max; n++) expect(await limits.take(tries)).toBeUndefined();
    expect(await limits.take(tries)).toEqual({ until: start + limit.windowMs });
  });

  test("hold when fifty come at once", async () => {
    const { limits } = await open(makeDb);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => limits.take([{ limit, of: "ada@example.com" }])),
    );
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(limit.max);
  });

  test("start anew when their time is over, however often it was tried meanwhile", async () => {
    const { limits, time } = await open(makeDb);
    const tries = [{ limit, of: "ada@example.com" }];
    for (let n = 0; n < 10; n++) {
      await limits.take(tries);
      time.now += 1000;
    }
    time.now = start + limit.windowMs;
    expect(await limits.take(tries)).toBeUndefined();
    expect(await limits.take(tries)).toBeUndefined();
    expect(await limits.take(tries)).toBeUndefined();
    expect(await limits.take(tries)).toEqual({ until: time.now + limit.windowMs });
  });

  test("are kept apart by name and by whose they are", async () => {
    const { limits } = await open(makeDb);
    for (let n = 0; n < 5; n++) await limits.take([{ limit, of: "ada@example.com" }]);
    expect(await limits.take([{ limit, of: "bob@example.com" }])).toBeUndefined();
    expect(await limits.take([{ limit: { ...limit, name: "mail" }, of: "ada@example.com" }])).toBeUndefined();
  });

  test("do not count against the second what the first refused", async () => {
    const { limits } = await open(makeDb);
    const network = { limit: { ...limit, name: "network" }, of: "203.0.113.7" };
    const account = { limit, of: "ada@example.com" };
    for (let n = 0; n < 3; n++) await limits.take([network]);
    for (let n = 0; n < 5; n++) expect(await limits.take([network, account])).toBeDefined();
    for (let n = 0; n < 3; n++) expect(await limits.take([account])).toBeUndefined();
  });

  test("take back what was no guess, and never below nothing", async () => {
    const { limits } = await open(makeDb);
    const tries = [{ limit, of: "ada@example.com" }];
    for (let n = 0; n < 20; n++) {
      expect(await limits.take(tries)).toBeUndefined();
      await limits.giveBack(tries);
    }
    await limits.giveBack(tries);
    for (let n = 0; n < limit.max; n++) expect(await limits.take(tries)).toBeUndefined();
    expect(await limits.take(tries)).toBeDefined();
  });

  test("can be forgotten", async () => {
    const { limits } = await open(makeDb);
    const tries = [{ limit, of: "ada@example.com" }];
    for (let n = 0; n < 5; n++) await limits.take(tries);
    await limits.forget(tries);
    expect(await limits.take(tries)).toBeUndefined();
  });

  test("store neither an e-mail address nor a network, and nothing after their time", async () => {
    const { limits, time, db } = await open(makeDb);
    await limits.take([{ limit, of: "ada@example.com" }]);
    time.now += 1;
    await limits.take([{ limit, of: "203.0.113.7" }]);
    const rows = await db.selectFrom("attempt").selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/ada|example|203\.0/);
    time.now = start + limit.windowMs;
    await limits.sweep();
    expect(await db.selectFrom("attempt").selectAll().execute()).toHaveLength(1);
  });
});

const start = Date.UTC(2026, 10, 21);

async function open(makeDb: () => Promise<Db>) {
  const db = await makeDb();
  const time = { now: start };
  return { db, time, limits: createLimits({ db, secret: "s".repeat(32), clock: () => time.now }) };
}
