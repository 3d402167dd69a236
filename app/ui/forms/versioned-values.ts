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

/** The version that a form was opened with. */
export function readVersion(form: Pick<FormData, "get">): number {
  return parseVersion(form.get("version"));
}

/** What a save needs to merge the form with a newer version of the record. */
export type MergeRequest = {
  /** As it was sent: a rejected form gets it back. */
  base: string;
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
    base,
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

/** Conflicts as the owner reads them. `describe` returns the label of a path and the text of a value. */
export function toConflictFields(
  conflicts: readonly MergeConflict[],
  describe: (conflict: MergeConflict) => { label: string; toText: (value: unknown) => string },
): ConflictField[] {
  return conflicts.map((conflict) => {
    const { label, toText } = describe(conflict);
    return { path: conflict.path, label, mine: toText(conflict.mine), other: toText(conflict.other) };
  });
}
