import { setTimeout as pause } from "node:timers/promises";

import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type { Client, Pool, PoolClient } from "pg";

import { allConnectionsStuck, isConnectionLost, isUnsent, outcomeUnknown } from "#app/services/base/errors.ts";

import { connectTimeoutMs } from "./postgres.server.ts";

/**
 * The pool as Kysely uses it, for a server that ends connections (a restart, a failover):
 * - Outside a transaction, a read and a statement that wasn't sent run once more, on a connection that was opened after the loss.
 * - A lost COMMIT, and a lost write outside a transaction, may have been carried out: they throw `outcomeUnknown`.
 * - Any other loss in a transaction is thrown as it is. Nothing was committed, so `transact` can start again.
 * - While all connections are in use and none gets an answer, new work is refused at once instead of waiting as well.
 */
export function reconnectingPool(pool: Pool): PostgresPool {
  const source = createConnectionSource(pool);
  return {
    options: pool.options,
    connect: async () => lendClient(await source.acquire(), source),
    end: () => pool.end(),
  };
}

type ConnectionSource = ReturnType<typeof createConnectionSource>;

/**
 * Hands out connections that were opened after the latest loss. When one connection of the pool is lost, the others probably are too:
 * the process only hasn't read it yet.
 */
function createConnectionSource(pool: Pool) {
  const openedAfter = new WeakMap<Client, number>();
  let losses = 0;
  /** When the database last answered, or a connection was free. */
  let movedAt = 0;

  /** Connections of the same age are lost together and count once. */
  function noteLoss(client: Client) {
    if (openedAfter.get(client) === losses) losses++;
  }

  function noteAnswer() {
    movedAt = performance.now();
  }

  function refuseIfStuck() {
    if (pool.totalCount - pool.idleCount < pool.options.max) noteAnswer();
    else if (performance.now() - movedAt > stuckAfterMs) throw new Error(allConnectionsStuck);
  }

  async function acquire(): Promise<PoolClient> {
    for (;;) {
      const lossesBefore = losses;
      refuseIfStuck();
      const client = await connect(pool);
      if (!openedAfter.has(client)) openedAfter.set(client, lossesBefore);
      if (openedAfter.get(client) === losses) return client;
      client.release(true);
    }
  }

  async function query<Row>(client: PostgresPoolClient, statement: string, parameters: readonly unknown[]) {
    const result = await client.query<Row>(statement, parameters);
    noteAnswer();
    return result;
  }

  // The pool has already dropped an idle connection that broke.
  pool.on("error", (_error, client) => noteLoss(client));
  return { acquire, noteLoss, query };
}

/** Connects once more when the server is starting or stopping: nothing was sent yet. */
async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    await pause(connectPauseMs);
    return pool.connect();
  }
}

const connectPauseMs = 100;
/** As long as a request waits for a connection. */
const stuckAfterMs = connectTimeoutMs;

function lendClient(client: PoolClient, source: ConnectionSource): PostgresPoolClient {
  const lent: PostgresPoolClient = client;
  let loss: unknown;

  async function run<Row>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    if (loss !== undefined) {
      // The server rolls back when a connection ends. Kysely would throw a failed rollback instead of the first error.
      if (statement === "rollback") return rolledBack;
      throw loss;
    }
    try {
      return await source.query<Row>(lent, statement, parameters);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      loss = error;
      source.noteLoss(client);
      // Now, because the retry needs its place in the pool.
      client.release(true);
    }
    // The status before the statement: it changes with the server's answer.
    const isInTransaction = client.getTransactionStatus() !== "I";
    switch (classifyLost(statement, { isInTransaction, isSent: !isUnsent(loss) })) {
      case "repeatable":
        return runOnce(source, statement, parameters);
      case "not-committed":
        throw loss;
      case "outcome-unknown":
        throw outcomeUnknown(loss);
    }
  }

  function query<Row>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query<Row>(statement: string | PostgresCursor<Row>, parameters: readonly unknown[] = []) {
    return typeof statement === "string" ? run<Row>(statement, parameters) : lent.query(statement);
  }

  function release(isBroken?: boolean) {
    if (loss === undefined) client.release(isBroken);
  }

  return { query, release };
}

async function runOnce<Row>(source: ConnectionSource, statement: string, parameters: readonly unknown[]) {
  const client = await source.acquire();
  const lent: PostgresPoolClient = client;
  let isLost = false;
  try {
    return await source.query<Row>(lent, statement, parameters);
  } catch (error) {
    isLost = isConnectionLost(error);
    if (isLost) source.noteLoss(client);
    const fate = classifyLost(statement, { isInTransaction: false, isSent: !isUnsent(error) });
    throw isLost && fate === "outcome-unknown" ? outcomeUnknown(error) : error;
  } finally {
    client.release(isLost);
  }
}

const rolledBack: PostgresQueryResult<never> = { command: "ROLLBACK", rowCount: 0, rows: [] };

function classifyLost(
  statement: string,
  { isInTransaction, isSent }: { isInTransaction: boolean; isSent: boolean },
): "repeatable" | "not-committed" | "outcome-unknown" {
  if (isInTransaction) return statement === "commit" && isSent ? "outcome-unknown" : "not-committed";
  if (/^(begin|start transaction)\b/.test(statement)) return "not-committed";
  return !isSent || isRead(statement) ? "repeatable" : "outcome-unknown";
}

/** A statement with a word that writes isn't taken for a read, even if the word is only a name in it. Values are parameters. */
function isRead(statement: string): boolean {
  return /^\s*(select|with)\b/i.test(statement) && !/\b(insert|update|delete|merge|into)\b/i.test(statement);
}
