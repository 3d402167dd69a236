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
const ours = ["0001-profiles-and-cards", "0002-counting", "0003-jobs"];

describeOnEachDatabase("migrations", (_, engine) => {
  const open = () => makeDatabase(engine, { migrated: false });

  test("are applied once, in order, by processes that start at the same time and later", async () => {
    const database = await open();
    const others = await Promise.all(Array.from({ length: engine === "postgres" ? 5 : 0 }, database.open));
    await Promise.all([database, ...others].map(({ db }) => migrate(db, engine, migrationsFolder)));
    await migrate(database.db, engine, migrationsFolder);
    expect((await applied(database)).slice(0, 3)).toEqual(ours);
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
    const folder = folderUntil("9999");
    rmSync(join(folder, "0043-merged-leads.sql"));
    await migrate(database.db, engine, folder);
    expect(await tables(database)).not.toContain("lead_distinct");
    await migrate(database.db, engine, migrationsFolder);
    expect(await tables(database)).toEqual(expect.arrayContaining(["lead_distinct", "weekly_mail"]));
  });

  test("keep the rows of a database whose owners were called user_id, and turn plans of operators into grants", async () => {
    const database = await open();
    const { db } = database;
    const insert = (row: string) => sql.raw(`insert into ${row}`).execute(db);
    await migrate(db, engine, folderUntil("0006-retired-handles"));
    await insert("profile (user_id, display_name, bio, created_at, updated_at) values ('ada', 'Ada', '', 1, 1)");
    await insert("handle (handle, user_id, is_current, created_at) values ('ada', 'ada', 1, 1)");
    await insert("card (id, user_id, card_name, created_at, updated_at) values ('c1', 'ada', 'Work', 1, 1)");
    await insert("subscription (user_id, plan) values ('ada', 'premium')");
    await migrate(db, engine, folderUntil("0023"));
    await insert("subscription (owner_id, plan, ends_at) values ('bob', 'premium', 5), ('eve', 'free', null)");
    await migrate(db, engine, migrationsFolder);
    for (const table of ["profile", "handle", "card"] as const)
      expect(await db.selectFrom(table).select("owner_id").execute(), table).toEqual([{ owner_id: "ada" }]);
    const second = insert("handle (handle, owner_id, is_current, created_at) values ('b', 'ada', 1, 1)");
    await expect(second).rejects.toThrow(/unique/i);
    const grants = db.selectFrom("plan_grant").select(["owner_id", "plan", "ends_at"]).orderBy("owner_id");
    expect(await grants.execute()).toEqual([
      { owner_id: "ada", plan: "premium", ends_at: null },
      { owner_id: "bob", plan: "premium", ends_at: 5 },
    ]);
    expect(await db.selectFrom("subscription").select("owner_id").execute()).toHaveLength(3);
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
  const folder = folderUntil("9999");
  writeFileSync(join(folder, name), content);
  return folder;
}

/** A folder of the migrations up to this one. */
function folderUntil(last: string) {
  const folder = makeTempFolder();
  for (const file of readdirSync(migrationsFolder).filter((file) => file.slice(0, last.length) <= last))
    cpSync(join(migrationsFolder, file), join(folder, file));
  return folder;
}

async function applied({ db }: TestDatabase) {
  const rows = await db.selectFrom("migration").select("name").where("name", "<>", "(lock)").orderBy("name").execute();
  return rows.map(({ name }) => name);
}

async function tables({ db }: TestDatabase) {
  return (await db.introspection.getTables()).map(({ name }) => name);
}
