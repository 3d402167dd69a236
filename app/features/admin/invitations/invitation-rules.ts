import { emailForm } from "#app/features/account/schema.ts";
import { adminMessages } from "#app/features/admin/messages.ts";

const maxAddresses = 50;
const maxTyped = 20_000;
const maxNamed = 5;

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
