import { fieldText } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { formatNumber } from "#app/services/base/format.ts";
import { paragraph, plainLine } from "#app/services/base/plain-text.ts";
import { mailUrl } from "#app/features/cards/card-view-model.ts";
import { isInPerson } from "#app/features/leads/inbox/messages.ts";
import { asSent, emailKey } from "#app/features/leads/rules.ts";
import type { Lead, LeadConsent } from "#app/features/leads/schema.ts";

/** The owner's text for replies, with placeholders. */
export type ReplyTemplate = { subject: string; text: string };

export const defaultTemplate: ReplyTemplate = {
  subject: "Thanks for sharing your details",
  text: "Hi {first name},\n\nThanks for sharing your details. Here is my card: {card}\n\nBest,\n{my name}",
};

/** In UTF-16 code units. */
export const replyLengths = { subject: 150, text: 5_000 } as const;

type Facts = { name: string; company: string; myName: string; cardUrl: string };

/** Fills in the placeholders, in one pass: what a visitor typed isn't searched for more. Without a name: "Hi there,". */
export function fillTemplate({ subject, text }: ReplyTemplate, facts: Facts): ReplyTemplate {
  const name = facts.name || "there";
  const values: Partial<Record<string, string>> = {
    name,
    "first name": name.split(/\s+/)[0],
    company: facts.company,
    "my name": facts.myName,
    card: facts.cardUrl,
  };
  const fill = (template: string) =>
    template.replace(/\{([a-z ]+)\}/gi, (placeholder, word: string) => values[word.toLowerCase()] ?? placeholder);
  return { subject: fill(subject), text: fill(text).trim() };
}

export const placeholders = ["{name}", "{first name}", "{company}", "{card}", "{my name}"];

/** Why the server doesn't send to a lead's address: then the owner's mail app can. */
export type NoReply = "edited" | "in-person" | "spam" | "consent";

/**
 * Whether the server may send to the address of a lead: only to one that the visitor sent themselves with their consent, so that an owner
 * can't have us mail anyone else.
 */
export function findNoReply(lead: Lead, consents: readonly LeadConsent[]): NoReply | undefined {
  const isAllowed = consents.some(({ purpose, withdrawnAt }) => purpose === "answer" && withdrawnAt === null);
  if (isInPerson(lead.source)) return "in-person";
  if (!isAllowed || lead.withdrawnAt !== null) return "consent";
  if (lead.quarantinedAt !== null) return "spam";
  return emailKey(lead.email) === emailKey(asSent(lead).email) ? undefined : "edited";
}

/** Opens the owner's mail app with the same text. RFC 6068 §5: line breaks are "%0D%0A". */
export function mailAppUrl(email: string, { subject, text }: ReplyTemplate): string {
  const encode = (part: string) => encodeURIComponent(part.toWellFormed().replaceAll(/\r?\n/g, "\r\n"));
  return `${mailUrl(email)}?subject=${encode(subject)}&body=${encode(text)}`;
}

export type ReplyErrors = Partial<Record<string, string>>;

export type ReplyValues = ReturnType<typeof readReply>;

/** What was typed. */
export function readReply(form: FormFields) {
  const text = (name: string) => fieldText(form, name);
  return {
    id: text("id"),
    subject: text("subject"),
    text: text("text"),
    templateSubject: text("templateSubject"),
    templateText: text("templateText"),
  };
}

export function checkReply({ id, ...values }: ReplyValues): (ReplyTemplate & { id: string }) | { errors: ReplyErrors } {
  const [subject, text] = [plainLine(values.subject), paragraph(values.text)];
  const errors = {
    ...problemsOf({ subject, text }),
    ...(subject === "" && { subject: "Enter a subject." }),
    ...(text === "" && { text: "Enter a message." }),
    // A form of ours has one.
    ...(!/^[\da-f-]{36}$/.test(id) && { subject: "Open this page again and send your reply from there." }),
  };
  if (Object.keys(errors).length > 0) return { errors };
  return { id, subject, text };
}

export function checkTemplate(values: ReplyValues): { template: ReplyTemplate } | { errors: ReplyErrors } {
  const template = { subject: plainLine(values.templateSubject), text: paragraph(values.templateText) };
  const { subject, text } = problemsOf(template);
  if (!subject && !text) return { template };
  return { errors: { ...(subject && { templateSubject: subject }), ...(text && { templateText: text }) } };
}

function problemsOf({ subject, text }: ReplyTemplate): ReplyErrors {
  const tooLong = (max: number) => `Use at most ${formatNumber(max)} characters.`;
  return {
    ...(subject.length > replyLengths.subject && { subject: tooLong(replyLengths.subject) }),
    ...(text.length > replyLengths.text && { text: tooLong(replyLengths.text) }),
  };
}
