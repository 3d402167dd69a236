import { randomUUID } from "node:crypto";
import dns from "node:dns";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";

import { sql } from "kysely";
import pino from "pino";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import {
  describeOnEachDatabase,
  listEngines,
  makeDatabase,
  migrationsFolder,
} from "#tests/support/database/databases.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { insertProfile } from "#tests/support/database/seed.ts";
import { addSetting, errorOf, settingNames, startProblemOf } from "#tests/support/storage/setting-rows.ts";

import { parseServerUrl } from "#app/services/config/setting-values.ts";

import { afterCommit, openDatabase, transact } from "./database.server.ts";
import { migrate } from "./migrate.server.ts";
import { isDiskFull, isUniqueViolation } from "#app/services/base/errors.ts";

describeOnEachDatabase("the database", (makeDb) => {
  test("returns counts, sums, times and texts as they were written, and divides integers into integers", async () => {
    const db = await makeDb();
    const now = 1_795_228_903_123;
    const text = 'O\'Neil; "Ann", 名刺 👩‍👩‍👧 \\ % \n';
    await addSetting(db, "ключ", text);
    const rows = [
      { id: "a", created_at: now },
      { id: "b", created_at: 7 },
    ];
    await db.insertInto("count_batch").values(rows).execute();
    const { rows: sums } =
      await sql`select sum(created_at) as sum, count(*) as count, max(created_at) as max from count_batch`.execute(db);
    expect(sums.map((row) => ({ ...(row as object) }))).toEqual([{ sum: now + 7, count: 2, max: now }]);
    expect(await db.selectFrom("setting").select("value").executeTakeFirst()).toEqual({ value: text });
    // A day is the same on both engines.
    await sql`update count_batch set created_at = cast(${now} as bigint) / 86400000`.execute(db);
    expect(await db.selectFrom("count_batch").select("created_at").executeTakeFirst()).toEqual({ created_at: 20_778 });
  });

  test("recognizes unique violations", async () => {
    const db = await makeDb();
    await addSetting(db, "a", "1");
    expect(isUniqueViolation(await errorOf(addSetting(db, "a", "2")))).toBe(true);
    const addHandle = (name: string) =>
      sql`insert into handle (handle, owner_id, is_current, created_at) values (${name}, 'ada', 1, 0)`.execute(db);
    await addHandle("ada");
    expect(isUniqueViolation(await errorOf(addHandle("lovelace")))).toBe(true);
    expect(isUniqueViolation(await errorOf(sql`select * from no_such_table`.execute(db)))).toBe(false);
    expect(isUniqueViolation(new Error("23505"))).toBe(false);
  });

  test("lets one of twenty concurrent writes pass a limit of one", async () => {
    const db = await makeDb();
    await insertProfile(db);
    const create = (n: number) =>
      transact(db, async (trx) => {
        const { numAffectedRows } =
          await sql`update profile set cards_owned = cards_owned + 1 where cards_owned < 1`.execute(trx);
        if (numAffectedRows === 0n) return false;
        await pause(2);
        await addSetting(trx, `card ${n}`);
        return true;
      });
    const results = await Promise.all(Array.from({ length: 20 }, (_, n) => create(n)));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await settingNames(db)).toHaveLength(1);
  });

  test("keeps concurrent queries out of a transaction", async () => {
    const db = await makeDb();
    const failed = transact(db, async (trx) => {
      await addSetting(trx, "inside");
      await pause(30);
      throw new Error("changed my mind");
    });
    await Promise.all([expect(failed).rejects.toThrow("changed my mind"), addSetting(db, "beside")]);
    expect(await settingNames(db)).toEqual(["beside"]);
  });

  test("retries a transaction when the database requests it, a limited number of times", async () => {
    const db = await makeDb();
    let tries = 0;
    const clash = (times: number) => () =>
      transact(db, async (trx) => {
        await addSetting(trx, `try ${++tries}`);
        if (tries <= times) throw Object.assign(new Error("could not serialize"), { code: "40001" });
      });
    await clash(2)();
    expect([tries, await settingNames(db)]).toEqual([3, ["try 3"]]);
    await expect(clash(1000)()).rejects.toThrow("could not serialize");
    expect(tries).toBe(9);
    const other = transact(db, async () => {
      tries++;
      throw new Error("something else");
    });
    await expect(other).rejects.toThrow("something else");
    expect(tries).toBe(10);
  });

  test("calls back after the commit, once for a retried transaction and never for a failed one", async () => {
    const db = await makeDb();
    const calls: number[] = [];
    let tries = 0;
    const write = (failure: Error) =>
      transact(db, async (trx) => {
        const attempt = ++tries;
        afterCommit(trx, () => calls.push(attempt));
        await addSetting(trx, `try ${attempt}`);
        if (attempt !== 2) throw failure;
        expect(calls).toEqual([]);
      });
    await write(Object.assign(new Error("could not serialize"), { code: "40001" }));
    expect(calls).toEqual([2]);
    await expect(write(new Error("changed my mind"))).rejects.toThrow("changed my mind");
    expect(calls).toEqual([2]);
    await db.transaction().execute(async (trx) => {
      expect(() => afterCommit(trx, () => undefined)).toThrow("transact");
    });
  });

  test("works after a failed statement and after a failed commit", async () => {
    const db = await makeDb();
    await sql`create table parent (id integer primary key)`.execute(db);
    await sql`create table child (parent integer references parent (id) deferrable initially deferred)`.execute(db);
    const failing = (statement: string) =>
      transact(db, async (trx) => {
        await addSetting(trx, statement);
        await sql.raw(statement).execute(trx);
      });
    await expect(failing("insert into nowhere values (1)")).rejects.toThrow(/nowhere/);
    await expect(failing("insert into child values (7)")).rejects.toThrow(/foreign key/i);
    await transact(db, (trx) => addSetting(trx, "after"));
    expect(await settingNames(db)).toEqual(["after"]);
  });
});

