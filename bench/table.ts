export type Row = { what: string; value: string; bar?: Bar };

/** What a figure is held to, in words, and whether it keeps to it. */
export type Bar = { words: string; isMet: boolean };

/** Limit and figure in the same unit. */
export function atMost(limit: number, figure: number, unit = ""): Bar {
  return { words: `at most ${limit} ${unit}`.trim(), isMet: figure <= limit };
}

export function atLeast(limit: number, figure: number): Bar {
  return { words: `at least ${limit}`, isMet: figure >= limit };
}

/** Rows as a Markdown table, as the README shows them. */
export function markdownTable(rows: Row[]): string {
  const lines = rows.map(({ what, value, bar }) => `| ${what} | ${value} | ${bar?.words ?? ""} |`);
  return ["| what | measured | bar |", "|---|---|---|", ...lines].join("\n");
}

/** A line for each figure that misses its bar. */
export function missed(rows: Row[]): string[] {
  return rows.flatMap(({ what, value, bar }) => (bar?.isMet === false ? `${what}: ${value}, not ${bar.words}` : []));
}
