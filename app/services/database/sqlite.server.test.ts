import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";

import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import { makeDatabase } from "#tests/support/database/databases.ts";
import { addSetting, errorOf, settingNames, startProblemOf } from "#tests/support/storage/setting-rows.ts";

import { openDatabase, transact } from "./database.server.ts";
import { isDiskFull } from "#app/services/base/errors.ts";

describe("the SQLite file", () => {
  test("survives a power cut, is readable by its owner only, and a single file after it was closed", async () => {
    const { db, dataDir, close } = await makeDatabase("sqlite");
    const pragmas = { journal_mode: "wal", synchronous: 2, foreign_keys: 1, busy_timeout: 5000 };
    for (const [name, value] of Object.entries(pragmas)) {
      const { rows } = await sql<object>`pragma ${sql.raw(name)}`.execute(db);
      expect(
        rows.map((row) => Object.values(row)),
        name,
      ).toEqual([[value]]);
    }
    for (const name of readdirSync(dataDir))
      expect([name, statSync(join(dataDir, name)).mode & 0o777]).toEqual([name, 0o600]);
    await close();
    expect(readdirSync(dataDir)).toEqual(["meishi.db"]);
  });

  test("is rejected in one line and not changed when it isn't a database", async () => {
    const { dataDir, close } = await makeDatabase("sqlite");
    await close();
    const path = join(dataDir, "meishi.db");
    writeFileSync(path, "These are notes and not a database at all.".repeat(100));
    const before = readFileSync(path);
    expect(await problemOf(dataDir)).toBe(
      `${path} can't be opened: it is not a SQLite database, or it is damaged; restore a backup.`,
    );
    expect(readFileSync(path)).toEqual(before);
    // Cut off, or with a page of other bytes anywhere: also where no query of the start reads.
    const { dataDir: other } = await makeDatabase("sqlite");
    const whole = readFileSync(join(other, "meishi.db"));
    const damaged = Array.from({ length: 10 }, (_, tenth) => {
      const start = Math.floor((whole.length / 4096) * (tenth / 10)) * 4096;
      return Buffer.from(whole).fill(0xaa, start, start + 4096);
    });
    for (const bytes of [whole.subarray(0, 50), whole.subarray(0, 20_000), whole.subarray(0, -4096), ...damaged]) {
      writeFileSync(path, bytes);
      expect(await problemOf(dataDir)).toMatch(/^\S+ can't be opened: [^\n]*damaged; restore a backup\.$/);
    }
    const inTheWay = join(dataDir, "other");
    mkdirSync(join(inTheWay, "meishi.db"), { recursive: true });
    expect(await problemOf(inTheWay)).toMatch(/^\S+other\/meishi\.db can't be opened: [^\n]+\.$/);
  });

  test("waits for another program that writes, and retries when it takes too long", async () => {
    const { db, dataDir } = await makeDatabase("sqlite");
    await sql`pragma busy_timeout = 0`.execute(db);
    const shell = new DatabaseSync(join(dataDir, "meishi.db"));
    shell.exec("begin immediate");
    const added = transact(db, async (trx) => {
      await trx.selectFrom("setting").selectAll().execute();
      await addSetting(trx, "a");
    });
    await pause(15);
    shell.exec("commit");
    shell.close();
    await added;
    expect(await settingNames(db)).toEqual(["a"]);
  });

  test("notices a changed table in prepared statements", async () => {
    const { db } = await makeDatabase("sqlite");
    await addSetting(db, "a");
    const all = () => db.selectFrom("setting").selectAll().executeTakeFirst();
    expect(await all()).toEqual({ name: "a", value: "" });
    await sql`alter table setting add column more text not null default 'new'`.execute(db);
    expect(await all()).toEqual({ name: "a", value: "", more: "new" });
  });

  test("rejects values that PostgreSQL would store differently", async () => {
    const { db } = await makeDatabase("sqlite");
    for (const value of [true, undefined, {}, new Date()]) {
      const query = sql`insert into setting (name, value) values ('x', ${value})`;
      await expect(query.execute(db)).rejects.toThrow(/can't be stored/);
    }
  });
});

test("a full disk is recognized, loses nothing, and writes work once there is space", async () => {
  const { db } = await makeDatabase("sqlite");
  await addSetting(db, "before");
  await sql`pragma max_page_count = 1`.execute(db);
  const fill = transact(db, async (trx) => {
    for (let n = 0; n < 100; n++) await addSetting(trx, `fill ${n}`, "x".repeat(30_000));
  });
  expect(isDiskFull(await errorOf(fill))).toBe(true);
  expect(isDiskFull(await errorOf(addSetting(db, "single", "x".repeat(1_000_000))))).toBe(true);
  await sql`pragma max_page_count = 1000000`.execute(db);
  await addSetting(db, "after");
  expect(await settingNames(db)).toEqual(["after", "before"]);
});

const problemOf = (dataDir: string) => startProblemOf(() => openDatabase({ dataDir }));
