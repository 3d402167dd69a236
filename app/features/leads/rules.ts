import { foldText } from "#app/services/base/fold-text.ts";
import type { RateLimit } from "#app/services/http/rate-limits.server.ts";

/** The fields of the form, in its order. Each is hidden, optional or required, as the owner chose. */
export const leadFieldNames = ["name", "email", "phone", "company", "note"] as const;
export type LeadFieldName = (typeof leadFieldNames)[number];

/** What an owner can correct in a lead, in the order of its form. */
export const detailNames = ["name", "title", "company", "email", "phone", "website"] as const;
export type DetailName = (typeof detailNames)[number];

/** The lead with the details as they were sent, without what the owner corrected or added. */
export function asSent<One extends { sent: Record<DetailName, string> | undefined }>(lead: One) {
  return { ...lead, ...lead.sent, otherEmails: [], otherPhones: [] };
}

/** Of the email addresses and of the phone numbers of a lead. */
export const maxContactMethods = 5;

export const fieldModes = ["hidden", "optional", "required"] as const;
export type FieldMode = (typeof fieldModes)[number];

/** What a field is for visitors: without the only way to answer them, their details would be of no use. */
export function shownMode(fields: Readonly<Record<LeadFieldName, FieldMode>>, name: LeadFieldName): FieldMode {
  const isOnlyWay = (name === "email" && fields.phone === "hidden") || (name === "phone" && fields.email === "hidden");
  return isOnlyWay && fields[name] === "optional" ? "required" : fields[name];
}

/** What a visitor agrees to. "answer" is always asked, "newsletter" is the visitor's choice, "in-person" is for a paper card. */
export const consentPurposes = ["answer", "newsletter", "in-person"] as const;
export type ConsentPurpose = (typeof consentPurposes)[number];

export const leadStatuses = ["new", "contacted", "won", "lost"] as const;
export type LeadStatus = (typeof leadStatuses)[number];

export const maxQuestions = 3;
export const maxOptions = 10;

/** In UTF-16 code units. */
export const maxLengths = {
  name: 100,
  email: 254,
  phone: 40,
  company: 100,
  title: 100,
  website: 500,
  note: 2_000,
  answer: 500,
  question: 120,
  option: 80,
  consentText: 600,
  bookingUrl: 500,
} as const;

export const defaultRetentionMonths = 24;
export const retentionChoices = [3, 6, 12, 24, 36] as const;

const dayMs = 86_400_000;

/** When a lead's retention ends. A month counts 30 days, so that a lead is never stored for longer than the visitor was told. */
export function endOfRetention(since: number, months: number): number {
  return since + months * 30 * dayMs;
}

/** Suspected spam is deleted after this time if the owner doesn't accept it. */
export const quarantineMs = 30 * dayMs;

/** How long before their end the owner is notified that leads will be deleted. */
export const expiryNoticeMs = 14 * dayMs;

const hourMs = 3_600_000;

/**
 * A network may be a fair's whole hall, so its limits are wide. Above those that start with "of" a lead is suspected spam, above those that
 * start with "most" refused. What is suspected doesn't count for its card, and the first leads of a network are accepted above the card's
 * limit: no one may hide the leads of others.
 */
