export type Row = { what: string; value: string; bar?: string };

/** Rows as a Markdown table, as the README shows them. */
export function markdownTable(rows: Row[]): string {
  const lines = rows.map(({ what, value, bar = "" }) => `| ${what} | ${value} | ${bar} |`);
  return ["| what | measured | bar |", "|---|---|---|", ...lines].join("\n");
}
