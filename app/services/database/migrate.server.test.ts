import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { sql } from "kysely";
import { expect, test } from "vitest";

import { describeOnEachDatabase, makeDatabase, migrationsFolder } from "#tests/support/database/databases.ts";
import type { TestDatabase } from "#tests/support/database/databases.ts";
import { addSetting, settingNames, startProblemOf } from "#tests/support/storage/setting-rows.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

import { withMigrationLock, migrate } from "./migrate.server.ts";

const createPet = "create table pet (name text);\n";
const ours = readdirSync(migrationsFolder)
  .map((file) => file.replace(".sql", ""))
  .toSorted();

describeOnEachDatabase("migrations", (_, engine) => {
  const open = () => makeDatabase(engine, { migrated: false });

  test("are applied once, in order, by processes that start at the same time and later", async () => {
    const database = await open();
    const others = await Promise.all(Array.from({ length: engine === "postgres" ? 5 : 0 }, database.open));
    await Promise.all([database, ...others].map(({ db }) => migrate(db, engine, migrationsFolder)));
    await migrate(database.db, engine, migrationsFolder);
    expect(await applied(database)).toEqual(ours);
    expect(await tables(database)).toEqual(expect.arrayContaining(["card", "job", "migration", "profile", "setting"]));
  });

  test("are applied to a database that has older ones", async () => {
    const database = await makeDatabase(engine);
    await addSetting(database.db, "a");
    const text =
      "-- A comment; with a semicolon;\ncreate table pet (name text);\n\n  -- and one more;\ninsert into pet\n  values ('a; b');\n";
    await migrate(database.db, engine, folderWith("9998-pets.sql", text));
    expect((await applied(database)).at(-1)).toBe("9998-pets");
    expect((await sql`select * from pet`.execute(database.db)).rows).toEqual([{ name: "a; b" }]);
    expect(await settingNames(database.db)).toEqual(["a"]);
  });

  test("are applied to a database that has later ones, as after two branches", async () => {
    const database = await open();
    const later = folderWith("9998-pets.sql", createPet);
    const [earlier] = readdirSync(later).toSorted().splice(1, 1);
    rmSync(join(later, `${earlier}`));
    await migrate(database.db, engine, later);
    await migrate(database.db, engine, folderWith("9998-pets.sql", createPet));
    expect(await applied(database)).toEqual([...ours, "9998-pets"]);
  });

  test("add a column unless it is there", async () => {
    const text = "-- Unless column pet.age: why.\nalter table pet add column age bigint;\n";
    for (const before of [createPet, "create table pet (name text, age bigint);\n"]) {
      const database = await makeDatabase(engine);
      await migrate(database.db, engine, folderWith("9997-pets.sql", before));
      const folder = folderWith("9998-ages.sql", text);
      writeFileSync(join(folder, "9997-pets.sql"), before);
      await migrate(database.db, engine, folder);
      await sql`insert into pet values ('a', 1)`.execute(database.db);
      expect((await sql`select age from pet`.execute(database.db)).rows).toEqual([{ age: 1 }]);
      expect((await applied(database)).at(-1)).toBe("9998-ages");
    }
  });

  test("leave nothing behind when they fail in the middle", async () => {
    const database = await makeDatabase(engine);
    const folder = folderWith("9998-pets.sql", `${createPet}insert into nowhere values (1);\n`);
    await expect(migrate(database.db, engine, folder)).rejects.toThrow(/nowhere/);
    expect(await tables(database)).not.toContain("pet");
    await migrate(database.db, engine, migrationsFolder);
  });

  test("of a newer version are rejected in one line, and nothing changes", async () => {
    const database = await makeDatabase(engine);
    await database.db.insertInto("migration").values({ name: "9999-later", applied_at: 1 }).execute();
    const before = await applied(database);
    expect(await startProblemOf(() => migrate(database.db, engine, folderWith("9998-pets.sql", createPet)))).toBe(
      "The database was created by a newer version of Meishi (9999-later). Start that version, or restore a backup.",
    );
    expect(await applied(database)).toEqual(before);
    expect(await tables(database)).not.toContain("pet");
  });

  test("of a version before 0.1.0 are rejected in one line", async () => {
    const database = await open();
    await migrate(database.db, engine, makeTempFolder());
    await database.db.insertInto("migration").values({ name: "0001-profiles-and-cards", applied_at: 1 }).execute();
    expect(await startProblemOf(() => migrate(database.db, engine, migrationsFolder))).toBe(
      "The database was created by a version before 0.1.0, which can't be upgraded. " +
        "Use an empty database: set DATABASE_URL to another one or, for SQLite, DATA_DIR to an empty folder.",
    );
    expect(await tables(database)).toEqual(["migration"]);
  });

  test("share a lock that runs work in one process at a time", async () => {
    const database = await makeDatabase(engine);
    const others = await Promise.all(Array.from({ length: engine === "postgres" ? 3 : 0 }, database.open));
    let inside = 0;
    let maxInside = 0;
    const work = async () => {
      maxInside = Math.max(maxInside, ++inside);
      await pause(10);
      inside--;
    };
    await Promise.all([database, ...others].map(({ db }) => withMigrationLock(db, engine, work)));
    expect(maxInside).toBe(1);
  });
});

/** Our own migrations and one more. */
function folderWith(name: string, content: string) {
  const folder = makeTempFolder();
  cpSync(migrationsFolder, folder, { recursive: true });
  writeFileSync(join(folder, name), content);
  return folder;
}

async function applied({ db }: TestDatabase) {
  const rows = await db.selectFrom("migration").select("name").where("name", "<>", "(lock)").orderBy("name").execute();
  return rows.map(({ name }) => name);
}

async function tables({ db }: TestDatabase) {
  return (await db.introspection.getTables()).map(({ name }) => name);
}
