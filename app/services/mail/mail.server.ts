import type { Transporter } from "nodemailer";
import { z } from "zod";

import type { Config } from "#app/services/config/config.server.ts";
import { storeMail, listStoredMails, findStoredMail, checkOutbox } from "./mail-outbox.server.ts";
import type { StoredMail } from "./mail-outbox.server.ts";
import { oneLine } from "#app/services/base/plain-text.ts";

export type Mail = {
  /** One address, without a name. */
  to: string;
  subject: string;
  text: string;
  /** Without it the email is plain text only. */
  html?: string | undefined;
  /** One address, without a name. */
  replyTo?: string | undefined;
  /** The name of the person who wrote it. Without one, the email is marked as automatic. */
  senderName?: string | undefined;
  /** Where recipients stop mails like this one: a page that also takes the one-click request of a mail program (RFC 8058). */
  unsubscribeUrl?: string | undefined;
  attachments?: readonly MailAttachment[] | undefined;
};

/** A text file. `type` is its media type: "text/vcard; charset=utf-8". */
export type MailAttachment = { fileName: string; type: string; text: string };

export type MailService = {
  /** Resolves once the mail server or the disk has the email. */
  send: (mail: Mail) => Promise<void>;
  /** Whether recipients can read their email. Without a server, stored email can be read only on this machine. */
  isConfigured: boolean;
  /** Throws when email can't be sent now: the server rejects us, or the folder isn't writable. Sends nothing. */
  check: () => Promise<void>;
  /** The latest stored emails, newest first. Empty with a mail server. */
  listStored: () => Promise<StoredMail[]>;
  /** Returns undefined for an unknown name. */
  findStored: (name: string) => Promise<StoredMail | undefined>;
};

type MailConfig = Pick<Config, "smtpUrl" | "mailFrom" | "isLocal">;

/** Sends through SMTP_URL, or stores each email in `mailDir` as a message (RFC 5322) that email apps can open. */
export function createMail({ smtpUrl, mailFrom, isLocal }: MailConfig, mailDir: string): MailService {
  const from = sender(mailFrom);
  let smtp: Promise<Transporter> | undefined;

  async function send(mail: Mail) {
    const message = {
      from: withPerson(from, mail),
      ...sanitized(mail),
      headers: { ...(mail.senderName === undefined && automaticHeaders), ...unsubscribeHeaders(mail) },
      attachments: (mail.attachments ?? []).map(toAttachment),
      disableFileAccess: true,
      disableUrlAccess: true,
    };
    if (smtpUrl) {
      smtp ??= openSmtp(smtpUrl);
      await (await smtp).sendMail(message);
      return;
    }
    const { createTransport } = await import("nodemailer");
    const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
    const { message: content } = await composer.sendMail(message);
    if (!Buffer.isBuffer(content)) throw new Error("The message was not composed into a single buffer.");
    storeMail(mailDir, content);
  }

  return {
    send,
    check: () => (smtpUrl ? checkSmtp(smtpUrl) : checkOutbox(mailDir)),
    isConfigured: smtpUrl !== undefined || isLocal,
    listStored: () => listStoredMails(mailDir),
    findStored: (name) => findStoredMail(mailDir, name),
  };
}

/** Reads an email from a job's payload. Throws when it isn't one. */
export function readMail(payload: unknown): Mail {
  return mailContent.parse(payload);
}

const mailContent = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().optional(),
  replyTo: z.string().optional(),
  senderName: z.string().optional(),
  unsubscribeUrl: z.string().optional(),
  attachments: z.array(z.object({ fileName: z.string(), type: z.string(), text: z.string() })).optional(),
});

/** Together shorter than the lease of a job. Otherwise a slow server would get an email twice. */
const smtpTimeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Requires TLS (STARTTLS on smtp:) when there is a password, which could be intercepted otherwise, like the sign-in links. */
async function openSmtp(smtpUrl: string, limits = smtpTimeouts): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const { password, hostname } = new URL(smtpUrl);
  const isLocalServer = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return createTransport({ url: smtpUrl, requireTLS: password !== "" && !isLocalServer, ...limits });
}

/** Connects, authenticates and disconnects, with the same TLS rules as for an email. */
async function checkSmtp(smtpUrl: string): Promise<void> {
  // The socket timeout is the longest, so that the error names the step that failed.
  const limits = { dnsTimeout: 4_000, connectionTimeout: 4_000, greetingTimeout: 4_000, socketTimeout: 5_000 };
  const transport = await openSmtp(smtpUrl, limits);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** Splits 'Doe, Jane <jane@example.com>' into name and address. As one text, the comma would make two senders. */
function sender(mailFrom: string) {
  const [, name = "", address = mailFrom] = /^(.*)<([^<>]+)>$/.exec(mailFrom) ?? [];
  return { name: name.trim().replace(/^"(.*)"$/, "$1"), address: address.trim() };
}

/** "Ada via Meishi": it comes from our address. */
function withPerson(from: ReturnType<typeof sender>, { senderName }: Mail) {
  return senderName === undefined ? from : { ...from, name: `${oneLine(senderName)} via ${from.name || "Meishi"}` };
}

/** RFC 3834: prevents automatic replies. */
const automaticHeaders = { "Auto-Submitted": "auto-generated" };

function toAttachment({ fileName, type, text }: MailAttachment) {
  return { filename: oneLine(fileName), contentType: oneLine(type), content: Buffer.from(text.toWellFormed()) };
}

/** RFC 2369 §2: the address in angle brackets. RFC 8058 §3.1: the second header says that a POST is enough. */
function unsubscribeHeaders({ unsubscribeUrl }: Mail) {
  if (unsubscribeUrl === undefined) return {};
  // Encodes what could end the header.
  const { href } = new URL(unsubscribeUrl);
  return { "List-Unsubscribe": `<${href}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

/** Prevents header injection by line breaks, and more than one recipient ("a@b.c, d@e.f"). */
function sanitized({ to, subject, text, html, replyTo }: Mail) {
  const body = (part: string) => part.toWellFormed().replaceAll("\u0000", "");
  return {
    to: oneAddress(to),
    ...(replyTo !== undefined && { replyTo: oneAddress(replyTo) }),
    subject: oneLine(subject),
    text: body(text),
    ...(html !== undefined && { html: body(html) }),
  };
}

/** Whether a text is one address that can be mailed. Forms accept a few, such as quoted ones, that can't. */
export function isMailAddress(text: string): boolean {
  return addressPattern.test(text.trim());
}

function oneAddress(text: string) {
  const address = text.trim();
  if (!isMailAddress(address)) throw new Error(`Not a single email address: ${JSON.stringify(text.slice(0, 320))}`);
  return { name: "", address };
}

// Rejects white space and control characters.
const addressPattern = /^[^\s\p{Cc}<>,;:"()[\]\\@]+@[^\s\p{Cc}<>,;:"()[\]\\@]+$/u;
