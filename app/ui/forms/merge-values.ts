/** What a form was opened with, what it holds now, and what is stored now. */
export type MergeVersions<Values> = {
  /** Sent by the form and therefore unchecked: it is only compared, and never becomes part of the result. */
  base: unknown;
  mine: Values;
  other: Values;
};

/** A field that both sides changed. `path` is "bio", "links.{id}.url", "links.{id}" (changed here, removed there) or "links.order". */
export type MergeConflict = { path: string; mine: unknown; other: unknown };

export type MergeChoice = "mine" | "other";

export type MergeOptions = {
  /** The owner's decision about a field that both sides changed; undefined while there is none. */
  choose?: (path: string) => MergeChoice | undefined;
  /** How many rows a list may have, by its path. A merged list that has more is a conflict of the whole list. */
  maxRows?: Partial<Record<string, number>>;
};

/**
 * Merges two changed versions of a record by field (three-way). A list whose rows have an `id` is merged by row: additions, removals,
 * moves and changes of both sides. Where both sides changed one field differently, the result has `mine` unless `choose` decides, and
 * `conflicts` names the field. Without a `base` every difference is a conflict.
 */
export function mergeValues<Values extends object>(
  versions: MergeVersions<Values>,
  { choose = () => undefined, maxRows = {} }: MergeOptions = {},
): { values: Values; conflicts: MergeConflict[] } {
  const merge: Merge = { choose, maxRows, conflicts: [] };
  const values = mergeAny(merge, "", versions);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Each part comes from `mine` or `other`.
  return { values: values as Values, conflicts: merge.conflicts };
}

type Merge = Required<MergeOptions> & { conflicts: MergeConflict[] };
type Versions = MergeVersions<unknown>;
type Fields = Record<string, unknown>;
type Row = Fields & { id: string };

function mergeAny(merge: Merge, path: string, versions: Versions): unknown {
  const { base, mine, other } = versions;
  if (isSame(mine, other) || isSame(mine, base)) return other;
  if (isSame(other, base)) return mine;
  if (isRows(mine) && isRows(other) && isRows(base)) return mergeRows(merge, path, { base, mine, other });
  if (isFields(mine) && isFields(other)) return mergeFields(merge, path, { base, mine, other });
  return decide(merge, path, versions);
}

function decide(merge: Merge, path: string, { mine, other }: Pick<Versions, "mine" | "other">): unknown {
  const choice = merge.choose(path);
  if (!choice) merge.conflicts.push({ path, mine, other });
  return choice === "other" ? other : mine;
}

function mergeFields(merge: Merge, path: string, { base, mine, other }: MergeVersions<Fields>): Fields {
  const start = path === "" ? "" : `${path}.`;
  const merged = Object.keys({ ...other, ...mine }).map((name) => {
    // A row's id isn't content: the stored id stays.
    if (isIdentity(name)) return [name, other[name] ?? mine[name]];
    return [
      name,
      mergeAny(merge, start + name, {
        base: valueOf(base, name),
        mine: valueOf(mine, name),
        other: valueOf(other, name),
      }),
    ];
  });
  return Object.fromEntries(merged);
}

function mergeRows(merge: Merge, path: string, lists: { base: Row[]; mine: Row[]; other: Row[] }): Row[] {
  const { conflicts } = merge;
  const inRows: Merge = { ...merge, conflicts: [] };
  const { base, other } = lists;
  const mine = withIdsOf(other, lists.mine, base);
  const rows = { base: byId(base), mine: byId(mine), other: byId(other) };
  const merged = new Map<string, Row>();
  for (const id of new Set([...rows.other.keys(), ...rows.mine.keys()])) {
    const row = mergeRow(inRows, `${path}.${id}`, {
      base: rows.base.get(id),
      mine: rows.mine.get(id),
      other: rows.other.get(id),
    });
    if (isRow(row)) merged.set(id, row);
  }
  if (merged.size > (merge.maxRows[path] ?? Infinity)) {
    const list = decide(merge, path, { mine, other });
    return isRows(list) ? list : other;
  }
  const order = mergeOrder(inRows, path, { base, mine, other, isKept: (id) => merged.has(id) });
  conflicts.push(...inRows.conflicts);
  return order.flatMap((id) => merged.get(id) ?? []);
}

