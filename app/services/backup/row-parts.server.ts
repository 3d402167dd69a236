import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";

import { sql } from "kysely";

import type { Db, Engine, Trx } from "#app/services/database/database.server.ts";

import type { Row } from "./snapshot.server.ts";

const [compress, decompress] = [promisify(gzip), promisify(gunzip)];

/** Characters of JSON in an entry of the archive. */
const maxPartLength = 4_000_000;

/**
 * A table's rows as entries of an archive: lines of JSON, compressed, in parts that fit into memory. The values are those of portable SQL:
 * text, numbers and null; of better-auth's tables also booleans, and times in ISO 8601.
 */
export async function* packRows(table: string, rows: AsyncIterable<Row[]>) {
  let [lines, length, count, number]: [string[], number, number, number] = [[], 0, 0, 0];
  const flush = async () => {
    const part = { name: `database/${table}/${String(number).padStart(6, "0")}.ndjson.gz`, rows: count };
    const bytes = await compress(lines.join(""));
    [lines, length, count, number] = [[], 0, 0, number + 1];
    return { ...part, bytes };
  };
  for await (const part of rows) {
    for (const row of part) {
      const line = `${JSON.stringify(row)}\n`;
      lines.push(line);
      length += line.length;
      count++;
    }
    if (length >= maxPartLength) yield await flush();
  }
  if (count > 0) yield await flush();
}

/** The table whose rows an entry has; undefined for other entries. */
export function tableOf(path: string): string | undefined {
  return /^database\/(\w+)\/\d+\.ndjson\.gz$/.exec(path)?.[1];
}

type Target = { db: Db | Trx; engine: Engine; booleans: ReadonlySet<string> };

/** Inserts the rows of an entry and returns how many they are. */
export async function insertPart({ db, engine, booleans }: Target, table: string, bytes: Buffer): Promise<number> {
  const text = (await decompress(bytes)).toString();
  const rows = text.split("\n").flatMap((line): Row[] => (line ? [readRow(line)] : []));
  const columns = Object.keys(rows[0] ?? {});
  for (const row of rows) {
    for (const column of columns) {
      if (engine === "sqlite" && typeof row[column] === "boolean") row[column] = Number(row[column]);
      else if (typeof row[column] === "number" && booleans.has(`${table}.${column}`)) row[column] = row[column] === 1;
    }
  }
  const rowsAtOnce = Math.max(1, Math.min(maxRowsAtOnce, Math.floor(maxValuesAtOnce / columns.length)));
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const values = rows
      .slice(from, from + rowsAtOnce)
      .map((row) => sql`(${sql.join(columns.map((name) => row[name]))})`);
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
      values ${sql.join(values)}`.execute(db);
  }
  return rows.length;
}

const maxRowsAtOnce = 200;
/** SQLite takes 32,766 values in a statement, PostgreSQL 65,535. */
const maxValuesAtOnce = 10_000;

function readRow(line: string): Row {
  const row: unknown = JSON.parse(line);
  if (typeof row !== "object" || row === null) throw new Error("A row isn't an object.");
  return { ...row };
}

/** The columns of PostgreSQL's type boolean, as "table.column": those of better-auth's tables. */
export async function listBooleans(db: Db, engine: Engine): Promise<ReadonlySet<string>> {
  if (engine === "sqlite") return new Set();
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and data_type = 'boolean'`.execute(db);
  return new Set(rows.map(({ name }) => name));
}
