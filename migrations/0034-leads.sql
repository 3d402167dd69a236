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
  -- How the visitor came to the form: a source mark ("qr", "nfc" …), "kiosk", "scan" or "".
  source text not null default '',
  name text not null default '',
  email text not null default '',
  phone text not null default '',
  company text not null default '',
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
  expiry_noticed_at bigint
);
create index lead_by_time on lead (owner_id, created_at, id);
create index lead_by_card on lead (card_id, created_at, id);
create index lead_by_email on lead (owner_id, email_key) where email_key <> '';
create index lead_by_phone on lead (owner_id, phone_key) where phone_key <> '';
create index lead_by_expiry on lead (expires_at);

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

create table lead_tag (
  lead_id text not null,
  tag text not null,
  owner_id text not null,
  primary key (lead_id, tag)
);
create index lead_tag_owner on lead_tag (owner_id, tag);

-- A keyed hash of the id of an erased lead, so that the same lead, sent again by a device, stays erased.
create table erased_lead (
  hash text not null primary key,
  erased_at bigint not null
);
