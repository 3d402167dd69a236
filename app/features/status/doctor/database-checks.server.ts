import { sql } from "kysely";

import { compareStore } from "#app/features/uploads/stored-files.server.ts";
import { formatNumber } from "#app/services/base/format.ts";
import { findMove } from "#app/services/config/moved-address.server.ts";
import { findSetting } from "#app/services/config/setting-rows.server.ts";
import { fingerprintName, fingerprintOf } from "#app/services/config/secrets.server.ts";
import type { Db, OpenDatabase } from "#app/services/database/database.server.ts";
import { listMigrations } from "#app/services/database/migrate.server.ts";
import { createClockCheck } from "#app/services/jobs/clock-checks.server.ts";
import { maxJobTries } from "#app/services/jobs/job-rows.server.ts";
import type { FileStorage } from "#app/services/storage/file-storage.server.ts";

import type { Check } from "./run-checks.server.ts";

type DatabaseSource = {
  database: OpenDatabase;
  baseUrl: string;
  secret: string | undefined;
  migrations: string;
  now: number;
};

export function databaseChecks({ database, baseUrl, secret, migrations, now }: DatabaseSource): Check[] {
  const { db, engine } = database;
  return [
    {
      name: "Database",
      fix: "Restore a backup: docs/backups.md.",
      run: () => (engine === "sqlite" ? checkSqlite(db) : checkPostgres(db)),
    },
    {
      name: "Migrations",
      fix: "Start Meishi once: it makes the tables.",
      async run() {
        const known = listMigrations(migrations);
        const rows = await db.selectFrom("migration").select("name").where("name", "<>", "(lock)").execute();
        const applied = rows.map(({ name }) => name);
        const unknown = applied.filter((name) => !known.includes(name));
        const pending = known.filter((name) => !applied.includes(name));
        if (unknown.length > 0)
          return {
            error: `The database is newer than this program: ${unknown.join(", ")}.`,
            fix: "Start the newer version.",
          };
        if (pending.length > 0)
          return {
            warning: `Not applied yet: ${pending.join(", ")}.`,
            fix: "Start this version; it backs up the database first.",
          };
        return `All ${applied.length} are applied.`;
      },
    },
    {
      name: "Clock",
      fix: "Synchronize the clock (NTP).",
      async run() {
        const clock = createClockCheck(database);
        await clock.measure();
        const problem = clock.problem();
        if (problem) return { error: problem, fix: "timedatectl set-ntp true, on this machine and the database's." };
        return engine === "sqlite" ? `${new Date(now).toISOString()} on this machine.` : "As the database server's.";
      },
    },
    {
      name: "Secrets and database",
      fix: "Put the first secrets.json back.",
      async run() {
        const stored = await findSetting(db, fingerprintName);
        if (stored === undefined || secret === undefined) return "Not used together yet.";
        if (stored === fingerprintOf(secret)) return "They belong together.";
        return {
          error:
            "secrets.json isn't the one that this database was first used with: sessions, links and webhooks don't work.",
          fix: "Put the first secrets.json back (of several nodes, that of the first), and restart.",
        };
      },
    },
    {
      name: "Former address",
      fix: "",
      async run() {
        const moved = await findMove(db, baseUrl);
        return moved === undefined
          ? "BASE_URL is that of the last start."
          : { warning: moved, fix: "Read that first." };
      },
    },
    { name: "Background jobs", fix: "Restart Meishi, and look at its log.", run: () => checkJobs(db, now) },
  ];
}

async function checkSqlite(db: Db) {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(3)`.execute(db);
  const problems = rows.map((row) => row.quick_check).filter((text) => text !== "ok");
  if (problems.length > 0)
    return {
      error: `meishi.db is damaged: ${problems.join("; ")}`,
      fix: "Stop Meishi and restore a backup: docs/backups.md.",
    };
  const version = await sql<{ version: string }>`select sqlite_version() as version`.execute(db);
  return `SQLite ${version.rows[0]?.version}, no errors found.`;
}

async function checkPostgres(db: Db) {
  const { rows } = await sql<{ version: string; used: number; most: number }>`
    select current_setting('server_version') as version, current_setting('max_connections')::int as most,
      (select count(*)::int from pg_stat_activity) as used`.execute(db);
  const { version = "", used = 0, most = 1 } = rows[0] ?? {};
  const text = `PostgreSQL ${version}, ${used} of ${most} connections in use.`;
  const fix = "Raise max_connections, or use a pooler: each process of Meishi takes up to 11.";
  return used > most * 0.8 ? { warning: text, fix } : text;
}

const lateMs = 5 * 60_000;

async function checkJobs(db: Db, now: number) {
  const count = db.fn.countAll<number>().as("n");
  const late = await db
    .selectFrom("job")
    .select(["kind", count])
    .where("run_at", "<", now - lateMs)
    .where("leased_until", "<", now - lateMs)
    .where("tries", "<", maxJobTries)
    .groupBy("kind")
    .execute();
  const givenUp = await db
    .selectFrom("job")
    .select(["kind", count])
    .where("tries", ">=", maxJobTries)
    .groupBy("kind")
    .execute();
  const list = (rows: typeof late) => rows.map(({ kind, n }) => `${n} × ${kind}`).join(", ");
  if (late.length > 0)
    return {
      error: `Due for more than five minutes: ${list(late)}.`,
      fix: "Start Meishi, if it isn't running. If it is, restart it and look at its log.",
    };
  if (givenUp.length > 0)
    return {
      warning: `Given up after ${maxJobTries} tries: ${list(givenUp)}.`,
      fix: "The log says why each try failed.",
    };
  return "None is late, none was given up.";
}

/** Compares the uploads that rows name with the files that are there. */
export function filesCheck(db: Db, files: FileStorage): Check {
  return {
    name: "Uploaded files",
    fix: "Check the file storage.",
    async run() {
      const { found, missing, orphans } = await compareStore({ db, files });
      if (missing.length > 0)
        return {
          error: `${formatNumber(missing.length)} files are missing, such as ${missing[0]}.`,
          fix: "Check that DATA_DIR or S3_BUCKET is the right one. Otherwise, put back the folder files/ of a backup.",
        };
      return `${formatNumber(found)} files. None is missing, and ${formatNumber(orphans)} belong to no upload.`;
    },
  };
}
