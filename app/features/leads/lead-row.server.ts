import type { Selectable } from "kysely";

import type { LeadTable } from "#app/services/database/lead-schema.ts";

import { emailKey, phoneKey, searchText } from "./rules.ts";
import { readAnswers, readSpamReasons, readStatus } from "./schema.ts";
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

/** The columns of a new lead that hold what a visitor shared, the keys to find the same person by, and what a search looks in. */
export function toDetailColumns(details: LeadDetails) {
  const { name, email, phone, company, note, answers } = details;
  return {
    name,
    email,
    phone,
    company,
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
  owner_note: "",
  follow_up: "",
};
