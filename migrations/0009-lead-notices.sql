-- How an owner is notified of new leads, by channel: "mail" or "chat". Without a row for "mail": at once.
create table lead_notice (
  owner_id text not null,
  channel text not null,
  -- "now", "daily" or "off".
  timing text not null,
  -- The hour of the daily summary in the owner's time zone.
  hour integer not null,
  -- The encrypted address of a chat's incoming webhook; "" for mail.
  address text not null default '',
  sent_at bigint not null default 0,
  -- How long the next notice waits after the last one: longer while many leads come in.
  gap_ms bigint not null default 0,
  -- Why the last message wasn't accepted; "" if it was.
  last_error text not null default '',
  failed_at bigint,
  updated_at bigint not null,
  primary key (owner_id, channel)
);

-- Leads that wait for a notice.
create table lead_in_notice (
  lead_id text not null,
  channel text not null,
  owner_id text not null,
  created_at bigint not null,
  primary key (lead_id, channel)
);
create index lead_in_notice_owner on lead_in_notice (owner_id, channel);

-- Addresses that get each lead by mail, once someone there has confirmed it.
create table lead_forward (
  id text not null primary key,
  owner_id text not null,
  address text not null,
  created_at bigint not null,
  confirmed_at bigint,
  sent_at bigint,
  last_error text not null default '',
  failed_at bigint,
  unique (owner_id, address)
);
create index lead_forward_unconfirmed on lead_forward (created_at) where confirmed_at is null;

-- To which addresses a lead was forwarded, so that each is asked to delete it when its visitor wants that.
create table lead_recipient (
  lead_id text not null,
  owner_id text not null,
  address text not null,
  sent_at bigint not null,
  primary key (lead_id, address)
);
create index lead_recipient_owner on lead_recipient (owner_id);

-- The secret address of an owner's calendar of follow-up dates. Only the hash of its secret is stored.
create table calendar_feed (
  owner_id text not null primary key,
  token_hash text not null unique,
  created_at bigint not null,
  -- When a calendar last asked for it, to the hour.
  fetched_at bigint
);
