-- Where an owner's events are sent.
create table webhook_endpoint (
  id text not null primary key,
  owner_id text not null,
  -- Encrypted for the owner, like the secrets.
  url text not null,
  -- JSON: the kinds of events that it gets.
  kinds text not null,
  secret text not null,
  -- The secret before the last rotation, which also signs until `old_secret_until`.
  old_secret text not null default '',
  old_secret_until bigint not null default 0,
  is_on integer not null default 1,
  -- Why it was switched off: "owner", "gone" or "failing"; "" while it is on.
  off_reason text not null default '',
  -- Since when no attempt has succeeded; null after a success.
  failing_since bigint,
  -- It hasn't answered yet, or its last attempt failed or took long: it shares a part of the connections with others like it.
  is_slow integer not null default 0,
  -- Attempts in a row that got no answer. From three on, one message is tried at a time, and none before `paused_until`.
  unanswered integer not null default 0,
  paused_until bigint not null default 0,
  -- Messages that weren't stored because too many waited, and when the last one wasn't.
  left_out integer not null default 0,
  left_out_at bigint not null default 0,
  created_at bigint not null,
  updated_at bigint not null
);
create index webhook_endpoint_owner on webhook_endpoint (owner_id);

-- An event on its way to an endpoint, and the log of its delivery.
create table webhook_delivery (
  -- The `webhook-id`, the same in all attempts.
  id text not null primary key,
  endpoint_id text not null,
  owner_id text not null,
  kind text not null,
  -- JSON. Without anything about a lead, whose details are read when they are sent or shown.
  content text not null,
  -- "" without one, and once the lead is gone.
  lead_id text not null default '',
  card_id text not null default '',
  -- How many events it stands for: contacts that are saved within a minute are sent together.
  count integer not null default 1,
  is_test integer not null default 0,
  -- "waiting", "delivered", "failed" or "dropped".
  state text not null,
  -- Attempts since it was sent the first time, or by hand.
  attempts integer not null default 0,
  first_attempt_at bigint,
  -- Null unless it waits.
  next_attempt_at bigint,
  leased_until bigint not null default 0,
  happened_at bigint not null,
  created_at bigint not null
);
create index webhook_delivery_waiting on webhook_delivery (endpoint_id, next_attempt_at) where next_attempt_at is not null;
create index webhook_delivery_log on webhook_delivery (endpoint_id, created_at, id);
create index webhook_delivery_owner on webhook_delivery (owner_id);
create index webhook_delivery_lead on webhook_delivery (lead_id) where lead_id <> '';
create index webhook_delivery_card on webhook_delivery (card_id) where card_id <> '';
create index webhook_delivery_age on webhook_delivery (created_at);

-- One attempt to deliver, and what was answered.
create table webhook_attempt (
  id text not null primary key,
  delivery_id text not null,
  owner_id text not null,
  started_at bigint not null,
  -- What was sent as `webhook-signature`.
  signature text not null,
  -- The answer, or why there was none.
  status integer,
  problem text not null default '',
  -- The beginning of the answer, encrypted for the owner; "" without one, and once the lead is gone that it may repeat.
  answer text not null default '',
  duration_ms integer not null
);
create index webhook_attempt_delivery on webhook_attempt (delivery_id, started_at);
create index webhook_attempt_owner on webhook_attempt (owner_id);