/** A row that one side removed is only kept when the other side changed it. */
function mergeRow(merge: Merge, path: string, { base, mine, other }: Partial<MergeVersions<Row>>): unknown {
  if (mine && other) return mergeAny(merge, path, { base, mine, other });
  const row = mine ?? other;
  if (!base) return row;
  return isSame(row, base) ? undefined : decide(merge, path, { mine, other });
}

type ListOrder = { base: Row[]; mine: Row[]; other: Row[]; isKept: (id: string) => boolean };

/** The ids in the order of the side that moved rows; rows that only the other side has follow their neighbor. */
function mergeOrder(merge: Merge, path: string, { base, mine, other, isKept }: ListOrder): string[] {
  const [baseIds, mineIds, otherIds] = [base, mine, other].map((rows) => rows.map(({ id }) => id));
  if (!baseIds || !mineIds || !otherIds) return [];
  const inAll = (id: string) => baseIds.includes(id) && mineIds.includes(id) && otherIds.includes(id);
  const [before, here, there] = [baseIds, mineIds, otherIds].map((ids) => ids.filter(inAll).join("\n"));
  const isMoved = here !== before;
  const isConflict = isMoved && there !== before && here !== there;
  const isMine = isConflict ? decide(merge, `${path}.order`, { mine, other }) === mine : isMoved;
  const [first, second] = isMine ? [mineIds, otherIds] : [otherIds, mineIds];
  const order = first.filter(isKept);
  for (const [index, id] of second.entries()) {
    if (!isKept(id) || order.includes(id)) continue;
    const neighbor = second.slice(0, index).findLast((previous) => order.includes(previous));
    order.splice(neighbor === undefined ? 0 : order.indexOf(neighbor) + 1, 0, id);
  }
  return order;
}

/** A row that both sides added alike is one row: a form whose response was lost is sent again. */
function withIdsOf(other: Row[], mine: Row[], base: Row[]): Row[] {
  const known = new Set([...base, ...mine].map(({ id }) => id));
  const added = other.filter(({ id }) => !known.has(id));
  const baseIds = new Set(base.map(({ id }) => id));
  return mine.map((row) => {
    if (baseIds.has(row.id)) return row;
    const index = added.findIndex((candidate) => isSame(candidate, row));
    const [twin] = index < 0 ? [] : added.splice(index, 1);
    return twin ?? row;
  });
}

function byId(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

/** Compares content: not ids, and neither spaces around text nor the kind of its line breaks. */
function isSame(one: unknown, another: unknown): boolean {
  return comparable(one) === comparable(another);
}

function comparable(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) => {
      if (typeof part === "string") return part.replaceAll("\r\n", "\n").trim();
      if (!isFields(part)) return part;
      const names = Object.keys(part).filter((name) => !isIdentity(name));
      return Object.fromEntries(names.toSorted().map((name) => [name, part[name]]));
    }) ?? ""
  );
}

/** `key` tells the rows of a form apart while it is open. */
function isIdentity(name: string): boolean {
  return name === "id" || name === "key";
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isRow(value: unknown): value is Row {
  return isFields(value) && typeof value["id"] === "string";
}

function isRows(value: unknown): value is Row[] {
  return Array.isArray(value) && value.every(isRow);
}

function valueOf(fields: unknown, name: string): unknown {
  return isFields(fields) && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** The base that a form carries. Undefined for text that isn't JSON; what our own forms never have, such as deep nesting, is left out. */
export function parseBase(text: string): unknown {
  try {
    return withoutDepth(JSON.parse(text), 0);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const maxBaseRows = 100;

function withoutDepth(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  // A list, its rows, and their fields.
  if (depth > 3) return undefined;
  if (Array.isArray(value)) return value.slice(0, maxBaseRows).map((item) => withoutDepth(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutDepth(item, depth + 1)]));
}
