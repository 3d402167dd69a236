/**
 * Rows as CSV (RFC 4180), with a byte order mark, without which Excel misreads letters beyond ASCII. Text that a spreadsheet would run as a
 * formula gets an apostrophe in front (OWASP, "CSV Injection"); numbers stay numbers.
 */
export function formatCsv(rows: readonly (readonly (string | number)[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(formatCell).join(",")}\r\n`).join("")}`;
}

function formatCell(cell: string | number): string {
  if (typeof cell === "number") return String(cell);
  const safe = cell.replaceAll(laterFormula, "'");
  const text = /^\s*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(cell) ? `'${safe}` : safe;
  return /[",\r\n']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Where a spreadsheet that doesn't split at commas would start another cell with a formula: Excel in German, French or Italian splits at
 * semicolons, and doesn't see that a cell after a comma is quoted.
 */
const laterFormula = /(?<=[;\t\r\n])(?=(?:[^\S\t\r\n]|")*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20])/g;
