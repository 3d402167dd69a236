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
