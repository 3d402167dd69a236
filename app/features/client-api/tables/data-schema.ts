import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { Viewer } from "#app/services/auth/sessions/viewer.server.ts";
import type { Services } from "#app/services/http/context.ts";

/** A row as clients see it, by column. Columns that it lacks are null. */
export type Row = Readonly<Record<string, RowValue>>;

/** Lists hold links. */
type RowValue = string | number | boolean | null | undefined | readonly { url: string }[];

export type StoredRow = Row & { readonly id: string };

/** What a client wants to write, by column; not checked yet. */
export type Values = Readonly<Record<string, unknown>>;

/** All filters of a query have to match. */
export type Filter =
  | { column: string; operator: "eq" | "in"; values: readonly string[] }
  | { column: string; operator: "is"; value: null | boolean };

export type Order = { column: string; isDescending: boolean; hasNullsFirst: boolean };

export type Query = {
  /** Without duplicates. */
  select: readonly string[];
  filters: readonly Filter[];
  order: readonly Order[];
  offset: number;
  /** Undefined: all rows. */
  limit: number | undefined;
  /** Of the sent row, those that count; undefined: all. */
  columns: readonly string[] | undefined;
  onConflict: readonly string[];
};

/** The user of a session, who writes. */
export type Writer = { services: Services; viewer: Viewer; origin: RequestOrigin };

export type Table = {
  name: string;
  /** In the order of `*`. */
  columns: readonly string[];
  /** Columns that hold a list. */
  lists: readonly string[];
  /** Columns that clients can't write, and why. */
  readOnly: Readonly<Record<string, string>>;
  /** Each owner has one row at most, with their own id. */
  isOnePerOwner: boolean;
  /** What a new row begins with. */
  newRow: (ownerId: string) => Row;
  listOwn: (services: Services, ownerId: string) => Promise<StoredRow[]>;
  /** The row that visitors can see, by the columns that a query names with one value. Without one of the keys there is none. */
  findPublic: (services: Services, named: ReadonlyMap<string, string>) => Promise<StoredRow | undefined>;
  /** Creates a row that differs from `newRow` in these values; returns its id. */
  insert: (writer: Writer, values: Values) => Promise<string>;
  /** Changes these values of an own row. */
  update: (writer: Writer, row: StoredRow, values: Values) => Promise<void>;
  remove: (writer: Writer, row: StoredRow) => Promise<void>;
};
