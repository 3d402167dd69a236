import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from "kysely";
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";

import { takeTurns } from "./turns.ts";

/**
 * Kysely on the SQLite that Node brings along. There is one connection: queries and transactions take turns, so a plain
 * query never slips into somebody else's transaction.
 */
export function sqliteDialect(database: DatabaseSync): Dialect {
  return {
    createDriver: () => driverOf(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    // "Multiple connections" turns Kysely's own waiting line off: it would wait for ever, ours says what is wrong.
    createAdapter: () => Object.defineProperty(new SqliteAdapter(), "supportsMultipleConnections", { value: true }),
  };
}

const PATIENCE = 10_000;
const MAX_STATEMENTS = 500;

function driverOf(database: DatabaseSync): Driver {
  const turns = takeTurns(PATIENCE, "the SQLite connection: does code inside a transaction use `db` instead of `trx`?");
  const run = runner(database);
  const connection: DatabaseConnection = {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Kysely knows the type of the rows, the driver does not
    executeQuery: async <R>(query: CompiledQuery) => run(query) as QueryResult<R>,
    streamQuery: () => {
      throw new Error("Rows are not streamed here (PostgreSQL would need a cursor): read page by page, by key.");
    },
  };
  return {
    init: async () => undefined,
    acquireConnection: async () => {
      await turns.take();
      return connection;
    },
    releaseConnection: async () => turns.give(),
    // IMMEDIATE: another program on the file (the sqlite3 shell, a backup) may write too. A transaction that reads first and
    // asks for the write lock later fails at once in that case; one that asks at the start waits for its turn (busy_timeout).
    beginTransaction: async () => database.exec("begin immediate"),
    commitTransaction: async () => database.exec("commit"),
    // A full disk makes SQLite roll back by itself; a second rollback would be an error that hides the first.
    rollbackTransaction: async () => {
      if (database.isTransaction) database.exec("rollback");
    },
    destroy: async () => {
      await turns.take();
      database.close();
    },
  };
}

function runner(database: DatabaseSync) {
  const prepare = preparer(database);
  return ({ sql, parameters }: CompiledQuery): QueryResult<unknown> => {
    const { statement, hasRows } = prepare(sql);
    const values = parameters.map(toSqlite);
    if (hasRows) return { rows: statement.all(...values) };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  };
}

/** Prepared statements by their text; the one not used for the longest time goes first. */
function preparer(database: DatabaseSync) {
  const kept = new Map<string, { statement: StatementSync; hasRows: boolean }>();
  return (sql: string) => {
    let entry = kept.get(sql);
    if (entry) {
      kept.delete(sql);
    } else {
      const statement = database.prepare(sql);
      entry = { statement, hasRows: statement.columns().length > 0 };
      const oldest = kept.keys().next();
      if (kept.size >= MAX_STATEMENTS && !oldest.done) kept.delete(oldest.value);
    }
    kept.set(sql, entry);
    return entry;
  };
}

/** What PostgreSQL would take too. Whole numbers go in as integers: Node binds every number as a float, and 5.0 / 2 is 2.5. */
function toSqlite(value: unknown): SQLInputValue {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (value === null || typeof value === "string" || typeof value === "bigint" || value instanceof Uint8Array)
    return value;
  throw new TypeError(`A ${typeof value} can't be stored: use text, a number, bytes or null.`);
}
