import { randomBytes } from "node:crypto";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import pino from "pino";
import { expect, test } from "vitest";

import { openDataFolder } from "#app/services/config/data-folder.server.ts";
import { findSetting, saveSetting } from "#app/services/config/setting-rows.server.ts";
import { openDatabase } from "#app/services/database/database.server.ts";
import { selectAll } from "#tests/support/database/account-rows.ts";
import { listEngines, migrationsFolder as migrations } from "#tests/support/database/databases.ts";
import {
  emptyConfig,
  makeBackup,
  makeInstallation,
  now,
  restore,
  storageOf,
} from "#tests/support/storage/installations.ts";
import { s3Environment, startS3 } from "#tests/support/storage/s3.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

import { fileSource } from "./backup-target.server.ts";
import { findLastBackup, saveLastBackup } from "./last-backup.server.ts";
import { restoreBackup } from "./restore-backup.server.ts";
import { writeMarker } from "./restore-checks.server.ts";
import { writeBackup } from "./write-backup.server.ts";

const log = pino({ level: "silent" });

test.each(listEngines())("a target that isn't empty is refused with what to do, on %s", async (engine) => {
  const { path } = await makeBackup();
  const filled = await emptyConfig(engine);
  await restore(path, filled);
  await expect(restore(path, filled)).rejects.toThrow(
    /isn't empty: it has .*secrets.json.* Stop Meishi, move the folder/,
  );
  if (engine === "sqlite") return;
  const config = { ...filled, dataDir: join(makeTempFolder(), "other") };
  await expect(restore(path, config)).rejects.toThrow(/The database \(DATABASE_URL\) isn't empty: .*createdb/);
});

test("a bucket that isn't empty is refused", async () => {
  const { path } = await makeBackup();
  const config = await emptyConfig("sqlite", s3Environment(await startS3()));
  const files = await storageOf(config);
  await files.put("avatars/eve/e.webp", randomBytes(1), "image/webp");
  await expect(restore(path, config)).rejects.toThrow(/avatars\/eve\/e.webp.*Use an empty bucket/);
});

test("what is left of another database, which SQLite would apply to the restored one, is refused", async () => {
  const { path } = await makeBackup();
  const config = await emptyConfig("sqlite");
  openDataFolder(config.dataDir).close();
  writeFileSync(join(config.dataDir, "meishi.db-wal"), "");
  await expect(restore(path, config)).rejects.toThrow(/isn't empty: it has meishi\.db-wal\./);
});

test.each(listEngines())(
  "a restore that was killed is repeated, and until then nothing starts there, on %s",
  async (engine) => {
    const { path } = await makeBackup();
    const config = await emptyConfig(engine);
    const half = join(makeTempFolder(), "half.tar");
    copyFileSync(path, half);
    const broken = restoreBackup(
      // The second reading, which writes, ends early.
      { ...fileSource(path, undefined), open: createFailingOpen(path, half) },
      { config, migrations, log },
    );
    await expect(broken).rejects.toThrow(/damaged/);
    await expect(writeBackup(join(makeTempFolder(), "b.tar"), { config, migrations, now })).rejects.toThrow(
      /didn't finish, so there/,
    );
    expect(() => openDataFolder(config.dataDir)).toThrow(/A restore into .* didn't finish. Run `npm run restore`/);
    await restore(path, config);
    openDataFolder(config.dataDir).close();
    const { db, close } = await openDatabase(config);
    expect(await selectAll({ db }, "user")).toHaveLength(1);
    await close();
  },
);

function createFailingOpen(path: string, half: string) {
  let reads = 0;
  const bytes = readFileSync(path);
  writeFileSync(half, bytes.subarray(0, bytes.indexOf("database/user/") + 100));
  return () => fileSource(reads++ === 0 ? path : half, undefined).open();
}

test.each(listEngines())("a restore that was killed behind its last row is completed, on %s", async (engine) => {
  const { path, manifest } = await makeBackup();
  const config = await emptyConfig(engine);
  const { dataDir } = config;
  await restore(path, config);
  // As if the kill came just before the marker was removed; on PostgreSQL, before it was written again.
  if (engine === "postgres") {
    const { db, close } = await openDatabase(config);
    await saveSetting(db, "restored-backup", manifest.sums);
    await close();
  }
  writeMarker(dataDir, { sums: manifest.sums, isLoaded: engine === "sqlite" });
  await restore(path, config);
  expect(existsSync(join(dataDir, "restore-unfinished"))).toBe(false);
  const { db, close } = await openDatabase(config);
  expect(await selectAll({ db }, "user")).toHaveLength(1);
  await close();
});

test("a restore that was begun refuses another backup, and a database that was put there since", async () => {
  const [first, second] = [await makeBackup(), await makeBackup()];
  const config = await emptyConfig("sqlite");
  openDataFolder(config.dataDir).close();
  writeMarker(config.dataDir, { sums: first.manifest.sums, isLoaded: false });
  await expect(restore(second.path, config)).rejects.toThrow(/A restore of another backup into .* didn't finish/);
  writeFileSync(join(config.dataDir, "meishi.db"), "live");
  await expect(restore(first.path, config)).rejects.toThrow(/isn't empty: it has meishi\.db\./);
  expect(readFileSync(join(config.dataDir, "meishi.db"), "utf8")).toBe("live");
});

test.runIf(listEngines().includes("postgres"))(
  "a PostgreSQL database in use is refused, and leaves no marker",
  async () => {
    const { path } = await makeBackup();
    const filled = await emptyConfig("postgres");
    await restore(path, filled);
    const config = { ...filled, dataDir: join(makeTempFolder(), "other") };
    await expect(restore(path, config)).rejects.toThrow(/The database \(DATABASE_URL\) isn't empty/);
    expect(existsSync(join(config.dataDir, "restore-unfinished"))).toBe(false);
    const { db, close } = await openDatabase(filled);
    expect(await findSetting(db, "restored-backup")).toBeUndefined();
    await close();
  },
);

test.each(listEngines())("after a restore, devices that synchronized contacts start over, on %s", async (engine) => {
  const source = await makeInstallation();
  await source.db.insertInto("address_book").values({ owner_id: "ada", revision: 7 }).execute();
  const path = join(makeTempFolder(), "b.tar");
  await writeBackup(path, { ...source, migrations, now });
  const config = await emptyConfig(engine);
  await restore(path, config);
  const { db, close } = await openDatabase(config);
  const [book] = await db.selectFrom("address_book").selectAll().execute();
  expect(book?.oldest_revision).toBeGreaterThan(1_000_000);
  expect(book?.revision).toBe(book?.oldest_revision);
  await close();
});

test("a restored installation doesn't claim the backups of the one before", async () => {
  const source = await makeInstallation();
  await saveLastBackup(source.db, { name: "meishi.tar", createdAt: now, bytes: 1, days: 7 });
  const path = join(makeTempFolder(), "b.tar");
  await writeBackup(path, { ...source, migrations, now });
  const config = await emptyConfig("sqlite");
  await restore(path, config);
  const { db, close } = await openDatabase(config);
  expect(await findLastBackup(db)).toBeUndefined();
  await close();
});
