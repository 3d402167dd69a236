import type { Services } from "#app/services/http/context.ts";
import { readSignedMailLink, signMailLink } from "#app/services/mail/mail-links.server.ts";

type Sign = Services["sign"];

const purpose = "link in a weekly mail";

/** The pages of these links, before their tokens. */
export const weeklyMailPath = "/weekly-mail";

/** The path of the page that turns an owner's weekly mail off. */
export function linkPath(sign: Sign, ownerId: string): string {
  return `${weeklyMailPath}/${signMailLink(sign, purpose, ownerId)}`;
}

/** The owner of a link that we signed. */
export function readLink(sign: Sign, token: string): string | undefined {
  return readSignedMailLink(sign, purpose, token);
}
