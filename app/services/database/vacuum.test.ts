import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { sql } from "kysely";
import { expect, test } from "vitest";

import { saveSetting } from "#app/services/config/setting-rows.server.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { copyMigratedDatabase, describeOnEachDatabase, makeDatabase } from "#tests/support/database/databases.ts";
import { canMount, mountSmallDisk } from "#tests/support/program/small-disk.ts";

import { vacuumPostgres } from "./database.server.ts";
import { vacuumSqlite } from "./sqlite.server.ts";

const megabyte = 1_000_000;

describeOnEachDatabase("the space of deleted rows", (_, engine) => {
  test("is given back while the program goes on", async () => {
    const { db, dataDir, databaseUrl } = await makeDatabase(engine);
    for (const name of ["old", "kept"]) await saveSetting(db, name, "a".repeat(4 * megabyte));
    await db.deleteFrom("setting").where("name", "=", "old").execute();
    if (databaseUrl === undefined) {
      const { before, after } = vacuumSqlite(dataDir);
      expect(after).toBe(statSync(join(dataDir, "meishi.db")).size);
      expect(before - after).toBeGreaterThan(3.9 * megabyte);
    } else {
      await vacuumPostgres(databaseUrl);
      const vacuumed = sql<{ last: Date | null }>`select last_vacuum as last from pg_stat_user_tables
        where relname = 'setting' and last_analyze is not null`;
      await expect.poll(async () => (await vacuumed.execute(db)).rows[0]?.last).toBeTruthy();
    }
    await saveSetting(db, "kept", "b");
    expect(await db.selectFrom("setting").select("value").where("name", "=", "kept").execute()).toEqual([
      { value: "b" },
    ]);
  });
});

test("a vacuum says that another program is writing to the SQLite file, and changes nothing", async () => {
  const { dataDir } = await makeDatabase("sqlite");
  const other = new DatabaseSync(join(dataDir, "meishi.db"));
  other.exec("begin immediate");
  expect(() => vacuumSqlite(dataDir, 50)).toThrow("The database is busy: another program is writing");
  other.exec("rollback");
  other.close();
  expect(vacuumSqlite(dataDir, 50).after).toBeGreaterThan(0);
});

test("a vacuum doesn't wait for a program that reads the old content", async () => {
  const { db, dataDir } = await makeDatabase("sqlite");
  await saveSetting(db, "old", "a".repeat(megabyte));
  await db.deleteFrom("setting").where("name", "=", "old").execute();
  const reader = new DatabaseSync(join(dataDir, "meishi.db"));
  reader.exec("begin; select * from setting");
  const { before, after } = vacuumSqlite(dataDir);
  expect(after).toBeLessThan(before);
  reader.exec("commit");
  reader.close();
});

test.runIf(canMount)("a vacuum says how much space is missing on the disk, and changes nothing", async () => {
  const disk = mountSmallDisk(3);
  cleanUpAfterTest(disk.remove);
  await copyMigratedDatabase(disk.folder);
  expect(() => vacuumSqlite(disk.folder)).toThrow(
    /^The disk of DATA_DIR has 1 MB of free space, and this needs 2 MB\. Make space and try again\.$/,
  );
});
