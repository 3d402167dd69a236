import { letterMail } from "#app/services/mail/letter.ts";
import { mailLinkPath } from "#app/features/lead-notices/mail-link/mail-links.server.ts";
import { toVCard } from "#app/features/leads/export/lead-vcard.ts";
import { leadMessages } from "#app/features/leads/messages.ts";
import { leadFieldNames } from "#app/features/leads/rules.ts";
import { leadTitle } from "#app/features/leads/inbox-rules.ts";
import type { Lead, LeadConsent } from "#app/features/leads/schema.ts";
import { nameForMessage, plainLine, shortened } from "#app/services/base/plain-text.ts";
import type { Services } from "#app/services/http/context.ts";
import { safeFileName } from "#app/services/http/file-name.ts";
import { stopPath } from "#app/services/mail/mail-links.server.ts";
import { isMailAddress } from "#app/services/mail/mail.server.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";

type ConfirmationMail = { to: string; id: string; name: string; sign: Services["sign"]; baseUrl: string };

/** Asks a person whether they want an owner's leads. It has no words of the owner but a short name: anyone can type any address. */
export function confirmationMail({ to, id, name, sign, baseUrl }: ConfirmationMail): Mail {
  const owner = nameForMessage(shortened(name, maxNameLength)) ?? "Someone";
  const { host } = new URL(baseUrl);
  return letterMail(
    {
      subject: `Confirm that you want leads from ${host}`,
      heading: "Get new leads by email?",
      paragraphs: [
        `${owner} wants to forward the contact details that visitors share on their business card at ${host} to this address.`,
        "Nothing is sent to you unless you confirm it.",
      ],
      action: { label: "See and confirm", url: baseUrl + mailLinkPath(sign, { kind: "forward", id }) },
      notes: [
        "The link is valid for seven days.",
        "If you don’t know what this is about, ignore this email. You won’t get another one.",
      ],
    },
    { to, baseUrl },
  );
}

/** In UTF-16 code units. Display names may be longer. */
const maxNameLength = 30;

/** Tells an owner, in case it wasn't them who added the address. */
export function confirmedMail({ to, address, baseUrl }: { to: string; address: string; baseUrl: string }): Mail {
  return letterMail(
    {
      subject: "New leads are forwarded to another address",
      heading: "New leads are forwarded",
      paragraphs: [
        `${address} was confirmed. From now on, it gets the details of each new lead whose visitor agrees to that. The consent text of your forms says so.`,
      ],
      action: { label: "See or change it", url: `${baseUrl}/leads/notifications` },
      notes: ["If you didn’t add this address, remove it, change your password and sign out everywhere."],
    },
    { to, baseUrl },
  );
}

type ForwardedMail = {
  to: string;
  forwardId: string;
  lead: Lead;
  consents: readonly LeadConsent[];
  card: string;
  time: string;
  sign: Services["sign"];
  baseUrl: string;
};

/** A lead with everything that its visitor shared, as plain text that programs can read, and as a contact file. Answers go to the visitor. */
export function forwardedMail({ to, forwardId, lead, consents, card, time, sign, baseUrl }: ForwardedMail): Mail {
  const stopUrl = baseUrl + mailLinkPath(sign, { kind: "forward", id: forwardId });
  const title = leadTitle(lead);
  const fields = [
    ...leadFieldNames.map((name): [string, string] => [leadMessages.labels[name], lead[name]]),
    [leadMessages.labels.title, lead.title] as const,
    [leadMessages.labels.website, lead.website] as const,
    ...lead.answers.map(({ question, answer }): [string, string] => [question, answer]),
    ["Card", card] as const,
    ["Shared", time] as const,
    ...consents.filter(({ withdrawnAt }) => withdrawnAt === null).map(({ text }) => ["Consent", text] as const),
  ];
  // Further lines are indented, so that none can pass for another field.
  const lines = fields
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${plainLine(name)}: ${value.split(lineBreak).join("\n  ")}`);
  const notes = [
    "If you are told that this person withdrew their consent, delete these details.",
    `Stop these emails: ${stopUrl}`,
  ];
  const fileName = safeFileName(title, { extension: "vcf", otherwise: "contact" });
  return {
    to,
    subject: `New lead: ${shortened(plainLine(title), maxSubjectLength)}`,
    text: `${lines.join("\n")}\n\n-- \n${notes.join("\n")}\n`,
    replyTo: isMailAddress(lead.email) ? lead.email : undefined,
    unsubscribeUrl: stopPath(stopUrl),
    attachments: [{ fileName, type: "text/vcard; charset=utf-8", text: toVCard(lead) }],
  };
}

const maxSubjectLength = 100;
const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
