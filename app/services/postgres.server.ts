import { Pool, TypeOverrides } from "pg";
import type { ClientConfig } from "pg";
import type { Logger } from "pino";

import { systemCode } from "./database-errors.ts";
import { startProblem } from "./start-problem.ts";

export function openPool(databaseUrl: string, log?: Logger): Pool {
  const pool = new Pool({ ...connectionOptions(databaseUrl), max: MAX_CONNECTIONS });
  // An idle connection broke (the server restarted). The pool has dropped it; without this line the process would die.
  pool.on("error", (error) => log?.warn({ err: error }, "a PostgreSQL connection was lost"));
  // One that was in use broke: whoever uses it gets the error with the query. Here too the process would die otherwise.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

export function connectionOptions(databaseUrl: string): ClientConfig {
  return {
    connectionString: databaseUrl,
    application_name: "meishi",
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
    types: numbersAsNumbers(),
  };
}

/** One line about a server that does not answer: its name is told, the password is not. */
export function unreachable(databaseUrl: string, error: unknown): Error {
  return startProblem(`The database ${nameOf(databaseUrl)} (DATABASE_URL) can't be reached: ${reason(error)}.`, error);
}

const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT = 5000;

const INT8 = 20;
const NUMERIC = 1700;

/** bigint, count(*) and sum() would come as text. All of ours are times and counts, far below 2^53. */
function numbersAsNumbers() {
  const types = new TypeOverrides();
  for (const type of [INT8, NUMERIC]) types.setTypeParser(type, Number);
  return types;
}

function nameOf(databaseUrl: string) {
  const { host, pathname, searchParams } = new URL(databaseUrl);
  return `${searchParams.get("host") ?? (host || "localhost")}${pathname}`;
}

function reason(error: unknown): string {
  const known = REASONS.get(systemCode(error));
  if (known) return known;
  return error instanceof Error && error.message ? error.message : "no answer";
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html and the system's own names
const REASONS = new Map([
  ["ECONNREFUSED", "nothing listens there"],
  ["ENOTFOUND", "there is no such host"],
  ["EAI_AGAIN", "there is no such host, or no name server answers"],
  ["ETIMEDOUT", "no answer"],
  ["EHOSTUNREACH", "no way to that host"],
  ["ENETUNREACH", "no way to that host"],
  ["28P01", "the user or the password is wrong"],
  ["28000", "this user may not connect from here"],
  ["3D000", "there is no such database on that server"],
  ["53300", "the server has no connection left"],
]);
