import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";

import { Client, Pool } from "pg";
import { inject } from "vitest";

import { createAuthTables } from "#app/services/auth/better-auth.server.ts";
import { openDatabase } from "#app/services/database/database.server.ts";
import type { Db, OpenDatabase } from "#app/services/database/database.server.ts";
import { migrate } from "#app/services/database/migrate.server.ts";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

import "./postgres-server.ts";

type PostgresDatabase = { name: string; url: string };

/** Empty, migrated databases of this worker that earlier tests used: emptying one takes a tenth of the time of making one. */
const unused: PostgresDatabase[] = [];
let template: Promise<{ name: string; fingerprint: string }> | undefined;

type SharedDatabase = OpenDatabase & { name: string; url: string; emptier: Client };

/** The migrated database that tests of this worker use one after another. */
let shared: SharedDatabase | undefined;
let isSharedInUse = false;

/**
 * A migrated database for one test, without rows. The next test gets the same one, with its open connections: a server process that has
 * run a query before spends a fifth of the time on it. Undefined when a test requests a second one.
 */
export async function borrowPostgresDatabase(migrationsFolder: string): Promise<Db | undefined> {
  if (isSharedInUse) return undefined;
  isSharedInUse = true;
  template ??= makeTemplate(migrationsFolder);
  const { name, fingerprint } = await template;
  const database = (shared ??= await openShared(name));
  cleanUpAfterTest(async () => {
    if (!(await emptyDatabase(database.emptier, fingerprint))) {
      shared = undefined;
      await Promise.all([database.close(), database.emptier.end()]);
      await dropDatabase(database.name);
    }
    isSharedInUse = false;
  });
  return database.db;
}

async function openShared(templateName: string): Promise<SharedDatabase> {
  const database = await addDatabase(templateName);
  const emptier = new Client({ connectionString: database.url });
  await emptier.connect();
  return { ...database, emptier, ...(await openDatabase({ dataDir: tmpdir(), databaseUrl: database.url })) };
}

/** Ends the queries that a test left running, and deletes all rows. False if the tables aren't as migrated. */
async function emptyDatabase(client: Client, fingerprint: string): Promise<boolean> {
  await client.query(
    "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'",
  );
  await client.query(deleteRows);
  return (await readFingerprint(client)) === fingerprint;
}

/** The address of a database for this test alone; `migrated` is without rows, otherwise it is without tables. */
export async function openPostgresDatabase(migrated: boolean, migrationsFolder: string): Promise<string> {
  if (!migrated) {
    const { name, url } = await addDatabase("template1");
    cleanUpAfterTest(() => dropDatabase(name));
    return url;
  }
  template ??= makeTemplate(migrationsFolder);
  const { name, fingerprint } = await template;
  const database = unused.pop() ?? (await addDatabase(name));
  cleanUpAfterTest(() => recycle(database, fingerprint));
  return database.url;
}

async function makeTemplate(migrationsFolder: string) {
  const { name, url } = await addDatabase("template1");
  const { db, close } = await openDatabase({ dataDir: tmpdir(), databaseUrl: url });
  await migrate(db, "postgres", migrationsFolder);
  await createAuthTables(db, "postgres");
  await close();
  return { name, fingerprint: await withClient(url, readFingerprint) };
}

/** Empties a database under another name, so that connections that its test left open can't come back to it. */
async function recycle({ name }: PostgresDatabase, fingerprint: string) {
  const database = nameDatabase();
  await administrate(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`);
  try {
    await administrate(`alter database ${name} rename to ${database.name}`);
  } catch {
    // What the test left open has connected again.
    return dropDatabase(name);
  }
  const isAsMigrated = await withClient(database.url, (client) => emptyDatabase(client, fingerprint));
  if (isAsMigrated) unused.push(database);
  else await dropDatabase(database.name);
}

/** "replica" turns foreign keys off. */
const deleteRows = `
  set session_replication_role = replica;
  do $$ declare name text; has_rows boolean; begin
    for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'migration' loop
      execute format('select exists (select from %I)', name) into has_rows;
      if has_rows then execute format('delete from %I', name); end if;
    end loop;
  end $$`;

/** Tables, columns, indexes, constraints and applied migrations: a test that changes them gives its database up. */
async function readFingerprint(client: Client): Promise<string> {
  const { rows } = await client.query(`
    select md5(string_agg(line, ',' order by line)) as fingerprint from (
      select format('%s %s %s %s %s', relname, relkind, attname, atttypid, attnotnull) as line
        from pg_class left join pg_attribute on attrelid = pg_class.oid and not attisdropped
        where relnamespace = 'public'::regnamespace
      union all select format('%s %s', conname, conrelid::regclass) from pg_constraint where connamespace = 'public'::regnamespace
      union all select name from migration
    ) as lines`);
  return String(rows[0]?.fingerprint);
}

async function addDatabase(from: string): Promise<PostgresDatabase> {
  const database = nameDatabase();
  await administrate(`create database ${database.name} template ${from}`);
  return database;
}

async function dropDatabase(name: string) {
  await administrate(`drop database ${name} with (force)`);
}

function nameDatabase(): PostgresDatabase {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const url = new URL(postgresUrl());
  url.pathname = `/${name}`;
  return { name, url: url.href };
}

function postgresUrl(): string {
  const postgres = inject("postgres");
  if ("missing" in postgres) throw new Error(`no PostgreSQL: ${postgres.missing}`);
  return postgres.url;
}

let administrators: Pool | undefined;

function administrate(statement: string) {
  administrators ??= new Pool({ connectionString: postgresUrl(), max: 2, allowExitOnIdle: true });
  return administrators.query(statement);
}

async function withClient<T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
