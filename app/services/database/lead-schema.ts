import type { ColumnType } from "kysely";

/** The tables of leads, and of who is notified about them. */
export type LeadSchema = {
  lead_form: LeadFormTable;
  lead_setting: LeadSettingTable;
  consent_text: ConsentTextTable;
  lead: LeadTable;
  lead_consent: LeadConsentTable;
  lead_tag: LeadTagTable;
  lead_distinct: LeadDistinctTable;
  lead_reply: LeadReplyTable;
  erased_lead: ErasedLeadTable;
  lead_notice: LeadNoticeTable;
  lead_in_notice: LeadInNoticeTable;
  lead_forward: LeadForwardTable;
  lead_recipient: LeadRecipientTable;
  calendar_feed: CalendarFeedTable;
  kiosk_device: KioskDeviceTable;
  address_book: AddressBookTable;
  address_book_entry: AddressBookEntryTable;
  address_book_device: AddressBookDeviceTable;
};

/** A device at a fair that shows the form of a card. */
type KioskDeviceTable = {
  id: string;
  owner_id: string;
  card_id: string;
  name: string;
  /** What its page says above the form; "" for the usual heading. */
  heading: Defaulted<string>;
  /** SHA-256 of the secret in its address, in hexadecimal. */
  token_hash: string;
  /** How many leads it delivered, suspected spam included. */
  received: Defaulted<number>;
  created_at: number;
  /** When it last loaded the form or sent something. */
  last_seen_at: number | null;
};

/** The form with which visitors share their contact on a card. Without a row it is off. */
type LeadFormTable = {
  card_id: string;
  owner_id: string;
  is_on: Defaulted<0 | 1>;
  /** JSON: `LeadFormSettings`. */
  settings: Defaulted<string>;
  /** How many leads ever came in. Erased ones still count; suspected spam doesn't. */
  received: Defaulted<number>;
  version: Defaulted<number>;
  updated_at: number;
};

/** What an owner decides for all leads. */
type LeadSettingTable = {
  owner_id: string;
  retention_months: Defaulted<number>;
  /** When the last notice about leads that end soon was sent. */
  noticed_at: Defaulted<number>;
  /** The template for replies; "" for ours. */
  reply_subject: Defaulted<string>;
  reply_text: Defaulted<string>;
  updated_at: number;
};

/** A text that visitors were asked to agree to. A row never changes. */
type ConsentTextTable = {
  id: string;
  owner_id: string;
  purpose: string;
  version: number;
  text: string;
  /** SHA-256 of the text, in hexadecimal. */
  hash: string;
  created_at: number;
};

/** A visitor's details, given with consent. */
export type LeadTable = {
  id: string;
  owner_id: string;
  card_id: string;
  /** How the visitor came to the form: a source mark ("qr", "nfc" …), "kiosk", "scan", "hand" or "". */
  source: Defaulted<string>;
  name: Defaulted<string>;
  email: Defaulted<string>;
  phone: Defaulted<string>;
  company: Defaulted<string>;
  /** The visitor's own words. */
  note: Defaulted<string>;
  /** JSON: [{question, answer}]. */
  answers: Defaulted<string>;
  /** The address in lower case and the digits of the number, to find the same person again. */
  email_key: Defaulted<string>;
  phone_key: Defaulted<string>;
  status: Defaulted<string>;
  owner_note: Defaulted<string>;
  /** A day, "2026-12-24"; "" without one. */
  follow_up: Defaulted<string>;
  /** When that day was last changed, and how often. */
  follow_up_changed_at: Defaulted<number | null>;
  follow_up_changes: Defaulted<number>;
  read_at: Defaulted<number | null>;
  /** Since when it is suspected spam. */
  quarantined_at: Defaulted<number | null>;
  /** JSON: `SpamReason[]`. */
  spam_reasons: Defaulted<string>;
  /** The visitor withdrew all consent: the details are removed, and only the proof is left. */
  withdrawn_at: Defaulted<number | null>;
  /** A keyed hash of the address, once the details are removed. */
  proof_hash: Defaulted<string>;
  /** When the visitor agreed. */
  created_at: number;
  /** Later than `created_at` for a form that was filled in offline. */
  received_at: number;
  /** When the retention ends. */
  expires_at: number;
  /** When the owner was told that it ends soon. */
  expiry_noticed_at: Defaulted<number | null>;
  /** Deleted by the owner: hidden, and erased once it can't be undone any more. */
  deleted_at: Defaulted<number | null>;
  /** The main lead of the same person, which this one is shown with. It is never merged itself. */
  merged_into: Defaulted<string | null>;
  /** The lead that this one was merged into, which may have been merged into another since. */
  merge_parent: Defaulted<string | null>;
  /** JSON: what that lead took from this one, because it had none: "status", "followUp". */
  merge_filled: Defaulted<string>;
  /** What a search looks in: see `searchText`. "" once the visitor withdrew. */
  search_text: Defaulted<string>;
  title: Defaulted<string>;
  website: Defaulted<string>;
  /** JSON: string[]. */
  other_emails: Defaulted<string>;
  other_phones: Defaulted<string>;
  /** JSON: `SentDetails`, as they were before the owner's first change; "" without one. */
  sent_details: Defaulted<string>;
};

