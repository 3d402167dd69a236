import type { MergeChoice, MergeConflict } from "./merge-values.ts";
import { parseBase } from "./merge-values.ts";

/** What a form edits, and the version of the record that it was opened with; version 0 is a record that was never saved. */
export type Versioned<Values> = { values: Values; version: number };

/** Messages by the name of a field: "bio", "links" for the whole list, "links.2.url" for its third row. */
export type FieldErrors = Partial<Record<string, string>>;

/** The first error of each field, from a zod error. */
export function firstErrors({ issues }: { issues: readonly { path: PropertyKey[]; message: string }[] }): FieldErrors {
  const errors: FieldErrors = {};
  for (const { path, message } of issues) errors[path.join(".")] ??= message;
  return errors;
}

/** Why a save was rejected. The form keeps everything that was typed. */
export type SaveRejection<Values> = {
  /** What the form sent; absent when it could not be read. */
  sent?: Versioned<Values>;
  /** The base that the form sent, as JSON; "" when there was none. */
  base?: string;
  errors?: FieldErrors;
  /** Fields that another tab or device also changed after this form was opened: the owner chooses for each. */
  conflict?: SaveConflict;
  notice?: { title: string; text: string; tone: "error" };
  failure?: "offline" | "signed-out" | "too-large" | "failed";
};

/** `version` is the stored one, whose values are `other`. */
export type SaveConflict = { version: number; fields: ConflictField[] };

/** Both values of a field as text. `path` is the one of the merge. */
export type ConflictField = { path: string; label: string; mine: string; other: string };

/** How a conflict shows a field. `toText` gets a value as text, "true" and "false" for a switch; by default it is shown as it is. */
export type FieldText = { label: string; toText?: (value: string) => string };

/** What a versioned form sent. `reject` returns the form with everything that was typed. */
export function readVersionedForm<Values>(form: Pick<FormData, "get">, values: Values) {
  const sent: Versioned<Values> = { values, version: readVersion(form) };
  const base = readBase(form);
  const reject = (reason: Omit<SaveRejection<Values>, "sent" | "base">): SaveRejection<Values> => ({
    ...reason,
    sent,
    base,
  });
  return { sent, reject };
}

/** The same on the server, with what a save needs to merge it. */
export type VersionedForm<Values> = ReturnType<typeof readVersionedForm<Values>> & { request: MergeRequest };

/** The version that a form was opened with. */
export function readVersion(form: Pick<FormData, "get">): number {
  return parseVersion(form.get("version"));
}

/** What a save needs to merge the form with a newer version of the record. */
export type MergeRequest = {
  /** Undefined for a form without one: the version alone then decides whether there is something to merge. */
  parsedBase: unknown;
  /** The owner's choices, for a conflict with the stored version `version`. */
  choicesFor: (version: number) => (path: string) => MergeChoice | undefined;
};

/** Reads the hidden fields of a versioned form, and the answers to the conflict that it shows. */
export function readMergeRequest(form: Pick<FormData, "get">): MergeRequest {
  const base = readBase(form);
  const shownVersion = parseVersion(form.get("replaces"));
  const choose = (path: string) => {
    const choice = form.get(choiceName(path));
    return choice === "mine" || choice === "other" ? choice : undefined;
  };
  return {
    parsedBase: base === "" ? undefined : parseBase(base),
    // A choice about a value that has changed again is asked again.
    choicesFor: (version) => (version === shownVersion ? choose : () => undefined),
  };
}

/** The base as text. Far too long text is dropped, and not sent back either. */
export function readBase(form: Pick<FormData, "get">): string {
  const text = form.get("base");
  return typeof text === "string" && text.length <= maxBaseLength ? text : "";
}

/** A full card or profile has about 20,000 characters, most of them in its links. */
const maxBaseLength = 100_000;

/** The name of the form field that decides a conflict. */
export function choiceName(path: string): string {
  return `keep.${path}`;
}

function parseVersion(text: FormDataEntryValue | null): number {
  return typeof text === "string" && /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** How conflicts show a record: its fields by their path, and its lists. */
export type ConflictTexts = {
  fields: Partial<Record<string, FieldText>>;
  lists?: Partial<Record<string, ConflictList>>;
};

export type ConflictList = {
  label: string;
  /** Of both sides. */
  rows: readonly ConflictRow[];
  rowLabel: (row: ConflictRow) => string;
  rowText: (row: ConflictRow) => string;
  /** A row in a text of the whole list; by default its text. */
  rowLine?: (row: ConflictRow) => string;
  fields: Partial<Record<string, FieldText>>;
};

type ConflictRow = { id: string } & Partial<Record<string, string | boolean>>;

/** Conflicts as the owner reads them. */
export function toConflictFields(
  conflicts: readonly MergeConflict[],
  { fields, lists = {} }: ConflictTexts,
): ConflictField[] {
  return conflicts.map(({ path, mine, other }) => {
    const [name = "", ...inner] = path.split(".");
    const list = lists[name];
    const { label, toText } = list ? describeInList(list, inner.join(".")) : describeField(fields, path);
    return { path, label, mine: toText(mine), other: toText(other) };
  });
}

type Description = { label: string; toText: (value: unknown) => string };

function describeField(fields: ConflictTexts["fields"], path: string): Description {
  const { label, toText = String }: FieldText = fields[path] ?? { label: path };
  return { label, toText: (value) => toText(String(value)) };
}

/** `path` is "", "order", "{id}" or "{id}.url". An id may have dots. */
function describeInList(list: ConflictList, path: string): Description {
  const { rowText, rowLine = rowText } = list;
  const toLines = (rows: unknown) => (Array.isArray(rows) ? rows.filter(isRow).map(rowLine).join("\n") : "");
  if (path === "") return { label: list.label, toText: toLines };
  if (path === "order") return { label: `Order of ${list.label.toLowerCase()}`, toText: toLines };
  const row = list.rows.find(({ id }) => path === id || path.startsWith(`${id}.`)) ?? { id: path };
  if (path === row.id)
    return { label: list.rowLabel(row), toText: (value) => (isRow(value) ? rowText(value) : "Removed") };
  const { label, toText } = describeField(list.fields, path.slice(row.id.length + 1));
  return { label: `${list.rowLabel(row)}: ${label}`, toText };
}

function isRow(value: unknown): value is ConflictRow {
  return typeof value === "object" && value !== null && "id" in value;
}
