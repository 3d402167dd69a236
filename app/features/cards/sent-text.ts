import { oneLine, withoutDirectionMarks } from "#app/services/plain-text.ts";

import { maxTyped } from "./rules.ts";

/** One line of a card as it is kept: without what can't be seen, could turn the writing around, or break the line. */
export function cleaned(typed: string): string {
  return inOneLine(withoutDirectionMarks(typed));
}

/** What is far too long stays as typed, and is refused for its length. */
export function inOneLine(typed: string): string {
  return typed.length > maxTyped ? typed : oneLine(typed);
}

/** What a field of a form says. A file where words were asked for says nothing. */
export function saidBy(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** The numbers of the rows that a form has of a list, ascending: "links.0.url" and "links.10.name" -> [0, 10]. */
export function rowsOf(form: FormData, list: string): number[] {
  const rows = new Set<number>();
  for (const name of form.keys()) {
    const [first, row, field] = name.split(".");
    // Two digits: our own form has eight rows at the most.
    if (first === list && field && row && /^(?:0|[1-9]\d?)$/.test(row)) rows.add(Number(row));
  }
  return [...rows].toSorted((one, other) => one - other);
}
