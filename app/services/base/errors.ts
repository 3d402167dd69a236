/** Whether a unique constraint rejected the write: another user has that handle, or the same request came twice. */
export function isUniqueViolation(error: unknown): boolean {
  return systemCode(error) === "23505" || [1555, 2067].includes(sqliteCode(error));
}

/** Whether the disk is full: nothing was written, and the same write works once there is space. Recognizes database and file errors. */
export function isDiskFull(error: unknown): boolean {
  if (["53100", "ENOSPC", "EDQUOT", "EFBIG"].includes(systemCode(error))) return true;
  const code = sqliteCode(error);
  return primaryCode(code) === sqliteFull || sqliteNoSpaceCodes.includes(code);
}

/** Whether the transaction conflicted with another one and can be run again. */
export function isRetryable(error: unknown): boolean {
  return ["40001", "40P01"].includes(systemCode(error)) || primaryCode(sqliteCode(error)) === sqliteBusy;
}

/**
 * Whether the connection to PostgreSQL was lost: the statement on it may have run or not. Also true when a server that is starting or
 * stopping refuses a connection.
 */
export function isConnectionLost(error: unknown): boolean {
  const code = systemCode(error);
  if (code === "") return error instanceof Error && lostConnectionMessages.includes(error.message);
  if (["ECONNRESET", "EPIPE", "57P01", "57P02", "57P03", "57P05"].includes(code)) return true;
  // Class 08 contains 08P01 as well, which leaves the connection open unless it is FATAL.
  return code.startsWith("08") && !(error instanceof Error && "severity" in error && error.severity === "ERROR");
}

/** Whether a server that we need, above all the database, can't be reached right now. The same request works once it is back. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isConnectionLost(error) || unreachableCodes.includes(systemCode(error))) return true;
  return unreachableMessages.includes(error.message) || isUnavailable(error.cause);
}

/** 53300: PostgreSQL has no connections left. */
const unreachableCodes = [
  "ECONNREFUSED",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "53300",
];

export const allConnectionsStuck = "all connections to the database are in use, and none gets an answer";

/** What node-postgres reports without a code when it gets no connection in time, and what our own pool reports. */
const unreachableMessages = [
  "timeout expired",
  "timeout exceeded when trying to connect",
  "Connection terminated due to connection timeout",
  allConnectionsStuck,
];

/** Whether the connection was lost before the statement was sent, so that it can't have run. */
export function isUnsent(error: unknown): boolean {
  return error instanceof Error && unsentMessages.includes(error.message);
}

const unsentMessages = [
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
];

/** What node-postgres reports without a code. */
const lostConnectionMessages = [
  "Connection terminated",
  "Connection terminated unexpectedly",
  // No answer within `query_timeout`: the connection may swallow packets.
  "Query read timeout",
  ...unsentMessages,
];

/** The error of a write whose connection was lost before the response: it may have been carried out or not, so it isn't retried. */
export function outcomeUnknown(cause: unknown): Error {
  const error = new Error("The connection was lost during a write, which may have been carried out.", { cause });
  error.name = outcomeUnknownName;
  return error;
}

/** Also for an error that a library threw because of one. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === outcomeUnknownName || isOutcomeUnknown(error.cause);
}

const outcomeUnknownName = "OutcomeUnknown";

/** SQLite's extended result code (https://sqlite.org/rescode.html), or 0 for other errors. */
export function sqliteCode(error: unknown): number {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0;
}

/** The primary result code: the last byte of an extended code. */
export function primaryCode(code: number) {
  return code & 0xff;
}

/** The SQLSTATE of a PostgreSQL error, or the code of a system error (ENOSPC, ECONNREFUSED). */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

export const sqliteBusy = 5;
export const sqliteFull = 13;

// SQLITE_IOERR_WRITE and _FSYNC: a quota, a file size limit, or a network folder that reports it late. _SHMSIZE: no space for the
// index of the WAL.
const sqliteNoSpaceCodes = [778, 1034, 4874];

/** An error at the start that the operator can fix. Printed as one line, without a stack. */
export function startProblem(message: string, cause?: unknown): Error {
  const problem = new Error(message.replace(/\s+/g, " ").trim(), { cause });
  problem.name = startProblemName;
  return problem;
}

/** Compares the name, not the class: the built program may contain this module twice. */
export function isStartProblem(error: unknown): error is Error {
  return error instanceof Error && error.name === startProblemName;
}

const startProblemName = "StartProblem";
