import { timingSafeEqual } from "node:crypto";

import type { Services } from "#app/services/http/context.ts";

type Sign = Services["sign"];

/** A token for a link in a mail: it says what the link is about, is valid forever, and needs no row. `content` may have any character. */
export function signMailLink(sign: Sign, purpose: string, content: string): string {
  return encodeURIComponent(`${content}.${sign(purpose, content)}`);
}

/** What a token that we signed for this purpose is about; undefined for any other text. `token`: decoded, as a route has it. */
export function readSignedMailLink(sign: Sign, purpose: string, token: string): string | undefined {
  const at = token.lastIndexOf(".");
  const content = token.slice(0, Math.max(at, 0));
  if (content === "") return undefined;
  const actual = Buffer.from(token.slice(at + 1));
  const expected = Buffer.from(sign(purpose, content));
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? content : undefined;
}
