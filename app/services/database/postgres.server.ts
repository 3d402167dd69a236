import { Pool, TypeOverrides } from "pg";
import type { ClientConfig } from "pg";
import type { Logger } from "pino";

import { startProblem, systemCode } from "#app/services/base/errors.ts";

/** `hasDeadline`: a query that has no answer after 15 seconds fails like one whose connection was lost. */
export function openPool(
  databaseUrl: string,
  { log, hasDeadline }: { log?: Logger | undefined; hasDeadline: boolean },
) {
  const deadline = hasDeadline ? { query_timeout: queryTimeoutMs } : {};
  const pool = new Pool({ ...connectionOptions(databaseUrl), ...deadline, max: maxConnections });
  // An idle connection broke (the server restarted) and the pool dropped it. Without this listener the process would end.
  pool.on("error", (error) => log?.warn({ err: error }, "a PostgreSQL connection was lost"));
  // A connection in use broke: the query gets the error. Without this listener the process would end as well.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

export function connectionOptions(databaseUrl: string): ClientConfig {
  return {
    connectionString: databaseUrl,
    application_name: "meishi",
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: numbersAsNumbers(),
  };
}

/** A start problem that names the server, without the password. */
export function unreachableProblem(databaseUrl: string, error: unknown): Error {
  return startProblem(`The database ${nameOf(databaseUrl)} (DATABASE_URL) can't be reached: ${reason(error)}.`, error);
}

/** Whether the server refused to encrypt the connection. */
export function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && error.message === "The server does not support SSL connections";
}

const maxConnections = 10;
export const connectTimeoutMs = 5000;
const queryTimeoutMs = 15_000;

const int8Oid = 20;
const numericOid = 1700;

/** Parses bigint, count(*) and sum() as numbers instead of text. Ours are times and counts, far below 2^53. */
function numbersAsNumbers() {
  const types = new TypeOverrides();
  for (const type of [int8Oid, numericOid]) types.setTypeParser(type, Number);
  return types;
}

/** What stands behind the last "@": a password that isn't escaped may look like a port and a path. */
function nameOf(databaseUrl: string) {
  const { host, pathname, searchParams } = new URL(databaseUrl.replace(/^(\w+:\/\/).*@/s, "$1"));
  return `${searchParams.get("host") ?? (host || "localhost")}${pathname}`;
}

function reason(error: unknown): string {
  const known = reasons.get(systemCode(error));
  if (known) return known;
  if (isWithoutTls(error)) return "the server doesn't encrypt connections; use sslmode=disable";
  if (certificateCodes.test(systemCode(error)))
    return "its certificate can't be verified; add sslrootcert=<file of its authority>, or use sslmode=no-verify";
  return error instanceof Error && error.message ? error.message : "no response";
}

/** Of Node's TLS: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const certificateCodes = /CERT|SIGNATURE/;

// SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html) and system error codes
const reasons = new Map([
  ["ECONNREFUSED", "nothing is listening there"],
  ["ENOTFOUND", "there is no such host"],
  ["EAI_AGAIN", "there is no such host, or no name server responds"],
  ["ENOENT", "there is no such socket or file"],
  ["EACCES", "this program's user may not open the socket or file"],
  ["ETIMEDOUT", "no response"],
  ["EHOSTUNREACH", "no route to that host"],
  ["ENETUNREACH", "no route to that host"],
  ["28P01", "the username or password is wrong"],
  ["28000", "this user isn't allowed to connect from here"],
  ["3D000", "there is no such database on that server"],
  ["53300", "the server has no connections left"],
]);
