import { z } from "zod";

import type { VisitSource } from "#app/features/sharing/source-marks.ts";

import { consentPurposes, fieldModes, leadStatuses, spamReasons } from "./rules.ts";
import type { ConsentPurpose, DetailName, FieldMode, LeadFieldName, LeadStatus, SpamReason } from "./rules.ts";

/** How a lead came in: by the form, with its source mark; on the owner's device at a fair; from a paper card; or typed by the owner. */
export type SourceOfLead = VisitSource | "" | "kiosk" | "scan" | "hand";

/** Where consent was given. */
export type ConsentSource = "form" | "kiosk" | "in person";

export type Answer = { question: string; answer: string };

/** What a visitor shared; "" and [] where nothing was. */
export type LeadDetails = Record<LeadFieldName, string> & { answers: readonly Answer[] };

/** What of it an owner can correct, as it was sent. */
export type SentDetails = Record<DetailName, string>;

/** A lead as its owner sees it, with the details as the owner corrected them. Times in epoch milliseconds. */
export type Lead = LeadDetails & {
  title: string;
  website: string;
  /** Further ones, which the owner added. */
  otherEmails: readonly string[];
  otherPhones: readonly string[];
  /** What was sent, once the owner has corrected it. */
  sent: SentDetails | undefined;
  id: string;
  ownerId: string;
  cardId: string;
  source: string;
  status: LeadStatus;
  ownerNote: string;
  /** A day, "2026-12-24"; "" without one. */
  followUp: string;
  isRead: boolean;
  /** Since when it is suspected spam, or null. */
  quarantinedAt: number | null;
  spamReasons: readonly SpamReason[];
  /** When the visitor withdrew all consent, or null. Then the details are empty. */
  withdrawnAt: number | null;
  /** When the visitor agreed. */
  createdAt: number;
  receivedAt: number;
  expiresAt: number;
  /** The id of the main lead of the same person, which this one is shown with; null for a main lead. */
  mergedInto: string | null;
};

/** The proof of one consent. */
export type LeadConsent = {
  purpose: ConsentPurpose;
  version: number;
  /** SHA-256 of the text, in hexadecimal. */
  hash: string;
  text: string;
  source: ConsentSource;
  givenAt: number;
  withdrawnAt: number | null;
};

/** A question of the owner's own; a choice has options, a text has none. */
export type Question = { id: string; label: string; kind: "text" | "choice"; options: string[]; isRequired: boolean };

/** What the owner decided about the form of a card. */
export type LeadFormSettings = {
  fields: Record<LeadFieldName, FieldMode>;
  questions: Question[];
  /** The owner's own words for each purpose; "" for the template. */
  consentTexts: { answer: string; newsletter: string };
  /** Whether the form also offers a newsletter. */
  hasNewsletter: boolean;
  /** A link that is offered after sending; "" for none. */
  bookingUrl: string;
};

export const defaultFormSettings: LeadFormSettings = {
  fields: { name: "required", email: "required", phone: "optional", company: "optional", note: "optional" },
  questions: [],
  consentTexts: { answer: "", newsletter: "" },
  hasNewsletter: false,
  bookingUrl: "",
};

const storedMode = z.enum(fieldModes);
const storedText = z.string().catch("");

const storedSettings = z
  .object({
    fields: z.object({
      name: storedMode,
      email: storedMode,
      phone: storedMode,
      company: storedMode,
      note: storedMode,
    }),
    questions: z.array(
      z.object({
        id: z.string(),
        label: z.string(),
        kind: z.enum(["text", "choice"]),
        options: z.array(z.string()),
        isRequired: z.boolean(),
      }),
    ),
    consentTexts: z.object({ answer: storedText, newsletter: storedText }),
    hasNewsletter: z.boolean(),
    bookingUrl: storedText,
  })
  .catch(defaultFormSettings);

/** The settings in the column `lead_form.settings`; the default for what isn't readable. */
export function readFormSettings(json: string): LeadFormSettings {
  return storedSettings.parse(parseJson(json));
}

const storedAnswers = z.array(z.object({ question: z.string(), answer: z.string() })).catch([]);
const storedTexts = z.array(z.string()).catch([]);
const sentDetails = z.object({
  name: z.string(),
  title: z.string(),
  company: z.string(),
  email: z.string(),
  phone: z.string(),
  website: z.string(),
});
const storedReasons = z.array(z.enum(spamReasons)).catch([]);
const storedStatus = z.enum(leadStatuses).catch("new");
const storedPurpose = z.enum(consentPurposes);

export function readAnswers(json: string): Answer[] {
  return storedAnswers.parse(parseJson(json));
}

export function readTexts(json: string): string[] {
  return storedTexts.parse(parseJson(json));
}

/** Undefined for "": what was sent wasn't changed. */
export function readSentDetails(json: string): SentDetails | undefined {
  return json === "" ? undefined : sentDetails.parse(parseJson(json));
}

export function readSpamReasons(json: string): SpamReason[] {
  return storedReasons.parse(parseJson(json));
}

export function readStatus(text: string): LeadStatus {
  return storedStatus.parse(text);
}

/** Throws for a purpose that this release doesn't know. */
export function readPurpose(text: string): ConsentPurpose {
  return storedPurpose.parse(text);
}

/** Undefined for what isn't JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
