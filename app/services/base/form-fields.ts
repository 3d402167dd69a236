/** The fields of a form. A browser's FormData is one too; on the server each lookup takes constant time. */
export type FormFields = {
  /** The first value with this name, or null. */
  get(name: string): FormDataEntryValue | null;
  has(name: string): boolean;
  keys(): Iterable<string>;
  [Symbol.iterator](): Iterator<[string, FormDataEntryValue]>;
};

/** The text of a field; "" when it is missing or a file. */
export function fieldText(form: FormFields, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** The id in a field; "" also for text with a NUL, which no id has and PostgreSQL rejects. */
export function fieldId(form: FormFields, name: string): string {
  const id = fieldText(form, name);
  return id.includes("\u0000") ? "" : id;
}

/** An object with one value for each name: mapFields(["city"], () => "") -> { city: "" }. */
export function mapFields<Name extends string, Value>(
  names: readonly Name[],
  toValue: (name: Name) => Value,
): Record<Name, Value> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries() doesn't know the keys' types.
  return Object.fromEntries(names.map((name) => [name, toValue(name)])) as Record<Name, Value>;
}

/** Object.fromEntries() with the keys' types. */
export function recordOf<Key extends string, Value>(entries: readonly (readonly [Key, Value])[]): Record<Key, Value> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries() doesn't know the keys' types.
  return Object.fromEntries(entries) as Record<Key, Value>;
}

/** The names of declared fields, in their order. */
export function namesOf<Name extends string>(fields: Record<Name, unknown>): Name[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.keys() doesn't know the keys' types.
  return Object.keys(fields) as Name[];
}
