import { setImmediate as nextTurn } from "node:timers/promises";

import { sql } from "kysely";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { openThroughProxy } from "#tests/support/database/faulty-proxy.ts";
import { addSetting, errorOf, settingNames } from "#tests/support/storage/setting-rows.ts";
import { isConnectionLost, isOutcomeUnknown, isUnavailable } from "#app/services/base/errors.ts";

import { transact, transactWithoutFsync } from "./database.server.ts";
import type { Db } from "./database.server.ts";

const connections = 10;
const all = Array.from({ length: 3 * connections }, (_, n) => n);

describe.runIf(listEngines().includes("postgres"))("on PostgreSQL, when connections are lost", () => {
  test("repeats the reads that were running, more than the pool has connections", async () => {
    const { db, dataDir, open } = await makeDatabase("postgres");
    const reads = all.map(async (n) => {
      const { rows } = await sql<{ n: number }>`select ${n}::int as n, pg_sleep(0.3)`.execute(db);
      return rows[0]?.n;
    });
    const { db: other } = await open();
    await expect.poll(() => countSleeping(other)).toBe(connections);
    await endAllConnections(other);
    expect(await Promise.all(reads), dataDir).toEqual(all);
  });

  test("reads on a new connection when the idle ones are dead and the process doesn't know", async () => {
    const { db, proxy } = await openThroughProxy();
    await addSetting(db, "a");
    const reads = [
      db.selectFrom("setting").select("name"),
      sql`select name from setting`,
      sql`with named as (select name from setting) select * from named`,
    ];
    for (const read of reads) {
      await fillPool(db);
      proxy.breakOpenConnections();
      expect((await db.executeQuery(read.compile(db))).rows).toEqual([{ name: "a" }]);
    }
  });

  test("gives up connections that swallow packets, and reads on a new one", async () => {
    const { db, proxy } = await openThroughProxy();
    await addSetting(db, "a");
    proxy.silenceOpenConnections();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const read = settingNames(db);
    while (proxy.countSwallowed() === 0) await nextTurn();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await read).toEqual(["a"]);
  });

  test("refuses work at once while all connections swallow packets, and works again afterwards", async () => {
    const { db, proxy } = await openThroughProxy();
    await addSetting(db, "a");
    await fillPool(db);
    proxy.silenceOpenConnections();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const hanging = all.slice(0, connections).map(() => settingNames(db));
    while (proxy.countSwallowed() < connections) await nextTurn();
    // A burst alone isn't a reason: this one waits for a connection, and then gives up.
    const waiting = errorOf(settingNames(db));
    await vi.advanceTimersByTimeAsync(5_001);
    const refused = errorOf(addSetting(db, "b"));
    for (const error of [await waiting, await refused]) expect(String(error)).toSatisfy(() => isUnavailable(error));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await Promise.all(hanging)).toEqual(hanging.map(() => ["a"]));
    await addSetting(db, "b");
  });

  test("repeats a read once, not again and again", async () => {
    const { db, proxy } = await openThroughProxy();
    proxy.breakAt({ pattern: /from setting where 1 = 1/, times: 2 });
    const error = await errorOf(sql`select name from setting where 1 = 1`.execute(db));
    expect([isConnectionLost(error), isOutcomeUnknown(error), proxy.countSeen()]).toEqual([true, false, 2]);
    expect(await sql`select name from setting where 1 = 1`.execute(db)).toMatchObject({ rows: [] });
  });

  describe.each([
    ["before", false],
    ["after", true],
  ])("%s a statement arrives", (_, isForwarded) => {
    test.each(["begin", "insert into", "select"])("starts a transaction again when %s is lost", async (statement) => {
      const { db, proxy } = await openThroughProxy();
      await fillPool(db);
      proxy.breakAt({ pattern: new RegExp(statement), isForwarded });
      let runs = 0;
      await transact(db, async (trx) => {
        runs++;
        await addSetting(trx, "a");
        await trx.selectFrom("setting").selectAll().execute();
      });
      expect(runs).toBe(statement === "begin" ? 1 : 2);
      expect(await settingNames(db)).toEqual(["a"]);
    });

    test("can't tell whether a transaction was saved when COMMIT is lost", async () => {
      const { db, proxy } = await openThroughProxy();
      proxy.breakAt({ pattern: /commit/, isForwarded });
      let runs = 0;
      const saved = transact(db, async (trx) => {
        runs++;
        await addSetting(trx, "a");
      });
      expect([isOutcomeUnknown(await errorOf(saved)), runs, proxy.countSeen()]).toEqual([true, 1, 1]);
      await expect.poll(() => settingNames(db)).toEqual(isForwarded ? ["a"] : []);
      await transact(db, (trx) => addSetting(trx, "b"));
    });

    test("can't tell whether a single write was carried out", async () => {
      const { db, proxy } = await openThroughProxy();
      await addSetting(db, "old");
      const writes = {
        'insert into "setting"': () => addSetting(db, "a"),
        'update "setting"': () => db.updateTable("setting").set({ value: "new" }).returning("name").execute(),
        'delete from "setting"': () => db.deleteFrom("setting").where("name", "=", "old").execute(),
        "with added as": () =>
          sql`with added as (insert into setting values ('b', '') returning name) select name from added`.execute(db),
      };
      for (const [text, write] of Object.entries(writes)) {
        proxy.breakAt({ pattern: new RegExp(text), isForwarded });
        const error = await errorOf(write());
        expect([isOutcomeUnknown(error), isConnectionLost(error), proxy.countSeen()], text).toEqual([true, false, 1]);
      }
      await expect.poll(() => settingNames(db)).toEqual(isForwarded ? ["a", "b"] : ["old"]);
    });
  });

  test("starts transactions again that all lose their connection at once", async () => {
    const { db, open } = await makeDatabase("postgres");
    const { db: other } = await open();
    const work = all.map((n) =>
      transact(db, async (trx) => {
        await addSetting(trx, String(n).padStart(2, "0"));
        await sql`select pg_sleep(0.3)`.execute(trx);
      }),
    );
    await expect.poll(() => countSleeping(other)).toBe(connections);
    await endAllConnections(other);
    await Promise.all(work);
    expect((await settingNames(db)).map(Number)).toEqual(all);
  });

  test("starts a transaction without fsync again, and keeps its isolation from the next one", async () => {
    const { db, proxy } = await openThroughProxy();
    proxy.breakAt({ pattern: /synchronous_commit/, isForwarded: true });
    await transactWithoutFsync({ db, engine: "postgres" }, (trx) => addSetting(trx, "a"));
    expect(await settingNames(db)).toEqual(["a"]);
    expect((await sql`show synchronous_commit`.execute(db)).rows).toEqual([{ synchronous_commit: "on" }]);
  });

  test("connects again when the server is starting, even for a write", async () => {
    const { db, proxy } = await openThroughProxy();
    await fillPool(db);
    proxy.breakOpenConnections();
    proxy.refuseNext(1);
    expect(await settingNames(db)).toEqual([]);
    const waiting = all.slice(0, connections + 1).map((n) => addSetting(db, String(n)));
    proxy.refuseNext(2);
    await Promise.all(waiting);
    expect(await settingNames(db)).toHaveLength(connections + 1);
  });

  test("sends a write on another connection when the first one ends before it is sent", async () => {
    const { db, proxy } = await openThroughProxy();
    await fillPool(db);
    proxy.breakOpenConnections();
    await settingNames(db);
    // Idle connections are used before new ones are opened.
    const held = sql`select pg_sleep(0.5)`.execute(db);
    proxy.endNextWhenOpen(1);
    await addSetting(db, "a");
    await held;
    expect(await settingNames(db)).toEqual(["a"]);
  });

  test("keeps no place in the pool after a loss", async () => {
    const { db, proxy } = await openThroughProxy();
    for (let n = 0; n < connections + 1; n++) {
      proxy.breakAt({ pattern: /commit/ });
      await errorOf(transact(db, (trx) => addSetting(trx, "lost")));
      proxy.breakAt({ pattern: /insert/ });
      await errorOf(addSetting(db, "lost"));
    }
    await Promise.all(all.map((n) => transact(db, (trx) => addSetting(trx, String(n)))));
    expect(await settingNames(db)).toHaveLength(all.length);
  });
});

/** Opens as many connections as the pool may have. */
async function fillPool(db: Db) {
  await Promise.all(all.map(() => sql`select pg_sleep(0.02)`.execute(db)));
}

async function countSleeping(db: Db) {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and query like '%pg_sleep%' and state = 'active' and pid <> pg_backend_pid()`.execute(
    db,
  );
  return rows.length;
}

async function endAllConnections(db: Db) {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
}
