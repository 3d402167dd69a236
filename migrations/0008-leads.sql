-- The form with which visitors share their contact on a card. Without a row it is off.
create table lead_form (
  card_id text not null primary key,
  owner_id text not null,
  is_on integer not null default 0,
  -- JSON: what the form asks for, consent texts, booking link.
  settings text not null default '{}',
  -- How many leads ever came in. Erased ones still count; suspected spam doesn't.
  received bigint not null default 0,
  version bigint not null default 1,
  updated_at bigint not null
);
create index lead_form_owner on lead_form (owner_id);

-- What an owner decides for all leads.
create table lead_setting (
  owner_id text not null primary key,
  retention_months integer not null default 24,
  -- When the last notice about leads that end soon was sent.
  noticed_at bigint not null default 0,
  updated_at bigint not null
);

-- Each text that visitors were asked to agree to. A row never changes: another text is another version.
create table consent_text (
  id text not null primary key,
  owner_id text not null,
  purpose text not null,
  version integer not null,
  text text not null,
  -- SHA-256 of the text in UTF-8, in hexadecimal.
  hash text not null,
  created_at bigint not null,
  unique (owner_id, purpose, hash),
  unique (owner_id, purpose, version)
);

-- A visitor's details, given with consent.
create table lead (
  id text not null primary key,
  owner_id text not null,
  card_id text not null,
  -- How the visitor came to the form: a source mark ("qr", "nfc" …), "kiosk", "scan", "hand" or "".
  source text not null default '',
  name text not null default '',
  email text not null default '',
  phone text not null default '',
  company text not null default '',
  -- The visitor's own words.
  note text not null default '',
  -- JSON: what the owner asked in addition, and what the visitor wrote.
  answers text not null default '[]',
  -- The address in lower case and the digits of the number, to find the same person again.
  email_key text not null default '',
  phone_key text not null default '',
  status text not null default 'new',
  owner_note text not null default '',
  -- A day, "2026-12-24"; "" without one.
  follow_up text not null default '',
  -- When that day was last changed, and how often: calendars take a newer version of an event.
  follow_up_changed_at bigint,
  follow_up_changes integer not null default 0,
  read_at bigint,
  -- Suspected spam: since when, and why (JSON list).
  quarantined_at bigint,
  spam_reasons text not null default '[]',
  -- The visitor withdrew all consent: the details are removed, and only the proof is left.
  withdrawn_at bigint,
  -- A keyed hash of the address, once the details are removed.
  proof_hash text not null default '',
  -- When the visitor agreed, and when we received it: later, for a form that was filled in offline.
  created_at bigint not null,
  received_at bigint not null,
  -- When the retention ends, and when the owner was told so in advance.
  expires_at bigint not null,
  expiry_noticed_at bigint,
  -- Deleted by the owner: hidden at once, and erased by a job after the time to undo it.
  deleted_at bigint,
  -- The main lead of the same person, which this one is shown with: each keeps its own proof of consent and its own links.
  merged_into text,
  -- The lead that this one was merged into, which may have been merged into another since.
  merge_parent text,
  -- JSON: what that lead took from this one, because it had none: "status", "followUp".
  merge_filled text not null default '[]',
  -- What a search looks in: the lead's details, the owner's note and the tags, without case and accents. SQL can't fold them on both
  -- engines, so the program does. "" once the visitor withdrew.
  search_text text not null default ''
);
create index lead_by_time on lead (owner_id, created_at, id);
create index lead_by_card on lead (card_id, created_at, id);
create index lead_by_email on lead (owner_id, email_key) where email_key <> '';
create index lead_by_phone on lead (owner_id, phone_key) where phone_key <> '';
create index lead_by_expiry on lead (expires_at);
-- Each view of the inbox reads one of these in its order, and counts from it alone.
create index lead_in_inbox on lead (owner_id, created_at, id)
  where quarantined_at is null and deleted_at is null and merged_into is null;
create index lead_in_spam on lead (owner_id, created_at, id)
  where quarantined_at is not null and deleted_at is null and merged_into is null;
create index lead_unread on lead (owner_id)
  where read_at is null and quarantined_at is null and deleted_at is null and merged_into is null;
create index lead_deleted on lead (owner_id, deleted_at) where deleted_at is not null;
create index lead_merged on lead (merged_into) where merged_into is not null;
create index lead_merged_of_owner on lead (owner_id, merged_into) where merged_into is not null;
create index lead_follow_up on lead (owner_id, follow_up, id) where follow_up <> '';
-- For the notices about leads that end soon.
create index lead_unannounced on lead (expires_at)
  where expiry_noticed_at is null and quarantined_at is null and withdrawn_at is null;

-- What a visitor agreed to, as proof.
create table lead_consent (
  lead_id text not null,
  owner_id text not null,
  purpose text not null,
  text_id text not null,
  text_version integer not null,
  text_hash text not null,
  -- Where the consent was given: "form", "kiosk" or "in person".
  source text not null,
  given_at bigint not null,
  withdrawn_at bigint,
  primary key (lead_id, purpose)
);
create index lead_consent_owner on lead_consent (owner_id);

-- A word by which an owner finds leads.
create table lead_tag (
  lead_id text not null,
  tag text not null,
  owner_id text not null,
  primary key (lead_id, tag)
);
create index lead_tag_owner on lead_tag (owner_id, tag);

-- Two leads that share an address or a number and belong to different people. Each pair is stored in both directions.
create table lead_distinct (
  lead_id text not null,
  other_id text not null,
  owner_id text not null,
  primary key (lead_id, other_id)
);
create index lead_distinct_other on lead_distinct (other_id);
create index lead_distinct_owner on lead_distinct (owner_id);

-- A keyed hash of the id of an erased lead, so that the same lead, sent again by a device, stays erased.
create table erased_lead (
  hash text not null primary key,
  erased_at bigint not null
);
create index erased_lead_age on erased_lead (erased_at);

-- A device at a fair that shows the form of a card. Its address has a secret; here is only the secret's hash.
create table kiosk_device (
  id text not null primary key,
  owner_id text not null,
  card_id text not null,
  name text not null,
  -- SHA-256 of the secret, in hexadecimal.
  token_hash text not null unique,
  -- How many leads it delivered, suspected spam included.
  received bigint not null default 0,
  created_at bigint not null,
  -- When it last loaded the form or sent something.
  last_seen_at bigint
);
create index kiosk_device_owner on kiosk_device (owner_id);
create index kiosk_device_card on kiosk_device (card_id);
