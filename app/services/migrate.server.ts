import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { sql } from "kysely";

import { transact } from "./database.server.ts";
import type { Db, Engine } from "./database.server.ts";
import { startProblem } from "./start-problem.ts";

/**
 * Brings the tables up to date with the .sql files of `folder`, each once and in the order of their names. Throws a start
 * problem, and changes nothing, when a newer version has already changed them.
 */
export async function migrate(db: Db, engine: Engine, folder: string): Promise<void> {
  const files = listMigrations(folder);
  await makeMigrationTable(db);
  refuseNewer(await listApplied(db), files);
  await alone(db, engine, async () => {
    const applied = await listApplied(db);
    refuseNewer(applied, files);
    for (const name of files.filter((file) => !applied.includes(file))) await apply(db, folder, name);
  });
}

/**
 * Runs `work` while no other process on this database does the same; they wait. For what must not happen twice at a start.
 * The lock goes with the connection, also when the process is killed. Needs `migrate` to have run once.
 */
export async function alone<T>(db: Db, engine: Engine, work: () => Promise<T>): Promise<T> {
  // One process has the data folder, and with it the SQLite file, for itself already.
  if (engine === "sqlite") return work();
  return db.transaction().execute(async (trx) => {
    // A row that is being changed is what every PostgreSQL-like database makes others wait for.
    await trx.updateTable("migration").set({ applied_at: Date.now() }).where("name", "=", LOCK).execute();
    return work();
  });
}

const LOCK = "(lock)";
const MAX_TRIES = 10;

function listMigrations(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .map((file) => file.slice(0, -".sql".length))
    .toSorted();
}

async function listApplied(db: Db): Promise<string[]> {
  const rows = await db.selectFrom("migration").select("name").where("name", "!=", LOCK).orderBy("name").execute();
  return rows.map(({ name }) => name);
}

function refuseNewer(applied: string[], files: string[]) {
  const unknown = applied.filter((name) => !files.includes(name));
  if (unknown.length === 0) return;
  throw startProblem(
    `The database was made by a newer Meishi (${unknown.join(", ")}). Start that version, or put back a backup.`,
  );
}

/** "if not exists" is not safe against a twin that makes the table at the same moment: then it is there at the next try. */
async function makeMigrationTable(db: Db): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await sql`create table if not exists migration (name text not null primary key, applied_at bigint not null)`.execute(
        db,
      );
      await db
        .insertInto("migration")
        .values({ name: LOCK, applied_at: 0 })
        .onConflict((row) => row.doNothing())
        .execute();
      return;
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
      await pause(Math.random() * 20 * tries);
    }
  }
}

/** The file and the note that it was applied are one transaction: a stop in the middle leaves neither. */
async function apply(db: Db, folder: string, name: string): Promise<void> {
  const statements = splitStatements(readFileSync(join(folder, `${name}.sql`), "utf8"));
  await transact(db, async (trx) => {
    for (const statement of statements) await sql.raw(statement).execute(trx);
    await trx.insertInto("migration").values({ name, applied_at: Date.now() }).execute();
  });
}

/** Our own files only: comments have a line to themselves, and a semicolon at the end of a line ends the statement. */
function splitStatements(text: string): string[] {
  return text
    .replace(/^\s*--.*$/gm, "")
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}
