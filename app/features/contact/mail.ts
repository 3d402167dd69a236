import type { Mail } from "#app/services/mail.server.ts";

import type { ContactMessage } from "./form.ts";

type Letter = {
  /** Where the operator reads it. */
  to: string;
  /** The site's, as people read it. */
  host: string;
  /** Whoever sent it is signed in with this very address, and it was confirmed. */
  isMember: boolean;
};

/** The message as the operator gets it: plain text, answered to whoever wrote. Nothing goes to the visitor: anybody can type any address. */
export function contactMail({ name, email, message }: ContactMessage, { to, host, isMember }: Letter): Mail {
  const sender = isMember
    ? "They are signed in here, with this address."
    : "The address was typed in; nobody has checked that it is theirs.";
  const text = [
    `From: ${name ? `${name}, ` : ""}${email}`,
    `${sender} An answer to this mail goes there.`,
    `Written on the contact page of ${host}.`,
    "",
    message,
  ].join("\n");
  return { to, replyTo: email, subject: `Message from ${name || email} (${host})`, text: `${text}\n` };
}
