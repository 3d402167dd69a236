import { readLastingText, signedText } from "#app/services/base/signed-token.server.ts";
import type { Services } from "#app/services/http/context.ts";

type Sign = Services["sign"];

/** A token for a link in a mail: it says what the link is about, is valid forever, and needs no row. `content` may have any character. */
export function signMailLink(sign: Sign, purpose: string, content: string): string {
  return encodeURIComponent(signedText(sign, purpose, content));
}

/** What a token that we signed for this purpose is about; undefined for any other text. `token`: decoded, as a route has it. */
export function readSignedMailLink(sign: Sign, purpose: string, token: string): string | undefined {
  return readLastingText(sign, purpose, token);
}

/** Where the button of a link's page and the one-click request of a mail program go. `link`: its path or URL. */
export function stopPath(link: string): string {
  return `${link}/stop`;
}
