import type { Services } from "#app/services/http/context.ts";
import { readSignedMailLink, signMailLink } from "#app/services/mail/mail-links.server.ts";

/** What the link in a mail is about: an owner's mails about leads, or an address that leads are forwarded to. */
export type MailLink = { kind: "notices" | "forward"; id: string };

type Sign = Services["sign"];

/** The pages of these links, before their tokens. */
export const mailLinksPath = "/lead-mails";

const purpose = "link in a mail about leads";

/** The path of the page that stops mails like the one with this link. It is signed, and valid forever. */
export function mailLinkPath(sign: Sign, { kind, id }: MailLink): string {
  return `${mailLinksPath}/${signMailLink(sign, purpose, `${kind}.${id}`)}`;
}

/** What a link that we signed is about; undefined for any other text. */
export function readMailLink(sign: Sign, token: string): MailLink | undefined {
  const content = readSignedMailLink(sign, purpose, token) ?? "";
  const [, kind, id] = /^(notices|forward)\.(.+)$/s.exec(content) ?? [];
  return (kind !== "notices" && kind !== "forward") || id === undefined ? undefined : { kind, id };
}
