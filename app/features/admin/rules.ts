import { emailForm } from "#app/features/account/schema.ts";
import { adminMessages } from "#app/features/admin/messages.ts";

const maxAddresses = 50;
const maxTyped = 20_000;
const maxNamed = 5;
const maxGrantYears = 50;

/**
 * The addresses of a list, each once: one per line, or separated by commas or semicolons. "Ada <ada@example.com>" counts as its address. Names
 * the ones that aren't addresses.
 */
export function readAddressList(typed: string): { emails: string[] } | { error: string } {
  const { invite } = adminMessages;
  if (typed.length > maxTyped) return { error: invite.tooLong };
  const parts = typed.split(/[\n\r,;]+/).flatMap((part) => part.trim() || []);
  const read = parts.map((part) => {
    const address = /<([^<>]*)>$/.exec(part)?.[1] ?? part;
    return { part, email: emailForm.safeParse({ email: address }).data?.email };
  });
  const bad = read.flatMap(({ part, email }) => (email === undefined ? [part.slice(0, 60)] : []));
  if (bad.length > 0) return { error: invite.bad(bad.slice(0, maxNamed), bad.length - maxNamed) };
  const emails = [...new Set(read.flatMap(({ email }) => email ?? []))];
  if (emails.length === 0) return { error: invite.none };
  return emails.length > maxAddresses ? { error: invite.tooMany(emails.length) } : { emails };
}

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
  return end > now && end < now + maxGrantYears * 366 * 86_400_000 ? end : undefined;
}