export const leadLimits = {
  ofNetwork: { name: "leads from a network", max: 60, windowMs: hourMs, isExpected: true },
  /** Of the networks around it that one attacker may have, together. */
  ofNearby: { name: "leads from nearby networks", max: 180, windowMs: hourMs, isExpected: true },
  /** Of one owner. */
  ofMailbox: { name: "leads with an address", max: 5, windowMs: dayMs, isExpected: true },
  /** Of all owners: a visitor of a fair may share their contact at every stand. */
  ofMailboxInAll: { name: "all leads with an address", max: 40, windowMs: dayMs, isExpected: true },
  ofCard: { name: "leads of a card", max: 300, windowMs: hourMs, isExpected: true },
  /** On one card. */
  firstOfNetwork: { name: "first leads of a network", max: 5, windowMs: hourMs, isExpected: true },
  firstOfNearby: { name: "first leads of nearby networks", max: 15, windowMs: hourMs, isExpected: true },
  /** All submissions, also those that create no lead. */
  mostOfNetwork: { name: "all leads from a network", max: 600, windowMs: hourMs },
  mostOfNearby: { name: "all leads from nearby networks", max: 1_800, windowMs: hourMs },
  mostOfCard: { name: "all leads of a card", max: 3_000, windowMs: hourMs },
  /** What is suspected: refused apart from the others, so that it doesn't get them refused. */
  mostSuspectedOfCard: { name: "suspected leads of a card", max: 3_000, windowMs: hourMs },
  /** Mails to visitors. Above it they are mailed on a later day: a stranger's address may have been typed each time. */
  mailsOfOwner: { name: "mails to leads of an owner", max: 500, windowMs: dayMs, isExpected: true },
  /** Mails to one mailbox, whoever caused them: an owner can accept any number of suspected leads with the same address. Later as well. */
  mailsOfMailbox: { name: "mails about leads to a mailbox", max: 10, windowMs: dayMs, isExpected: true },
  /** What an owner adds of people who gave their details in person. */
  inPerson: { name: "leads that an owner adds", max: 300, windowMs: hourMs },
  /** Mails to one mailbox about that, whoever added it: an owner may have typed anyone's address. */
  mailsInPerson: { name: "mails about details given in person", max: 3, windowMs: dayMs, isExpected: true },
  /** Replies that we mail for an owner, and to one mailbox: of one owner, and of all. */
  repliesOfOwner: { name: "replies to leads of an owner", max: 50, windowMs: dayMs },
  repliesToMailbox: { name: "replies to a lead", max: 5, windowMs: dayMs, isExpected: true },
  repliesToMailboxInAll: { name: "all replies to a lead", max: 10, windowMs: dayMs, isExpected: true },
} as const satisfies Record<string, RateLimit>;

/** A form that was filled in offline is accepted for this long. */
export const maxOfflineMs = 90 * dayMs;

/** When the visitor agreed, by the clock of their device: never in the future. */
export function givenTime(claimed: number, now: number): number {
  return Math.min(claimed, now);
}

export const spamReasons = [
  "honeypot",
  "too-fast",
  "links",
  "network-limit",
  "card-limit",
  "address-limit",
  "disposable-address",
] as const;
export type SpamReason = (typeof spamReasons)[number];

/** Whether the lead goes to quarantine. A disposable address alone is only a hint. */
export function isSuspicious(reasons: readonly SpamReason[]): boolean {
  return reasons.some((reason) => reason !== "disposable-address");
}

/** Whether a lead is in quarantine although nothing in it looks like spam: it may be a person's. */
export function isOnlyAboveLimit(reasons: readonly SpamReason[]): boolean {
  const found = reasons.filter((reason) => isSuspicious([reason]));
  return found.length > 0 && found.every((reason) => reason.endsWith("-limit"));
}

/** "Ada@Example.COM " -> "ada@example.com". */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** The mailbox that an address belongs to, for limits: "ada+fair@example.com" -> "ada@example.com". */
export function mailboxKey(email: string): string {
  return emailKey(email).replace(/^([^+@]+)\+[^@]*@/, "$1@");
}

/** The digits of a number, without an international prefix: "+49 (0)30 123" and "0049 30 123" -> "4930123". Other spellings stay apart. */
export function phoneKey(phone: string): string {
  const digits = phone.replace("(0)", "").normalize("NFKC").replace(/\D/g, "");
  return digits.startsWith("00") ? digits.slice(2) : digits;
}

type SearchedTexts = Record<LeadFieldName, string> & {
  title?: string;
  website?: string;
  otherEmails?: readonly string[];
  otherPhones?: readonly string[];
  answers: readonly { answer: string }[];
  ownerNote: string;
  tags: readonly string[];
};

/** What a search looks in, without case and accents. Each text has its own line, so that nothing is found across two of them. */
export function searchText({ otherEmails = [], otherPhones = [], ...lead }: SearchedTexts): string {
  const { name, title = "", company, email, phone, website = "", note, answers, ownerNote, tags } = lead;
  const details = [name, email, phone, company, title, website, ...otherEmails, ...otherPhones, note];
  const texts = [...details, ...answers.map(({ answer }) => answer), ownerNote, ...tags];
  return foldText(texts.filter(Boolean).join("\n"));
}
