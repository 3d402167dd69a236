import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";

import { sampleOwnerId } from "#app/features/profile/rules.ts";
import { readArchive } from "#app/services/backup/archive-reader.server.ts";
import { fileSource } from "#app/services/backup/backup-target.server.ts";
import { environment } from "#app/services/config/config.server.ts";
import { openDatabase } from "#app/services/database/database.server.ts";
import { listMigrations } from "#app/services/database/migrate.server.ts";
import { listEngines, makeDatabase, migrationsFolder } from "#tests/support/database/databases.ts";
import { startProgram } from "#tests/support/program/program.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

const profiles = 100_000;
const kills = 20;

test.each(listEngines())(
  `an update of 0.1.0 with ${profiles} profiles that is killed ${kills} times is completed by the next start, on %s`,
  async (engine) => {
    const { databaseUrl } = engine === "postgres" ? await makeDatabase(engine, { migrated: false }) : {};
    const dataDir = join(makeTempFolder(), "data");
    const target = { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
    const command = join(import.meta.dirname, "../../../build/server/backup.js");
    const release = join(import.meta.dirname, "../../support/fixtures/releases/0.1.0.tar");
    execFileSync(process.execPath, [command, "restore", release], {
      env: { PATH: environment().PATH, ...target },
      stdio: "ignore",
    });
    const open = async () => {
      const database = await openDatabase({ dataDir, databaseUrl });
      onTestFinished(() => database.close());
      return database;
    };
    const filled = await open();
    await sql`insert into profile (owner_id, display_name, bio, created_at, updated_at)
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(profiles)})
      select 'owner-' || n, 'Owner ' || n, 'Hello', n, n from numbers`.execute(filled.db);
    await filled.close();

    for (let kill = 0; kill < kills; kill++) {
      const program = await startProgram(target);
      // Later each time: at the start, in the backup, in a migration, or behind the last one.
      await pause(150 + kill * 150);
      await program.kill("SIGKILL");
      const { db, close } = await open();
      const { n } = await db
        .selectFrom("profile")
        .select((row) => row.fn.countAll<number>().as("n"))
        // A program that was fast enough to finish has added the sample.
        .where("owner_id", "<>", sampleOwnerId)
        .executeTakeFirstOrThrow();
      expect(n, `after ${kill} kills`).toBe(profiles + 1);
      await close();
    }
    const program = await startProgram(target);
    onTestFinished(() => program.remove());
    expect(await program.isUp(), program.errors()).toBe(true);
    const { db } = await open();
    const applied = await db
      .selectFrom("migration")
      .select("name")
      .where("name", "<>", "(lock)")
      .orderBy("name")
      .execute();
    expect(applied.map(({ name }) => name)).toEqual(listMigrations(migrationsFolder));
    const backups = join(dataDir, "backups");
    const names = readdirSync(backups).filter((name) => name.startsWith("before-update-"));
    for (const name of names) {
      const { tables } = await readArchive(fileSource(join(backups, name), undefined));
      expect(tables["profile"]).toBe(profiles + 1);
    }
    expect(names.length).toBeGreaterThan(0);
  },
);
