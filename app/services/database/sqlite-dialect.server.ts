import { setImmediate as startNextTurn } from "node:timers";
import { setImmediate as nextTurn } from "node:timers/promises";

import { SqliteDialect } from "kysely";
import type { AbortableOperationOptions, DatabaseConnection, Dialect, Driver, SqliteDatabase } from "kysely";

/**
 * Kysely's dialect for SQLite with a queue of our own for its single connection. Kysely's queue has no time limit: a query on `db` inside
 * a transaction would wait forever for the connection that the transaction holds.
 */
export function createSqliteDialect(database: SqliteDatabase): Dialect {
  const dialect = new SqliteDialect({ database });
  return {
    // Tells Kysely that it needn't queue.
    createAdapter: () => Object.defineProperty(dialect.createAdapter(), "supportsMultipleConnections", { value: true }),
    createDriver: () => queueConnections(dialect.createDriver()),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

function queueConnections(driver: Driver): Driver {
  const lock = createLock();
  const isBlocking = createBlockTimer();
  let limited: DatabaseConnection | undefined;
  const acquireConnection = driver.acquireConnection.bind(driver);
  const releaseConnection = driver.releaseConnection.bind(driver);
  return Object.assign(driver, {
    acquireConnection: async (options?: AbortableOperationOptions) => {
      await lock.acquire();
      return (limited ??= limitBlocking(await acquireConnection(options), isBlocking));
    },
    releaseConnection: async (connection: DatabaseConnection, options?: AbortableOperationOptions) => {
      await releaseConnection(connection, options);
      lock.release();
    },
  });
}

/**
 * Lets requests be served between the queries of long work. SQLite answers at once, so a loop of queries would otherwise never leave its
 * turn of the event loop, however many promises it waits for.
 */
function limitBlocking(connection: DatabaseConnection, isBlocking: () => boolean): DatabaseConnection {
  return {
    executeQuery: async (query, options) => {
      if (isBlocking()) await nextTurn();
      return connection.executeQuery(query, options);
    },
    streamQuery: (...query) => connection.streamQuery(...query),
  };
}

/** Whether queries have been running for long in the present turn of the event loop. */
function createBlockTimer() {
  let startedAt: number | undefined;
  return (): boolean => {
    if (startedAt === undefined) startNextTurn(() => (startedAt = undefined));
    startedAt ??= performance.now();
    return performance.now() - startedAt > maxBlockMs;
  };
}

const maxBlockMs = 20;

/**
 * Admits one after the other, in the order in which they came. A long queue may take any time, but when it doesn't move for
 * `maxHoldMs`, all that wait are rejected: one of them is probably what the holder itself waits for.
 */
function createLock() {
  const queue: PromiseWithResolvers<void>[] = [];
  let isHeld = false;
  let timer: NodeJS.Timeout | undefined;

  function watch() {
    clearTimeout(timer);
    timer = queue.length > 0 ? setTimeout(rejectAll, maxHoldMs) : undefined;
  }

  function rejectAll() {
    timer = undefined;
    for (const { reject } of queue.splice(0)) reject(new Error(heldTooLong));
  }

  async function acquire(): Promise<void> {
    if (!isHeld) {
      isHeld = true;
      return;
    }
    const turn = Promise.withResolvers<void>();
    if (queue.push(turn) === 1) watch();
    await turn.promise;
  }

  function release() {
    const next = queue.shift();
    isHeld = next !== undefined;
    watch();
    next?.resolve();
  }

  return { acquire, release };
}

const maxHoldMs = 10_000;
const heldTooLong =
  `A query waited ${maxHoldMs / 1_000} s for the SQLite connection, which another query held the whole time. ` +
  "Inside a transaction, use `trx`, never `db`.";