/** What a visitor agreed to, as proof. */
type LeadConsentTable = {
  lead_id: string;
  owner_id: string;
  purpose: string;
  text_id: string;
  text_version: number;
  text_hash: string;
  /** "form", "kiosk" or "in person". */
  source: string;
  given_at: number;
  withdrawn_at: Defaulted<number | null>;
};

type LeadTagTable = { lead_id: string; tag: string; owner_id: string };

/** Two leads of different people that share an address or a number; each pair in both directions. */
type LeadDistinctTable = { lead_id: string; other_id: string; owner_id: string };

/** A reply that an owner sent to a lead by email. */
type LeadReplyTable = {
  id: string;
  lead_id: string;
  owner_id: string;
  subject: string;
  text: string;
  created_at: number;
};

/** A keyed hash of the id of an erased lead, which stays erased when a device sends it again. */
type ErasedLeadTable = { hash: string; erased_at: number };

/** How an owner is notified of new leads, by channel. */
export type LeadNoticeTable = {
  owner_id: string;
  /** "mail" or "chat". */
  channel: string;
  /** "now", "daily" or "off". */
  timing: string;
  /** The hour of the daily summary in the owner's time zone. */
  hour: number;
  /** The encrypted address of a chat's incoming webhook. */
  address: Defaulted<string>;
  sent_at: Defaulted<number>;
  /** How long the next notice waits after the last one. */
  gap_ms: Defaulted<number>;
  last_error: Defaulted<string>;
  failed_at: Defaulted<number | null>;
  updated_at: number;
};

/** Leads that wait for a notice. */
type LeadInNoticeTable = { lead_id: string; channel: string; owner_id: string; created_at: number };

/** Addresses that get each lead by mail, once someone there has confirmed it. */
export type LeadForwardTable = {
  id: string;
  owner_id: string;
  address: string;
  created_at: number;
  confirmed_at: Defaulted<number | null>;
  sent_at: Defaulted<number | null>;
  last_error: Defaulted<string>;
  failed_at: Defaulted<number | null>;
};

/** An address that a lead was forwarded to. */
type LeadRecipientTable = { lead_id: string; owner_id: string; address: string; sent_at: number };

/** The secret address of an owner's calendar of follow-up dates. */
type CalendarFeedTable = {
  owner_id: string;
  /** SHA-256 of the secret, in hexadecimal. */
  token_hash: string;
  created_at: number;
  /** When a calendar last requested it, to the hour. */
  fetched_at: Defaulted<number | null>;
};

/** The contacts that an owner's devices synchronize. */
type AddressBookTable = { owner_id: string; revision: number; oldest_revision: Defaulted<number> };

/** All leads of a person, under a name that says nothing about them. `lead_id`: the main one, null once it is erased. */
type AddressBookEntryTable = { owner_id: string; name: string; lead_id: string | null; revision: number };

/** A device that reads the contacts with a password of its own. */
type AddressBookDeviceTable = {
  id: string;
  owner_id: string;
  name: string;
  /** SHA-256, in hexadecimal. */
  password_hash: string;
  created_at: number;
  /** To the hour. */
  used_at: Defaulted<number | null>;
};

/** Optional in an insert, because the column has a default. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;
