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
