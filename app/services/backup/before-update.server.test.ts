import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import pino from "pino";
import { expect, test } from "vitest";

import { migrate } from "#app/services/database/migrate.server.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

import { readArchive } from "./archive-reader.server.ts";
import { fileSource } from "./backup-target.server.ts";
import { backUpBeforeUpdate } from "./before-update.server.ts";

const log = pino({ level: "silent" });

/** A folder of migrations with one more than the database has. */
function newerMigrations(): string {
  const folder = makeTempFolder();
  writeFileSync(join(folder, "0001-first.sql"), "create table first (n bigint not null);");
  return folder;
}

const addSecond = (folder: string) => writeFileSync(join(folder, "0002-second.sql"), "create table second (n bigint);");

test.each(listEngines())("the database is backed up before an update, not at other starts, on %s", async (engine) => {
  const database = await makeDatabase(engine, { migrated: false });
  const migrations = newerMigrations();
  const { dataDir, databaseUrl } = database;
  const config = {
    dataDir,
    databaseUrl,
    baseUrl: "http://localhost",
    backupBeforeUpdate: true,
    backupPassphrase: undefined,
  };
  const begin = () => backUpBeforeUpdate(database, { config, migrations, log });
  const start = async () => {
    const complete = await begin();
    await migrate(database.db, engine, migrations);
    complete();
  };
  const backups = join(dataDir, "backups");
  const list = () => (existsSync(backups) ? readdirSync(backups).filter((name) => !name.startsWith(".")) : []);
  await start();
  await start();
  expect(list()).toEqual([]);
  addSecond(migrations);
  await backUpBeforeUpdate(database, { config: { ...config, backupBeforeUpdate: false }, migrations, log });
  expect(list()).toEqual([]);
  // As many starts whose update fails.
  for (let times = 0; times < 5; times++) await begin();
  const [first = "", ...others] = list();
  expect(others).toEqual([]);
  const made = await readArchive(fileSource(join(backups, first), undefined));
  expect(made).toMatchObject({ engine, migrations: ["0001-first"], files: null });
  for (const year of [2020, 2021, 2022]) writeFileSync(join(backups, `before-update-${Date.UTC(year)}.tar`), "");
  await start();
  expect(list().toSorted()).toEqual([
    `before-update-${Date.UTC(2021)}.tar`,
    `before-update-${Date.UTC(2022)}.tar`,
    first,
  ]);
});

test("an update doesn't begin when its backup can't be made, and says what to do", async () => {
  const database = await makeDatabase("sqlite", { migrated: false });
  const migrations = newerMigrations();
  await migrate(database.db, "sqlite", migrations);
  addSecond(migrations);
  const { dataDir } = database;
  writeFileSync(join(dataDir, "backups"), "not a folder");
  const config = { ...database, baseUrl: "http://localhost", backupBeforeUpdate: true, backupPassphrase: undefined };
  const update = () => backUpBeforeUpdate(database, { config, migrations, log });
  await expect(update()).rejects.toThrow(/The backup before the update couldn't be made in .*BACKUP_BEFORE_UPDATE=off/);
  rmSync(join(dataDir, "backups"));
  await update();
  expect(readdirSync(join(dataDir, "backups"))).toContainEqual(expect.stringMatching(/^before-update-/));
});
