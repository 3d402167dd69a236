import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { Config } from "#app/services/config/config.server.ts";
import { openDatabase } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { selectAll } from "#tests/support/database/account-rows.ts";
import { listEngines, migrationsFolder as migrations } from "#tests/support/database/databases.ts";
import {
  configOf,
  emptyConfig,
  makeBackup,
  makeInstallation,
  now,
  restore,
  storageOf,
} from "#tests/support/storage/installations.ts";
import { s3Environment, startS3 } from "#tests/support/storage/s3.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

import { fileSource, findInstallation, openBackupTarget, removeOldBackups } from "./backup-target.server.ts";
import { findLastBackup } from "./last-backup.server.ts";
import { verifyBackup } from "./load-backup.server.ts";
import { backUp } from "./run-backup.server.ts";
import { storedTables } from "./snapshot.server.ts";
import { writeBackup } from "./write-backup.server.ts";

const passphrase = "four words are enough";
async function allRows(db: Db) {
  const names = (await db.introspection.getTables()).map(({ name }) => name);
  const tables: Record<string, string[]> = {};
  for (const name of storedTables(names))
    tables[name] = (await selectAll({ db }, name)).map((row) => JSON.stringify(row)).toSorted();
  return tables;
}

async function fileBytes(config: Config) {
  const files = await storageOf(config);
  const found: Record<string, string> = {};
  for await (const { path } of files.list(""))
    found[path] = Buffer.from((await files.read(path)) ?? []).toString("hex");
  return found;
}

test.each(listEngines().flatMap((engine) => [[engine, "folder"] as const, [engine, "S3"] as const]))(
  "an installation moves from SQLite and a folder to %s and a %s, and back, with every row and byte",
  async (engine, store) => {
    const source = await makeBackup({ settings: 1_100 });
    const there = await emptyConfig(engine, store === "S3" ? s3Environment(await startS3()) : {});
    expect(await restore(source.path, there)).toEqual(source.manifest);
    const back = join(makeTempFolder(), "back.tar");
    const manifest = await writeBackup(back, { config: there, files: await storageOf(there), migrations, now });
    expect(manifest).toMatchObject({ engine, tables: source.manifest.tables, files: { count: 2, bytes: 300_010 } });
    const config = await emptyConfig("sqlite");
    await restore(back, config);

    const { db, close } = await openDatabase(config);
    expect(await allRows(db)).toEqual(await allRows(source.db));
    await close();
    const { "status/self/probe": probe, ...files } = await fileBytes(source.config);
    expect(probe).toBeDefined();
    expect(await fileBytes(config)).toEqual(files);
    for (const name of ["secrets.json", "content/site.json"]) {
      const [before, after] = [source.dataDir, config.dataDir].map((folder) =>
        readFileSync(join(folder, name), "utf8"),
      );
      expect(after).toBe(before);
    }
    expect(readdirSync(config.dataDir).toSorted()).toEqual(
      ["content", "files", "lock.db", "mail", "meishi.db", "secrets.json"].toSorted(),
    );
  },
);

