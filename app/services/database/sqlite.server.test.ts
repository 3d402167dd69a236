import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";

import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";

import { makeDatabase } from "#tests/support/database/databases.ts";

import { openDatabase, transact } from "./database.server.ts";
import { isDiskFull, isStartProblem } from "#app/services/base/errors.ts";
import type { Db } from "./database.server.ts";
import { migrate } from "./migrate.server.ts";

describe("the SQLite file", () => {
  test("survives a power cut, and is readable by its owner only", async () => {
    const { db, dataDir } = await makeDatabase("sqlite");
    const pragma = async (name: string) =>
      Object.values((await sql<object>`pragma ${sql.raw(name)}`.execute(db)).rows[0] ?? {})[0];
    expect(await Promise.all(["journal_mode", "synchronous", "foreign_keys", "busy_timeout"].map(pragma))).toEqual([
      "wal",
      2,
      1,
      5000,
    ]);
    for (const name of readdirSync(dataDir))
      expect([name, statSync(join(dataDir, name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  test("is a single file after it was closed", async () => {
    const { db, dataDir, close } = await makeDatabase("sqlite");
    await add(db, "a");
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
      await trx.insertInto("setting").values({ name: "a", value: "" }).execute();
    });
    await pause(15);
    shell.exec("commit");
    shell.close();
    await added;
    expect(await names(db)).toEqual(["a"]);
  });

  test("notices a changed table in prepared statements", async () => {
    const { db } = await makeDatabase("sqlite");
    await add(db, "a");
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

describe("a full disk", () => {
  test("is recognized, loses nothing, and writes work once there is space", async () => {
    const { db } = await makeDatabase("sqlite");
    await add(db, "before");
    await sql`pragma max_page_count = 1`.execute(db);
    await expectFull(db);
    await sql`pragma max_page_count = 1000000`.execute(db);
    await add(db, "after");
    expect(await names(db)).toEqual(["after", "before"]);
  });

  test("is recognized on a real disk that fills up", async ({ skip }) => {
    const disk = mkdtempSync(join(tmpdir(), "meishi-disk-"));
    onTestFinished(() => rmSync(disk, { recursive: true }));
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", disk]);
    skip(mounted.status !== 0, "only root may mount a disk");
    onTestFinished(() => void execFileSync("umount", ["--lazy", disk]));
    const { db, engine, close } = await openDatabase({ dataDir: disk });
    await migrate(db, engine, join(import.meta.dirname, "../../../migrations"));
    await add(db, "before");
    writeFileSync(join(disk, "ballast"), "");
    const room = 2048 - Number(execFileSync("du", ["-sk", disk], { encoding: "utf8" }).split("\t")[0]);
    writeFileSync(join(disk, "ballast"), Buffer.alloc(room * 1024 - 8192));
    await expectFull(db);
    expect(await names(db)).toEqual(["before"]);
    writeFileSync(join(disk, "ballast"), "");
    await add(db, "after");
    await close();
    const again = await openDatabase({ dataDir: disk });
    expect(await names(again.db)).toEqual(["after", "before"]);
    await again.close();
  });
});

test("syncs each write to the disk before it returns", async ({ skip }) => {
  const { dataDir } = await makeDatabase("sqlite");
  const trace = join(dataDir, "trace");
  const program = `const { openDatabase } = await import(${JSON.stringify(join(import.meta.dirname, "database.server.ts"))});
    const { db } = await openDatabase({ dataDir: ${JSON.stringify(dataDir)} });
    for (let n = 0; n < 20; n++) await db.insertInto("setting").values({ name: "n" + n, value: "" }).execute();`;
  skip(spawnSync("strace", ["true"]).status !== 0, "strace is not there, or may not be used");
  const strace = ["-f", "-e", "trace=fsync,fdatasync", "-o", trace];
  const traced = spawnSync("strace", [...strace, process.execPath, "--input-type=module", "--eval", program], {
    encoding: "utf8",
    cwd: import.meta.dirname,
  });
  expect(traced).toMatchObject({ status: 0 });
  expect(readFileSync(trace, "utf8").match(/f(data)?sync\(/g)?.length).toBeGreaterThanOrEqual(20);
});

async function expectFull(db: Db) {
  const fill = transact(db, async (trx) => {
    for (let n = 0; n < 100; n++)
      await trx
        .insertInto("setting")
        .values({ name: `fill ${n}`, value: "x".repeat(30_000) })
        .execute();
  });
  expect(isDiskFull(await fill.catch((error: unknown) => error))).toBe(true);
  const single = db.insertInto("setting").values({ name: "single", value: "x".repeat(1_000_000) });
  expect(isDiskFull(await single.execute().catch((error: unknown) => error))).toBe(true);
}

async function add(db: Db, name: string) {
  await db.insertInto("setting").values({ name, value: "" }).execute();
}

async function names(db: Db) {
  return (await db.selectFrom("setting").select("name").orderBy("name").execute()).map(({ name }) => name);
}

async function problemOf(dataDir: string) {
  try {
    await openDatabase({ dataDir });
  } catch (error) {
    if (isStartProblem(error)) return error.message;
    throw error;
  }
  throw new Error("nothing was wrong");
}
