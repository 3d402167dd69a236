/** What a form edits, and the version of the record that a save replaces; version 0 is a record that was never saved. */
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
  errors?: FieldErrors;
  /** What another tab or device saved after this form was opened: the owner chooses which one to keep. */
  conflict?: Versioned<Values>;
  notice?: { title: string; text: string; tone: "error" };
  isSignedOut?: boolean;
};

/** The version that a save replaces: "Keep mine" sends `replaces`, every other save the version the form was opened with. */
export function readVersion(form: Pick<FormData, "get">): number {
  const text = form.get("replaces") || form.get("version");
  return typeof text === "string" && /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/**
 * What the page knows about the stored record: its values, the version that the next save replaces, and the conflict to resolve.
 * `accepted` is the other version, after its owner chose it.
 */
export function resolveVersions<Values>({ stored, rejection, accepted }: VersionedState<Values>) {
  const version = Math.max(accepted?.version ?? 0, rejection?.sent?.version ?? stored.version);
  const conflict = rejection?.conflict;
  return {
    saved: accepted && accepted.version > stored.version ? accepted.values : stored.values,
    version,
    conflict: conflict && conflict.version > version ? conflict : undefined,
  };
}

export type VersionedState<Values> = {
  stored: Versioned<Values>;
  rejection: SaveRejection<Values> | undefined;
  accepted: Versioned<Values> | undefined;
};

export type Difference = { field: string; mine: string; other: string };

/** The fields that two versions store differently, as text. */
export function listDifferences<Values>(
  fields: readonly ComparedField<Values>[],
  { mine, other }: { mine: Values; other: Values },
): Difference[] {
  return fields
    .map(([field, toText]) => ({ field, mine: toText(mine), other: toText(other) }))
    .filter((row) => row.mine !== row.other);
}

export type ComparedField<Values> = readonly [label: string, toText: (values: Values) => string];
