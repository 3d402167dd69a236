import type { Filter, Order, Query, Row } from "./data-schema.ts";

export function matchesAll(row: Row, filters: readonly Filter[]): boolean {
  return filters.every((filter) => {
    const value = row[filter.column] ?? null;
    if (filter.operator === "is") return value === filter.value;
    return value !== null && filter.values.some((text) => isEqual(value, text));
  });
}

function isEqual(value: unknown, text: string): boolean {
  if (typeof value === "number") return text.trim() !== "" && value === Number(text);
  return String(value) === text;
}

/** The columns that a query compares with one value: what it names. */
export function namedValues(filters: readonly Filter[]): Map<string, string> {
  const named = new Map<string, string>();
  for (const filter of filters) if (filter.operator === "eq") named.set(filter.column, filter.values[0] ?? "");
  return named;
}

/** The page of rows that a query wants, with its columns. */
export function pageOf(rows: readonly Row[], { select, order, offset, limit = Infinity }: Query): Row[] {
  return rows
    .toSorted((one, other) => compare(one, other, order))
    .slice(offset, offset + limit)
    .map((row) => pickColumns(row, select));
}

export function pickColumns(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
}

function compare(one: Row, other: Row, order: readonly Order[]): number {
  for (const { column, isDescending, hasNullsFirst } of order) {
    const [a, b] = [one[column] ?? null, other[column] ?? null];
    if (a === b) continue;
    if (a === null || b === null) return (a === null) === hasNullsFirst ? -1 : 1;
    return a < b === isDescending ? 1 : -1;
  }
  return 0;
}

// "0-9/30", or without rows "*/30", or without a count "0-9/*".
export function contentRange(offset: number, rows: number, total: number | undefined): string {
  return `${rows === 0 ? "*" : `${offset}-${offset + rows - 1}`}/${total ?? "*"}`;
}

type StoredLink = { url: string } & Readonly<Record<string, unknown>>;

/**
 * Links as clients send them, a text and a URL, with what else is stored of each: its id, by which clicks are counted, and its schedule. A
 * link is the same when text and URL are, or else one of them. Anything but a list is returned unchanged, null as an empty list.
 */
export function withStoredLinks(sent: unknown, stored: readonly StoredLink[], text: "label" | "name"): unknown {
  if (!Array.isArray(sent)) return sent ?? [];
  const renamed = text === "label" ? "name" : "label";
  const items = sent.map((item: unknown) => {
    if (!isRecord(item)) return undefined;
    const { [renamed]: other, ...rest } = item;
    return other === undefined || rest[text] !== undefined ? rest : { ...rest, [text]: other };
  });
  const free = new Set(stored);
  const found = new Map<number, StoredLink>();
  for (const keys of [[text, "url"], ["url"], [text]])
    for (const [index, item] of items.entries()) {
      if (!item || found.has(index) || !keys.some((key) => item[key])) continue;
      const match = [...free].find((link) => keys.every((key) => link[key] === item[key]));
      if (!match) continue;
      free.delete(match);
      found.set(index, match);
    }
  return sent.map((item: unknown, index) => (items[index] ? { ...found.get(index), ...items[index] } : item));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether text can be an id or handle of ours; PostgreSQL refuses some other text. */
export function isId(text: string | undefined): text is string {
  return text !== undefined && /^[\w-]{1,64}$/.test(text);
}
