export type Row = { what: string; value: string; bar?: Bar };

/** The limit of a measurement, and whether the measurement meets it. */
export type Bar = { label: string; isMet: boolean };

/** Limit and measurement are in the same unit. */
export function atMost(limit: number, measured: number, unit = ""): Bar {
  return { label: `at most ${limit} ${unit}`.trim(), isMet: measured <= limit };
}

export function atLeast(limit: number, measured: number): Bar {
  return { label: `at least ${limit}`, isMet: measured >= limit };
}

/** A row that says in one line why there is no measurement. */
export function notMeasured(what: string, error: unknown): Row {
  const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return { what, value: `not measured: ${reason.replaceAll("|", "/")}` };
}

/** Rows as the Markdown table of docs/figures.md. */
export function markdownTable(rows: Row[]): string {
  const lines = rows.map(({ what, value, bar }) => `| ${what} | ${value} | ${bar?.label ?? ""} |`);
  return ["| what | measured | target |", "|---|---|---|", ...lines].join("\n");
}

/** A line for each measurement that misses its target. */
export function missedBars(rows: Row[]): string[] {
  return rows.flatMap(({ what, value, bar }) => (bar?.isMet === false ? `${what}: ${value}, not ${bar.label}` : []));
}
