import { refuse, unsupported } from "./data-response.server.ts";
import type { Filter, Order, Query, Table } from "./data-schema.ts";

type Columns = Pick<Table, "name" | "columns" | "lists">;

/** Parameters that no column has the name of. */
const reserved = new Set(["select", "order", "limit", "offset", "columns", "on_conflict", "apikey"]);

/** Reads a query of the language that clients of the specification send; throws what is wrong with it, or isn't supported. */
export function parseQuery(search: URLSearchParams, table: Columns): Query {
  for (const name of reserved) if (search.getAll(name).length > 1) throw unsupported(`More than one ${name}`);
  const filters: Filter[] = [];
  for (const [name, text] of search) if (!reserved.has(name)) filters.push(parseFilter(table, name, text));
  return {
    select: parseSelect(table, search.get("select") ?? ""),
    filters,
    order: splitList(search.get("order")).map((text) => parseOrder(table, text)),
    offset: parseNumber("offset", search.get("offset")) ?? 0,
    limit: parseNumber("limit", search.get("limit")),
    columns: search.has("columns") ? splitList(search.get("columns")).map(unquote) : undefined,
    onConflict: splitList(search.get("on_conflict")),
  };
}

function splitList(text: string | null): string[] {
  return text ? text.split(",") : [];
}

/** The client quotes the names in `columns`. */
function unquote(name: string): string {
  return /^"(\w+)"$/.exec(name)?.[1] ?? name;
}

function parseSelect(table: Columns, text: string): string[] {
  const names = text === "" ? ["*"] : text.split(",");
  return [...new Set(names.flatMap((name) => (name === "*" ? table.columns : checkColumn(table, name))))];
}

function checkColumn({ name, columns }: Columns, column: string): string {
  if (columns.includes(column)) return column;
  // Any other text may be an expression: a join, a cast, a field of a list.
  if (!/^\w+$/.test(column)) throw unsupported(`The expression ${JSON.stringify(column)}`);
  throw refuse("42703", `column ${name}.${column} does not exist`);
}

/** A list has no order and isn't equal to a text. */
function checkComparable(table: Columns, column: string): string {
  if (table.lists.includes(checkColumn(table, column))) throw unsupported(`Comparing the list ${column}`);
  return column;
}

function parseFilter(table: Columns, name: string, text: string): Filter {
  if (name === "or" || name === "and" || name.startsWith("not.")) throw unsupported(`The filter ${name}`);
  checkColumn(table, name);
  const at = text.indexOf(".");
  const [operator, value] = at < 0 ? ["", ""] : [text.slice(0, at), text.slice(at + 1)];
  switch (operator) {
    case "eq":
      return { column: checkComparable(table, name), operator, values: [value] };
    case "in":
      return { column: checkComparable(table, name), operator, values: parseItems(value) };
    case "is":
      return { column: name, operator, value: parseIs(value) };
    default:
      throw unsupported(`The filter ${JSON.stringify(`${name}=${text}`)}`);
  }
}

function parseIs(value: string): null | boolean {
  switch (value.toLowerCase()) {
    case "null":
      return null;
    case "true":
      return true;
    case "false":
      return false;
    default:
      throw unsupported(`The filter is.${value}`);
  }
}

/** The items of `(a,"b, c")`. A backslash in quotes escapes the next character. */
function parseItems(text: string): string[] {
  if (!/^\((?:"(?:[^"\\]|\\.)*"|[^",()]*)(?:,(?:"(?:[^"\\]|\\.)*"|[^",()]*))*\)$/s.test(text))
    throw unsupported(`The list ${JSON.stringify(text)}`);
  const items = text.slice(1, -1).match(/(?<=^|,)(?:"(?:[^"\\]|\\.)*"|[^",]*)(?=,|$)/gs) ?? [];
  return items.map((item) => (item.startsWith('"') ? item.slice(1, -1).replaceAll(/\\(.)/gs, "$1") : item));
}

function parseOrder(table: Columns, text: string): Order {
  const [, column, direction, nulls] = /^([^.]*)(?:\.(asc|desc))?(?:\.(nullsfirst|nullslast))?$/.exec(text) ?? [];
  if (column === undefined) throw unsupported(`The order ${JSON.stringify(text)}`);
  const isDescending = direction === "desc";
  // PostgreSQL: null counts as larger than all values.
  return {
    column: checkComparable(table, column),
    isDescending,
    hasNullsFirst: nulls ? nulls === "nullsfirst" : isDescending,
  };
}

function parseNumber(name: string, text: string | null): number | undefined {
  if (text === null) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw refuse("PGRST100", `${name} must be a number of rows.`);
  return Number(text);
}

/** The rows of a header such as "0-9" or "10-"; undefined for another one, which means nothing (RFC 9110 §14.2). */
export function parseRange(text: string | undefined): { offset: number; limit: number | undefined } | undefined {
  const [, from, to] = /^(\d{1,15})-(\d{0,15})$/.exec(text ?? "") ?? [];
  if (from === undefined) return undefined;
  return { offset: Number(from), limit: to ? Math.max(0, Number(to) - Number(from) + 1) : undefined };
}
