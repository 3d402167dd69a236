import { sql } from "kysely";
import type { RawBuilder } from "kysely";

import type { Db } from "#app/services/database/database.server.ts";

/** Rows that one statement reads or deletes: on SQLite a statement blocks the process. */
const rowsPerPart = 500;

/**
 * Deletes all rows of `from` that meet the condition, a part after the other. `key` is its primary key; the condition needs an index where
 * the table keeps many other rows. Returns how many were deleted.
 */
export async function deleteInParts(
  db: Db,
  { from, key, where }: { from: string; key: readonly string[]; where: RawBuilder<unknown> },
): Promise<number> {
  const [table, columns] = [sql.table(from), sql.join(key.map((name) => sql.ref(name)))];
  for (let deleted = 0; ;) {
    const { numAffectedRows = 0n } = await sql`delete from ${table}
      where (${columns}) in (select ${columns} from ${table} where ${where} limit ${rowsPerPart})`.execute(db);
    deleted += Number(numAffectedRows);
    if (numAffectedRows < rowsPerPart) return deleted;
  }
}

/** Calls `work` with a condition for each part of a table, in the order of a text column that has an index. For what looks at every row. */
export async function inKeyRanges(
  db: Db,
  { table, key }: { table: string; key: string },
  work: (isInRange: RawBuilder<boolean>) => Promise<unknown>,
): Promise<void> {
  const column = sql.ref(`${table}.${key}`);
  for (let from = ""; ;) {
    const { rows } = await sql<{ last: string }>`select ${column} as last from ${sql.table(table)}
      where ${column} > ${from} order by ${column} limit 1 offset ${rowsPerPart - 1}`.execute(db);
    const last = rows[0]?.last;
    const isAfter = sql<boolean>`${column} > ${from}`;
    await work(last === undefined ? isAfter : sql<boolean>`${isAfter} and ${column} <= ${last}`);
    if (last === undefined) return;
    from = last;
  }
}
