import type { Selectable } from "kysely";

import type { LeadTable } from "#app/services/database/lead-schema.ts";

import { emailKey, phoneKey, searchText } from "./rules.ts";
import { readAnswers, readSentDetails, readSpamReasons, readStatus, readTexts } from "./schema.ts";
import type { Lead, LeadDetails } from "./schema.ts";

export type LeadRow = Selectable<LeadTable>;

export function toLead(row: LeadRow): Lead {
  return {
    id: row.id,
    ownerId: row.owner_id,
    cardId: row.card_id,
    source: row.source,
    name: row.name,
    email: row.email,
    phone: row.phone,
    company: row.company,
    title: row.title,
    website: row.website,
    otherEmails: readTexts(row.other_emails),
    otherPhones: readTexts(row.other_phones),
    sent: readSentDetails(row.sent_details),
    note: row.note,
    answers: readAnswers(row.answers),
    status: readStatus(row.status),
    ownerNote: row.owner_note,
    followUp: row.follow_up,
    isRead: row.read_at !== null,
    quarantinedAt: row.quarantined_at,
    spamReasons: readSpamReasons(row.spam_reasons),
    withdrawnAt: row.withdrawn_at,
    createdAt: row.created_at,
    receivedAt: row.received_at,
    expiresAt: row.expires_at,
    mergedInto: row.merged_into,
  };
}

/** What a new lead has: a title and a website come from a paper card. */
export type NewDetails = LeadDetails & Partial<Pick<Lead, "title" | "website">>;

/** The columns of a new lead that hold what a visitor shared, the keys to find the same person by, and what a search looks in. */
export function toDetailColumns(details: NewDetails) {
  const { name, email, phone, company, title = "", website = "", note, answers } = details;
  return {
    name,
    email,
    phone,
    company,
    title,
    website,
    note,
    answers: JSON.stringify(answers),
    email_key: emailKey(email),
    phone_key: phoneKey(phone),
    search_text: searchText({ ...details, ownerNote: "", tags: [] }),
  };
}

/** The same columns without anything about the person, and without what the owner wrote about them. */
export const removedDetails = {
  ...toDetailColumns({ name: "", email: "", phone: "", company: "", note: "", answers: [] }),
  other_emails: "[]",
  other_phones: "[]",
  sent_details: "",
  owner_note: "",
  follow_up: "",
};
