import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { openSecrets } from "#app/services/config/secrets.server.ts";
import { saveSetting } from "#app/services/config/setting-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import { listEngines, makeDatabase, migrationsFolder as migrations } from "#tests/support/database/databases.ts";
import { makeStore } from "#tests/support/storage/stores.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

import { readArchive } from "./archive-reader.server.ts";
import { fileSource } from "./backup-target.server.ts";
import { writeBackup } from "./write-backup.server.ts";

test.each(listEngines())(
  "a backup beside writes has each acknowledged one, and is of one moment, on %s",
  async (engine) => {
    const { db, dataDir, databaseUrl } = await makeDatabase(engine);
    const config = { dataDir, databaseUrl, baseUrl: "https://cards.example" };
    const state = { isDone: false, acknowledged: 0 };
    const writing = (async () => {
      for (let n = 0; !state.isDone; n++) {
        // Both or neither.
        await transact(db, async (trx) => {
          await trx
            .insertInto("setting")
            .values({ name: `n${n}`, value: "x" })
            .execute();
          await trx
            .insertInto("storage")
            .values({ owner_id: `n${n}` })
            .execute();
        });
        state.acknowledged = n + 1;
      }
    })();
    await expect.poll(() => state.acknowledged).toBeGreaterThan(20);
    const before = state.acknowledged;
    const { tables } = await writeBackup(join(makeTempFolder(), "b.tar"), { config, migrations, now: 1 });
    state.isDone = true;
    await writing;
    expect(tables["setting"]).toBeGreaterThanOrEqual(before);
    expect(tables["setting"]).toBe(tables["storage"]);
  },
);

test("a backup with the secrets or files of another installation, or none, is refused", async () => {
  const { db, dataDir } = await makeDatabase("sqlite");
  const config = { dataDir, databaseUrl: undefined, baseUrl: "https://cards.example" };
  const files = await makeStore("folder");
  const path = join(makeTempFolder(), "b.tar");
  const backUp = () => writeBackup(path, { config, files, migrations, now: 1 });
  await expect(backUp()).rejects.toThrow(/secrets\.json doesn't exist\. Check that DATA_DIR/);
  openSecrets(join(dataDir, "secrets.json")).secret("auth");
  await saveSetting(db, "secret-fingerprint", "of another secret");
  await expect(backUp()).rejects.toThrow(/secrets\.json isn't the one that was first used with this database/);
  await db.deleteFrom("setting").execute();
  await saveSetting(db, "store-id", "ours");
  await expect(backUp()).rejects.toThrow(/The uploaded files of this database are elsewhere/);
  await files.put("store-id", Buffer.from("ours\n"), "text/plain");
  // Tables of other programs, and folders among the content, are left out.
  await db.schema.createTable("spatial_ref_sys").addColumn("id", "text").execute();
  mkdirSync(join(dataDir, "content/drafts"), { recursive: true });
  expect((await backUp()).tables).not.toHaveProperty("spatial_ref_sys");
});

test("a file that is replaced during a backup is in it as it was last, also for sha256sum", async () => {
  const { dataDir } = await makeDatabase("sqlite");
  openSecrets(join(dataDir, "secrets.json")).secret("auth");
  const files = await makeStore("folder");
  await files.put("resumes/ada/r.pdf", Buffer.from("first"), "application/pdf");
  const writtenAt = async () => {
    for await (const file of files.list("resumes/")) return file.writtenAt;
  };
  const first = await writtenAt();
  const replacing = {
    ...files,
    open: async (path: string) => {
      const found = await files.open(path);
      // Again while the clock of the file system, which advances every few milliseconds, hasn't.
      while ((await writtenAt()) === first) await files.put(path, Buffer.from("second"), "application/pdf");
      return found;
    },
  };
  const [path, folder] = [join(makeTempFolder(), "b.tar"), makeTempFolder()];
  const config = { dataDir, databaseUrl: undefined, baseUrl: "https://cards.example" };
  const manifest = await writeBackup(path, { config, files: replacing, migrations, now: 1 });
  expect(manifest.files).toEqual({ count: 1, bytes: 6 });
  expect(await readArchive(fileSource(path, undefined))).toEqual(manifest);
  execFileSync("tar", ["-xf", path, "-C", folder]);
  execFileSync("sha256sum", ["--check", "--strict", "sha256sums.txt"], { cwd: folder });
  expect(readFileSync(join(folder, "files/resumes/ada/r.pdf"), "utf8")).toBe("second");
});

test.each([undefined, "four words are enough"])(
  "a file that can't be written is the reason, with the passphrase %s",
  async (passphrase) => {
    const { dataDir } = await makeDatabase("sqlite");
    const config = { dataDir, databaseUrl: undefined, baseUrl: "https://cards.example" };
    const path = join(makeTempFolder(), "missing/b.tar");
    const made = writeBackup(path, { config, passphrase, migrations, now: 1 });
    await expect(made).rejects.toThrow(/ENOENT: no such file or directory, open .*missing\/b\.tar/);
  },
);