describe.runIf(listEngines().includes("postgres"))("PostgreSQL", () => {
  test("commits both of two transactions that deadlock", async () => {
    const { db } = await makeDatabase("postgres");
    for (const name of ["a", "b"]) await addSetting(db, name);
    const touch = (first: string, second: string) =>
      transact(db, async (trx) => {
        await trx.updateTable("setting").set({ value: first }).where("name", "=", first).execute();
        await pause(50);
        await trx.updateTable("setting").set({ value: first }).where("name", "=", second).execute();
      });
    await Promise.all([touch("a", "b"), touch("b", "a")]);
    expect(await settingNames(db)).toEqual(["a", "b"]);
  });

  test("reports an unreachable server in one line without the password", async () => {
    const { databaseUrl = "", dataDir } = await makeDatabase("postgres");
    // As every name server answers for this name, but without the wait.
    vi.spyOn(dns, "lookup").mockImplementation(((_host: string, _options: object, answer: (error: Error) => void) => {
      process.nextTick(answer, Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" }));
    }) as typeof dns.lookup);
    onTestFinished(() => void vi.restoreAllMocks());
    const { password } = new URL(databaseUrl);
    const problemAt = async (change: Partial<Record<"port" | "hostname" | "password" | "pathname", string>>) => {
      const { href } = Object.assign(new URL(databaseUrl), { password: "sesame", ...change });
      return startProblemOf(() => openDatabase({ dataDir, databaseUrl: href }));
    };
    const lines = [
      await problemAt({ port: "1" }),
      await problemAt({ hostname: "nowhere.invalid" }),
      await problemAt({}),
      await problemAt({ password, pathname: "/nothing" }),
      // Read as the port 123 and a path.
      await startProblemOf(() =>
        openDatabase({ dataDir, databaseUrl: "postgres://meishi:123/sesame@nowhere.invalid/db" }),
      ),
    ];
    const expected = [
      /^The database 127\.0\.0\.1:1\/test_\w+ \(DATABASE_URL\) can't be reached: nothing is listening there\.$/,
      /^The database nowhere\.invalid:\d+\/test_\w+ \(DATABASE_URL\) can't be reached: there is no such host/,
      /: the username or password is wrong\.$/,
      /\/nothing \(DATABASE_URL\) can't be reached: there is no such database on that server\.$/,
      /^The database nowhere\.invalid\/db \(DATABASE_URL\) can't be reached: /,
    ];
    expect(lines).toEqual(expected.map((line) => expect.stringMatching(line)));
    expect(lines.join()).not.toMatch(new RegExp(`sesame|${password}|\n`));
  });

  test("is opened by a socket, and without TLS where that is only preferred", async () => {
    const { databaseUrl = "", dataDir, db } = await makeDatabase("postgres");
    const { rows } = await sql<{
      folder: string;
    }>`select setting as folder from pg_settings where name = 'unix_socket_directories'`.execute(db);
    const { username, password, port, pathname, host } = new URL(databaseUrl);
    const folder = rows[0]?.folder ?? "";
    const user = `${username}:${password}@`;
    for (const url of [
      `postgres://${user}${pathname}?host=${folder}&port=${port}`,
      `postgresql://${pathname}?host=${folder}&port=${port}&user=${username}&password=${password}`,
      `postgres://${user}${encodeURIComponent(folder)}:${port}${pathname}?sslmode=prefer`,
      `postgres://${user}${host}${pathname}?sslmode=allow`,
    ]) {
      expect(parseServerUrl(["postgres:", "postgresql:"])(url)).toBe(url);
      const { close, databaseUrl: used = "" } = await openDatabase({ dataDir, databaseUrl: url });
      expect(used).toBe(url.replace(/prefer|allow/, "disable"));
      await close();
    }
    const problemAt = (url: string) => startProblemOf(() => openDatabase({ dataDir, databaseUrl: url }));
    expect(await problemAt(`postgres://${user}${host}${pathname}?sslmode=verify-full`)).toMatch(
      /use sslmode=disable\.$/,
    );
    expect(await problemAt(`postgres://${user}${pathname}?host=/nowhere`)).toMatch(/no such socket or file\.$/);
  });

  test("logs a query that takes more than a second, without its values", async () => {
    const { databaseUrl, dataDir } = await makeDatabase("postgres");
    const lines: string[] = [];
    const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
    const { db, close } = await openDatabase({ dataDir, databaseUrl, log });
    await sql`select pg_sleep(${1.1}), ${"ada@example.com"}::text`.execute(db);
    await close();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, msg: "a query took long", sql: "select pg_sleep($1), $2::text" },
    ]);
  });

  test("is refused in one line when its user may create no tables, or may not use them", async () => {
    const { databaseUrl = "", db } = await makeDatabase("postgres", { migrated: false });
    const role = `app_${randomUUID().slice(0, 8)}`;
    // It ends with the server, which is this run's.
    await sql`create role ${sql.id(role)} login password 'sesame'`.execute(db);
    const url = Object.assign(new URL(databaseUrl), { username: role, password: "sesame" }).href;
    const start = () => startProblemOf(() => createTestApp({ env: { DATABASE_URL: url } }));
    const advice = `GRANT ALL ON SCHEMA public TO "${role}";`;
    expect(await start()).toMatch(
      /^The database \(DATABASE_URL\) refuses its user: permission denied for schema public\. /,
    );
    await sql`revoke all on schema public from public`.execute(db);
    expect(await start()).toContain(advice);
    await sql`grant all on schema public to ${sql.id(role)}`.execute(db);
    await migrate(db, "postgres", migrationsFolder);
    expect(await start()).toMatch(/permission denied for table migration\./);
    await sql`grant all on all tables in schema public to ${sql.id(role)}`.execute(db);
    await sql`revoke all on table setting from ${sql.id(role)}`.execute(db);
    expect(await start()).toMatch(/permission denied for table setting\./);
    await sql`alter role ${sql.id(role)} set default_transaction_read_only = on`.execute(db);
    expect(await start()).toMatch(/is read-only\. /);
  });
});

test("isDiskFull recognizes full disks in every kind of error", () => {
  const full = [{ code: "ENOSPC" }, { code: "53100" }, { errcode: 13 }, { errcode: 778 }];
  const other = [{ code: "ENOENT" }, { errcode: 5 }, { errcode: 10 }, { errcode: 2067 }, {}];
  const isFull = (facts: object) => isDiskFull(Object.assign(new Error("x"), facts));
  expect([full.map(isFull), other.map(isFull)]).toEqual([full.map(() => true), other.map(() => false)]);
});

test("SQLite knows when it is closed how its tables are filled", async () => {
  const { dataDir } = await makeDatabase("sqlite");
  const { db, close } = await openDatabase({ dataDir, databaseUrl: undefined });
  const codes = Array.from({ length: 500 }, (_, n) => ({ code: `code-${n}` }));
  await db.insertInto("card_code").values(codes).execute();
  await db.selectFrom("card_code").select("code").where("code", "=", "code-7").execute();
  await close();
  const file = new DatabaseSync(join(dataDir, "meishi.db"), { readOnly: true });
  expect(file.prepare("select count(*) as n from sqlite_stat1 where tbl = 'card_code'").get()?.["n"]).toBe(1);
  file.close();
});
