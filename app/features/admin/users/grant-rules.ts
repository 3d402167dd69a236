const maxYears = 50;

/**
 * The end of a grant as an operator typed it: "2026-12-31" -> the end of that day in UTC (epoch milliseconds), "" -> null: no end. Undefined for
 * a date that doesn't exist, is over or is more than 50 years ahead.
 */
export function readGrantEnd(typed: string, now: number): number | null | undefined {
  const text = typed.trim();
  if (text === "") return null;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const end = Date.parse(`${text}T23:59:59.999Z`);
  // The parser turns February 30 into March 2.
  if (Number.isNaN(end) || new Date(end).toISOString().slice(0, 10) !== text) return undefined;
  return end > now && end < now + maxYears * 366 * 86_400_000 ? end : undefined;
}
