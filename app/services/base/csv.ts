/**
 * Rows as CSV (RFC 4180), with a byte order mark, without which Excel misreads letters beyond ASCII. Text that a spreadsheet would run as a
 * formula gets an apostrophe in front (OWASP, "CSV Injection"); numbers and phone numbers stay as they are.
 */
export function formatCsv(rows: readonly (readonly (string | number)[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(formatCell).join(",")}\r\n`).join("")}`;
}

function formatCell(cell: string | number): string {
  if (typeof cell === "number") return String(cell);
  const safe = cell.replaceAll(laterFormula, "'");
  const isFormula = /^\s*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(cell) && !phoneNumber.test(cell);
  const text = isFormula ? `'${safe}` : safe;
  return /[",\r\n']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * At least seven digits and their separators. Excel would calculate "+1-555-010-0199", but not a text with two numbers side by side.
 */
const phoneNumber = /^\+(?=(?:\D*\d){7})(?=[^/-]*$|.*\d[ (]+\d)[\d ()./-]+$/;

/**
 * Where a spreadsheet that doesn't split at commas would start another cell with a formula: Excel in German, French or Italian splits at
 * semicolons, and doesn't see that a cell after a comma is quoted.
 */
const laterFormula = /(?<=[;\t\r\n])(?=(?:[^\S\t\r\n]|")*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** The rows of a CSV file that aren't empty (RFC 4180). Cells end at commas, semicolons or tabs: those that the first line has most of. */
export function parseCsv(text: string): string[][] {
  const firstLine = /^.*/.exec(text)?.[0] ?? "";
  const count = (separator: string) => firstLine.split(separator).length;
  const separator = [";", "\t"].reduce((most, other) => (count(other) > count(most) ? other : most), ",");
  const cells = text.matchAll(
    new RegExp(`(?:"([^"]*(?:""[^"]*)*)"|([^${separator}\\r\\n]*))(${separator}|\\r\\n?|\\n|$)`, "gy"),
  );
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = "", end] of cells) {
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === separator) continue;
    if (row.some((cell) => cell.trim())) rows.push(row);
    row = [];
  }
  return rows;
}
