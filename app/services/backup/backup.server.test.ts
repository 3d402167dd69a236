import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import pino from "pino";
import { expect, test } from "vitest";

import { readConfig } from "#app/services/config/config.server.ts";
import type { Config } from "#app/services/config/config.server.ts";
import { openDataFolder } from "#app/services/config/data-folder.server.ts";
import { openSecrets } from "#app/services/config/secrets.server.ts";
import { openDatabase } from "#app/services/database/database.server.ts";
import type { Db, Engine } from "#app/services/database/database.server.ts";
import { openFileStorage } from "#app/services/storage/file-storage.server.ts";
import { insertRows, selectAll } from "#tests/support/database/account-rows.ts";
import { listEngines, makeDatabase, migrationsFolder as migrations } from "#tests/support/database/databases.ts";
import { accountRows, insertProfile } from "#tests/support/database/seed.ts";
import { s3Environment, startS3 } from "#tests/support/storage/s3.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

import { fileSource, openBackupTarget, removeOldBackups } from "./backup-target.server.ts";
import { findLastBackup } from "./last-backup.server.ts";
import { verifyBackup } from "./load-backup.server.ts";
import { restoreBackup } from "./restore-backup.server.ts";
import { backUp } from "./run-backup.server.ts";
import { storedTables } from "./snapshot.server.ts";
import { writeBackup } from "./write-backup.server.ts";

const log = pino({ level: "silent" });
const passphrase = "four words are enough";
const now = Date.UTC(2026, 10, 28, 3);

function configOf(env: Record<string, string>): Config {
  const read = readConfig(env, "/");
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  return read.config;
}

function storageOf(config: Config) {
  const filesDir = join(config.dataDir, "files");
  const tempDir = join(filesDir, ".drafts");
  mkdirSync(tempDir, { recursive: true });
  return openFileStorage({ config, folder: { filesDir, tempDir }, log });
}

/** An installation on SQLite with accounts, files, secrets and content. */
async function makeInstallation({ settings = 1 } = {}) {
  const { db, dataDir } = await makeDatabase("sqlite");
  const config = configOf({ DATA_DIR: dataDir });
  const { id, rows } = await accountRows("ada@example.com", 1);
  const setting = Array.from({ length: settings }, (_, n) => ({ name: `n${n}`, value: `“${n}\n”` }));
  await insertRows({ db }, { ...rows, setting });
  await insertProfile(db, id);
  openSecrets(join(dataDir, "secrets.json")).secret("auth");
  mkdirSync(join(dataDir, "content"));
  writeFileSync(join(dataDir, "content/site.json"), '{ "operator": { "name": "Åsa’s" } }');
  const files = await storageOf(config);
  await files.put("avatars/ada/a.webp", randomBytes(300_000), "image/webp");
  await files.put("resumes/ada/r.pdf", randomBytes(10), "application/pdf");
  await files.put("status/self/probe", randomBytes(4), "text/plain");
  return { db, dataDir, config, files };
}

async function makeBackup(options: { settings?: number; passphrase?: string } = {}) {
  const source = await makeInstallation(options);
  const path = join(makeTempFolder(), "backup.tar");
  const manifest = await writeBackup(path, { ...source, passphrase: options.passphrase, now });
  return { ...source, path, manifest };
}

/** An empty place to restore to. */
async function emptyConfig(engine: Engine, env: Record<string, string> = {}) {
  const { databaseUrl } = engine === "postgres" ? await makeDatabase(engine, { migrated: false }) : {};
  return configOf({
    DATA_DIR: join(makeTempFolder(), "data"),
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...env,
  });
}

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

const restore = (path: string, config: Config, word?: string) =>
  restoreBackup(fileSource(path, word), { config, migrations, log });

test.each(listEngines().flatMap((engine) => [[engine, "folder"] as const, [engine, "S3"] as const]))(
  "an installation moves from SQLite and a folder to %s and a %s, and back, with every row and byte",
  async (engine, store) => {
    const source = await makeBackup({ settings: 1_100 });
    const there = await emptyConfig(engine, store === "S3" ? s3Environment(await startS3()) : {});
    expect(await restore(source.path, there)).toEqual(source.manifest);
    const back = join(makeTempFolder(), "back.tar");
    const manifest = await writeBackup(back, { config: there, files: await storageOf(there), now });
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
  await writeBackup(path, { ...source, now });
  await source.db.insertInto("migration").values({ name: "9999-newer", applied_at: 1 }).execute();
  const newer = join(makeTempFolder(), "newer.tar");
  await writeBackup(newer, { ...source, now });
  const config = await emptyConfig("sqlite");
  await expect(restore(newer, config)).rejects.toThrow(/whose database is newer than this version knows/);
  await expect(
    verifyBackup(fileSource(path, undefined), { migrations, tempDir: makeTempFolder() }),
  ).resolves.toBeDefined();
});

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

test("rows that can't be stored are reported by their table, not as a damaged backup", async () => {
  const { db, dataDir } = await makeInstallation();
  await db.schema.alterTable("profile").addColumn("unknown", "text").execute();
  const path = join(makeTempFolder(), "b.tar");
  await writeBackup(path, { config: configOf({ DATA_DIR: dataDir }), now });
  const restored = restore(path, await emptyConfig("sqlite"));
  await expect(restored).rejects.toThrow(/^Rows of the table profile in .* can't be stored: .*unknown/);
});

test("a bucket that isn't empty is refused", async () => {
  const { path } = await makeBackup();
  const config = await emptyConfig("sqlite", s3Environment(await startS3()));
  const files = await storageOf(config);
  await files.put("avatars/eve/e.webp", randomBytes(1), "image/webp");
  await expect(restore(path, config)).rejects.toThrow(/avatars\/eve\/e.webp.*Use an empty bucket/);
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
    await expect(writeBackup(join(makeTempFolder(), "b.tar"), { config, now })).rejects.toThrow(
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

test.each(["folder", "S3"])(
  "kept backups go to a %s, are recorded, and old ones are removed but for the newest",
  async (kind) => {
    const { db, dataDir } = await makeInstallation();
    const bucket = kind === "S3" ? await startS3("backups") : undefined;
    const to = bucket ? `${bucket.endpoint.replace("//", "//S3RVER:S3RVER@")}/backups/meishi/daily` : "kept";
    const BACKUP_TO = bucket ? to : join(makeTempFolder(), to);
    const secret = bucket ? undefined : { BACKUP_PASSPHRASE: passphrase };
    const config = configOf({ DATA_DIR: dataDir, BACKUP_TO, ...secret });
    const name = `meishi-20261128T030000Z.tar${secret ? ".age" : ""}`;
    const options = { config, files: await storageOf(config), migrations };
    const day = 24 * 60 * 60_000;
    for (const ago of [9, 8, 0]) await backUp({ ...options, now: now - ago * day });
    const target = await openBackupTarget(config);
    expect(await target.list()).toEqual([name]);
    expect(await findLastBackup(db)).toMatchObject({ name, createdAt: now, days: 7 });
    expect(await removeOldBackups(target, { now: now + 100 * day, days: 7 })).toEqual([]);
    expect(readdirSync(target.tempDir).filter((name) => name.startsWith("."))).toEqual([]);
  },
);
