-- What the page of a kiosk link says above the form; "" for the usual heading.
alter table kiosk_device add column heading text not null default '';

-- A session whose browser shows visitors the form of a card. It doesn't count as signed in until it is taken back.
create table handed_over_session (
  session_id text not null primary key,
  owner_id text not null,
  -- A hash like that of a password; null when only the password takes the session back.
  pin_hash text,
  -- Encrypted: the form that is shown.
  form text not null,
  -- How many PINs and passwords were tried.
  attempts integer not null default 0,
  -- Later than the session can end: a row that is deleted before it would unlock the session.
  expires_at bigint not null
);
create index handed_over_session_owner on handed_over_session (owner_id);
create index handed_over_session_expiry on handed_over_session (expires_at);
