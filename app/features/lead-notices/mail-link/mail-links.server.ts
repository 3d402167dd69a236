import { timingSafeEqual } from "node:crypto";

import type { Services } from "#app/services/http/context.ts";

/** What the link in a mail is about: an owner's mails about leads, or an address that leads are forwarded to. */
export type MailLink = { kind: "notices" | "forward"; id: string };

type Sign = Services["sign"];

/** The path of the page that stops mails like the one with this link. It is signed, and valid forever. */
export function mailLinkPath(sign: Sign, { kind, id }: MailLink): string {
  const content = `${kind}.${id}`;
  return `/lead-mails/${encodeURIComponent(`${content}.${signatureOf(sign, content)}`)}`;
}

/** The same for the header of a mail: where a mail program sends its request. */
export function stopPath(sign: Sign, link: MailLink): string {
  return `${mailLinkPath(sign, link)}/stop`;
}

/** Where the press that confirms an address goes. */
export function confirmPath(sign: Sign, link: MailLink): string {
  return `${mailLinkPath(sign, link)}/confirm`;
}

/** What a link that we signed is about; undefined for any other text. */
export function readMailLink(sign: Sign, token: string): MailLink | undefined {
  const at = token.lastIndexOf(".");
  const content = token.slice(0, Math.max(at, 0));
  const [, kind, id] = /^(notices|forward)\.(.+)$/s.exec(content) ?? [];
  if ((kind !== "notices" && kind !== "forward") || id === undefined) return undefined;
  const actual = Buffer.from(token.slice(at + 1));
  const expected = Buffer.from(signatureOf(sign, content));
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? { kind, id } : undefined;
}

function signatureOf(sign: Sign, content: string): string {
  return sign("link in a mail about leads", content);
}
