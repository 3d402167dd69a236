import { setImmediate as tick } from "node:timers/promises";

import { expect, onTestFinished, test, vi } from "vitest";

import { makeDatabase } from "#tests/support/database/databases.ts";
import { longestBlock } from "#tests/support/measurements.ts";
import { addSetting, errorOf, settingNames } from "#tests/support/storage/setting-rows.ts";

import { transact } from "./database.server.ts";
import type { Db, Trx } from "./database.server.ts";

test("a query on `db` inside a transaction fails after ten seconds, and others go on", async () => {
  const { db } = await openWithFakeTimers();
  const stuck = transact(db, async (trx) => {
    await addSetting(trx, "inside");
    await addSetting(db, "beside");
  });
  const failure = errorOf(stuck);
  await tick();
  vi.advanceTimersByTime(9_900);
  await tick();
  const later = errorOf(addSetting(db, "later"));
  vi.advanceTimersByTime(200);
  expect(String(await failure)).toContain("use `trx`, never `db`");
  expect(String(await later)).toContain("10 s");
  await addSetting(db, "after");
  expect(await settingNames(db)).toEqual(["after"]);
});

test("a queue that moves may take longer than ten seconds, and keeps its order", async () => {
  const { db } = await openWithFakeTimers();
  const order: number[] = [];
  const transactions = [0, 1, 2].map((n) =>
    transact(db, async (trx) => {
      await addSetting(trx, String(n));
      await new Promise((resolve) => setTimeout(resolve, 8_000));
      order.push(n);
    }),
  );
  const read = settingNames(db);
  for (let n = 0; n < 3; n++) {
    await tick();
    await tick();
    vi.advanceTimersByTime(8_000);
  }
  await Promise.all(transactions);
  expect([...order, ...(await read)]).toEqual([0, 1, 2, "0", "1", "2"]);
});

test("a loop of queries lets requests be served, in a transaction too", async () => {
  const { db } = await makeDatabase("sqlite");
  const work = async (query: (name: string) => Promise<unknown>) => {
    for (let n = 0; n < 20_000; n++) await query(String(n));
  };
  const read = (from: Db | Trx) => (name: string) =>
    from.selectFrom("setting").select("value").where("name", "=", name).execute();
  for (const loop of [() => work(read(db)), () => transact(db, (trx) => work(read(trx)))])
    expect(await longestBlock(loop, 6)).toBeLessThan(6);
});

async function openWithFakeTimers() {
  const database = await makeDatabase("sqlite");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  return database;
}