test("tar and sha256sum read a backup, which only this user may read", async () => {
  const { path } = await makeBackup();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const folder = makeTempFolder();
  execFileSync("tar", ["-xf", path, "-C", folder]);
  expect(execFileSync("sha256sum", ["-c", "sha256sums.txt"], { cwd: folder }).toString()).toMatch(
    /avatars\/ada\/a.webp: OK/,
  );
  expect(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"))).toMatchObject({ format: 1, createdAt: now });
});

test("a damaged, incomplete, foreign or wrongly decrypted backup is refused, and nothing is written", async () => {
  const plain = await makeBackup();
  const encrypted = await makeBackup({ passphrase });
  const changed = (path: string, change: (bytes: Buffer) => Buffer) => {
    const copy = join(makeTempFolder(), "changed.tar");
    writeFileSync(copy, change(readFileSync(path)));
    return copy;
  };
  const flipAfter = (text: string) => (bytes: Buffer) => {
    const at = bytes.indexOf(text) + 100_000;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  };
  const config = await emptyConfig("sqlite");
  for (const [path, word, message] of [
    [
      changed(plain.path, flipAfter("files/avatars/ada/a.webp")),
      undefined,
      /damaged: files\/avatars\/ada\/a.webp was changed/,
    ],
    [changed(plain.path, (bytes) => bytes.subarray(0, 200_000)), undefined, /damaged/],
    [changed(plain.path, (bytes) => bytes.subarray(0, bytes.indexOf("secrets.json"))), undefined, /it is incomplete/],
    [changed(plain.path, () => Buffer.from("Dear Ada,")), undefined, /damaged/],
    [changed(encrypted.path, flipAfter("age-encryption.org/v1")), passphrase, /damaged/],
    [changed(encrypted.path, (bytes) => bytes.subarray(0, 150_000)), passphrase, /damaged/],
    [encrypted.path, undefined, /is encrypted. Set BACKUP_PASSPHRASE/],
    [encrypted.path, "another passphrase", /another passphrase than BACKUP_PASSPHRASE/],
  ] as const)
    await expect(restore(path, config, word), String(message)).rejects.toThrow(message);
  expect(existsSync(config.dataDir)).toBe(false);
});

test("a backup of a newer version is refused; that of an older one gets the older schema", async () => {
  const source = await makeInstallation();
  const path = join(makeTempFolder(), "old.tar");
  await source.db.deleteFrom("migration").where("name", "=", "0019-chosen-card").execute();
  await writeBackup(path, { ...source, migrations, now });
  await source.db.insertInto("migration").values({ name: "9999-newer", applied_at: 1 }).execute();
  const newer = join(makeTempFolder(), "newer.tar");
  await expect(writeBackup(newer, { ...source, migrations, now })).rejects.toThrow(/newer than this version of Meishi/);
  const newerMigrations = makeTempFolder();
  cpSync(migrations, newerMigrations, { recursive: true });
  writeFileSync(join(newerMigrations, "9999-newer.sql"), "create table newer (n bigint);");
  await writeBackup(newer, { ...source, migrations: newerMigrations, now });
  const config = await emptyConfig("sqlite");
  await expect(restore(newer, config)).rejects.toThrow(/whose database is newer than this version knows/);
  await expect(
    verifyBackup(fileSource(path, undefined), { migrations, tempDir: makeTempFolder() }),
  ).resolves.toBeDefined();
});

test("rows that can't be stored are reported by their table, not as a damaged backup", async () => {
  const { db, dataDir } = await makeInstallation();
  await db.schema.alterTable("profile").addColumn("unknown", "text").execute();
  const path = join(makeTempFolder(), "b.tar");
  await writeBackup(path, { config: configOf({ DATA_DIR: dataDir }), migrations, now });
  const restored = restore(path, await emptyConfig("sqlite"));
  await expect(restored).rejects.toThrow(/^Rows of the table profile in .* can't be stored: .*unknown/);
});

test.each(["folder", "S3"])(
  "kept backups go to a %s, are recorded, and old ones are removed but for the newest",
  async (kind) => {
    const { db, dataDir } = await makeInstallation();
    const bucket = kind === "S3" ? await startS3("backups") : undefined;
    const to = bucket ? `${bucket.endpoint.replace("//", "//S3RVER:S3RVER@")}/backups/meishi/daily` : "kept";
    const BACKUP_TO = bucket ? to : join(makeTempFolder(), to);
    const secret = bucket ? undefined : { BACKUP_PASSPHRASE: passphrase };
    const config = configOf({ DATA_DIR: dataDir, BACKUP_TO, ...secret });
    const installation = findInstallation(dataDir);
    const name = `meishi-${installation}-20261128T030000Z.tar${secret ? ".age" : ""}`;
    const options = { config, files: await storageOf(config), migrations };
    const day = 24 * 60 * 60_000;
    // Another installation that keeps its backups there, too.
    const other = "meishi-zzzzzzzz-20200101T030000Z.tar";
    const file = join(makeTempFolder(), "other");
    writeFileSync(file, "");
    await (await openBackupTarget(config)).save(other, file);
    for (const ago of [9, 8, 0]) await backUp({ ...options, now: now - ago * day });
    const target = await openBackupTarget(config);
    expect((await target.list()).toSorted()).toEqual([other, name].toSorted());
    expect(await findLastBackup(db)).toMatchObject({ name, createdAt: now, days: 7 });
    expect(await removeOldBackups(target, { installation, now: now + 100 * day, days: 7 })).toEqual([]);
    expect(readdirSync(target.tempDir).filter((name) => name.startsWith("."))).toEqual([]);
  },
);
