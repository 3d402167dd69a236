import { createTransport } from "nodemailer";
import type { Transporter } from "nodemailer";
import { z } from "zod";

import type { Config } from "./config.server.ts";
import { keepMail, listKeptMails, readKeptMail, tryToKeep } from "./kept-mail.server.ts";
import type { KeptMail } from "./kept-mail.server.ts";
import { oneLine } from "./plain-text.ts";

export type Mail = {
  /** One address, without a name. */
  to: string;
  subject: string;
  text: string;
  /** Left out: the mail is plain text alone. */
  html?: string | undefined;
  /** One address, for whoever answers. */
  replyTo?: string | undefined;
};

export type MailService = {
  /** Resolves once the server, or the disk, has the mail. */
  send: (mail: Mail) => Promise<void>;
  /** Can a mail reach somebody? Without a server only where kept mail can be looked at: on this machine. */
  isConfigured: boolean;
  /** Throws when a mail could not go now: the server does not let us in, or the folder takes no file. Sends nothing. */
  check: () => Promise<void>;
  /** The latest that were kept, newest first; none where there is a server. */
  listKept: () => Promise<KeptMail[]>;
  /** Undefined for a name that is none of ours. */
  readKept: (name: string) => Promise<KeptMail | undefined>;
};

export type { KeptMail } from "./kept-mail.server.ts";

type MailConfig = Pick<Config, "smtpUrl" | "mailFrom" | "isLocal">;

/** Sends through SMTP_URL, or keeps each mail as a file in `mailDir`: a whole message (RFC 5322) that mail programs open. */
export function createMail({ smtpUrl, mailFrom, isLocal }: MailConfig, mailDir: string): MailService {
  const from = sender(mailFrom);
  const transport = smtpUrl ? openServer(smtpUrl) : undefined;
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });

  async function send(mail: Mail) {
    const message = { from, ...safe(mail), headers: AUTOMATIC, disableFileAccess: true, disableUrlAccess: true };
    if (transport) {
      await transport.sendMail(message);
      return;
    }
    const { message: content } = await composer.sendMail(message);
    if (!Buffer.isBuffer(content)) throw new Error("The mail was not composed as a whole.");
    keepMail(mailDir, content);
  }

  return {
    send,
    check: () => (smtpUrl ? greet(smtpUrl) : tryToKeep(mailDir)),
    isConfigured: smtpUrl !== undefined || isLocal,
    listKept: () => listKeptMails(mailDir),
    readKept: (name) => readKeptMail(mailDir, name),
  };
}

/** A mail out of a job's payload. Throws when it is none. */
export function readMail(payload: unknown): Mail {
  return mailContent.parse(payload);
}

const mailContent = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().optional(),
  replyTo: z.string().optional(),
});

/** Shorter than the lease of a job, altogether: else a slow server would get a mail twice. */
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** With a password, only through TLS (STARTTLS on smtp:): else it, and the links that sign in, could be read on the way. */
function openServer(smtpUrl: string, limits = timeouts): Transporter {
  const { password, hostname } = new URL(smtpUrl);
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return createTransport({ url: smtpUrl, requireTLS: password !== "" && !isHere, ...limits });
}

/** Connects, greets, signs in and leaves, with the same demands on the way there as a mail has. */
async function greet(smtpUrl: string): Promise<void> {
  // The last is for the whole: so it is said where it stopped.
  const limits = { dnsTimeout: 4_000, connectionTimeout: 4_000, greetingTimeout: 4_000, socketTimeout: 5_000 };
  const transport = openServer(smtpUrl, limits);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** 'Doe, Jane <jane@example.com>' -> name and address: as one text the comma would make two senders of it. */
function sender(mailFrom: string) {
  const [, name = "", address = mailFrom] = /^(.*)<([^<>]+)>$/.exec(mailFrom) ?? [];
  return { name: name.trim().replace(/^"(.*)"$/, "$1"), address: address.trim() };
}

/** RFC 3834: nobody's absence note answers it. */
const AUTOMATIC = { "Auto-Submitted": "auto-generated" };

/** A line break in a header would start another header; "a@b.c, d@e.f" would be two recipients. */
function safe({ to, subject, text, html, replyTo }: Mail) {
  const body = (part: string) => part.toWellFormed().replaceAll("\u0000", "");
  return {
    to: oneAddress(to),
    ...(replyTo !== undefined && { replyTo: oneAddress(replyTo) }),
    subject: oneLine(subject),
    text: body(text),
    ...(html !== undefined && { html: body(html) }),
  };
}

function oneAddress(text: string) {
  const address = text.trim();
  if (!ONE_ADDRESS.test(address)) throw new Error(`Not one mail address: ${JSON.stringify(text.slice(0, 320))}`);
  return { name: "", address };
}

// Control characters count as white space here or are refused with it.
const ONE_ADDRESS = /^[^\s\p{Cc}<>,;:"()[\]\\@]+@[^\s\p{Cc}<>,;:"()[\]\\@]+$/u;
