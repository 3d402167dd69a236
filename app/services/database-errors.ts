/** A unique rule of a table refused the write: someone else has that handle, or the same request came twice. */
export function isUniqueViolation(error: unknown): boolean {
  return systemCode(error) === "23505" || [1555, 2067].includes(sqliteCode(error));
}

/** There is no room to write: nothing was changed, and all goes on once there is. Also for errors of node:fs. */
export function isDiskFull(error: unknown): boolean {
  if (["53100", "ENOSPC", "EDQUOT", "EFBIG"].includes(systemCode(error))) return true;
  const code = sqliteCode(error);
  return primary(code) === SQLITE_FULL || SQLITE_IOERR_NO_ROOM.includes(code);
}

/** The transaction lost against another one and may simply be run again. */
export function isRetryable(error: unknown): boolean {
  return ["40001", "40P01"].includes(systemCode(error)) || primary(sqliteCode(error)) === SQLITE_BUSY;
}

/** SQLite's extended result code (https://sqlite.org/rescode.html), 0 when it is not an error of SQLite. */
export function sqliteCode(error: unknown): number {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0;
}

/** The last byte of an extended code says what kind of error it is. */
export function primary(code: number) {
  return code & 0xff;
}

/** SQLSTATE of an error of PostgreSQL, or what the system says about a file or a connection (ENOSPC, ECONNREFUSED). */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

export const SQLITE_BUSY = 5;
export const SQLITE_FULL = 13;

// WRITE and FSYNC: a quota, a limit on the size of files, or a network folder that reports it late. SHMSIZE: no room for
// the index of the WAL.
const SQLITE_IOERR_NO_ROOM = [778, 1034, 4874];
