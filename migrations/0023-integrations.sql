-- Where an owner's contacts are copied to: a mailing list, a CRM, another address book.
create table integration (
  id text not null primary key,
  owner_id text not null,
  -- "listmonk", "brevo" …
  kind text not null,
  -- What the owner entered, as JSON. Encrypted for the owner.
  settings text not null,
  -- "on", "paused" by the owner, or "refused": the other side no longer accepts the key.
  state text not null default 'on',
  -- The revision of the owner's contacts up to which changes are in integration_contact: see address_book.revision.
  seen_revision bigint not null default 0,
  -- Nothing is sent before this time, because the other side asked for a pause.
  paused_until bigint not null default 0,
  created_at bigint not null,
  updated_at bigint not null
);
create index integration_owner on integration (owner_id);

-- A contact at the other side: what is left to do there, and what was done last. Says nothing about the person.
create table integration_contact (
  integration_id text not null,
  owner_id text not null,
  -- As in address_book_entry.
  name text not null,
  -- How the other side names the contact, after "+" if we created it there and "=" if not; "" while it isn't there, "?" if no answer came.
  remote_id text not null default '',
  -- A keyed hash of what was sent last; "" while it isn't there.
  sent_hash text not null default '',
  -- "waiting", "sent", "removed", "kept" (it was there before, so it wasn't deleted), "left-out" (no consent) or "given-up".
  state text not null,
  attempts integer not null default 0,
  first_attempt_at bigint,
  -- null when nothing is left to do.
  next_attempt_at bigint,
  -- How the other side answered last: its status, and a part of the text or what went wrong.
  status integer,
  answer text not null default '',
  updated_at bigint not null,
  primary key (integration_id, name)
);
create index integration_contact_due on integration_contact (integration_id, next_attempt_at) where next_attempt_at is not null;
create index integration_contact_log on integration_contact (integration_id, updated_at, name);
create index integration_contact_over on integration_contact (updated_at) where next_attempt_at is null and remote_id = '';
create index integration_contact_owner on integration_contact (owner_id);
create index integration_contact_remote on integration_contact (integration_id, remote_id) where remote_id <> '';
