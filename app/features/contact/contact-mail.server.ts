import type { Services } from "#app/services/http/context.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";

import type { ContactMessage } from "./schema.ts";

type ContactMailOptions = {
  /** The operator's address. */
  to: string;
  /** The site's host: "cards.example.com". */
  host: string;
  /** The sender is signed in with this address, and it is confirmed. */
  isSignedIn: boolean;
};

/** The email to the operator, as plain text; a reply goes to the sender. The visitor gets no copy, because anyone can type any address. */
export function contactMail(
  { name, email, message }: ContactMessage,
  { to, host, isSignedIn }: ContactMailOptions,
): Mail {
  const sender = isSignedIn
    ? "They are signed in with this address."
    : "The address was typed in and hasn’t been verified.";
  const text = [
    `From: ${name ? `${name}, ` : ""}${email}`,
    `${sender} To respond, reply to this email.`,
    `Sent from the contact page at ${host}.`,
    "",
    message,
  ].join("\n");
  return { to, replyTo: email, subject: `Message from ${name || email} (${host})`, text: `${text}\n` };
}

/**
 * Where messages to the operator go: CONTACT_TO, else the operator's address in site.json, else a placeholder on a local installation
 * that stores its email as files. Undefined where no one would receive them.
 */
export function contactAddress({ config, siteContent }: Pick<Services, "config" | "siteContent">): string | undefined {
  const isStoredLocally = config.isLocal && config.smtpUrl === undefined;
  if (config.smtpUrl === undefined && !isStoredLocally) return undefined;
  return config.contactTo ?? (siteContent.operator.email || (isStoredLocally ? "operator@localhost" : undefined));
}
