-- Plain SQL that SQLite and PostgreSQL read alike; a statement ends with a semicolon at the end of a line. Ids are text, times epoch
-- milliseconds, booleans 1 and 0.
-- better-auth makes and changes its own tables (user, session, account, verification). Therefore owner_id, the id of a user, has no foreign
-- key. An owner is a user today and may be a team later.

-- How an owner wants to be written to.
create table account_preference (
  owner_id text not null primary key,
  -- 1: the owner gets a mail about a sign-in from a new browser.
  mails_sign_ins integer not null default 1,
  -- "de-DE", for dates; "" for American English.
  locale text not null default '',
  -- "Europe/Berlin"; "" for UTC.
  time_zone text not null default ''
);

-- An account that the operator blocked.
create table account_block (
  owner_id text not null primary key,
  reason text not null,
  created_at bigint not null
);

-- A change of an account's email that the new address hasn't confirmed yet. A newer one replaces it.
create table email_change (
  owner_id text not null primary key,
  email text not null,
  -- Identifies the link that was mailed.
  link_id text not null,
  expires_at bigint not null
);

-- What a visitor typed before a sign-up. It prefills the first steps of the new account and is never public itself.
create table sign_up_draft (
  -- Identifies the sign-up: several people may sign up with one address.
  attempt text not null primary key,
  owner_id text not null,
  content text not null,
  -- 1 once the link of this sign-up confirmed the account. Only then is it read.
  is_confirmed integer not null default 0,
  expires_at bigint not null
);
create index sign_up_draft_owner on sign_up_draft (owner_id);

-- The latest export of an account's data. A new one replaces it.
create table data_export (
  owner_id text not null primary key,
  -- Identifies the export; its file has this name.
  id text not null,
  state text not null check (state in ('running', 'ready', 'failed')),
  -- How often the job has started.
  tries integer not null default 0,
  files_done integer not null default 0,
  -- 0 until they are counted.
  files_total integer not null default 0,
  -- Of the finished file.
  bytes bigint not null default 0,
  requested_at bigint not null,
  -- When the row and its file are deleted.
  expires_at bigint not null
);
create index data_export_expiry on data_export (expires_at);

-- What happened to the security of an account, stored for 180 days.
create table security_event (
  id text not null primary key,
  owner_id text not null,
  event text not null,
  -- A word or two: the sign-in method, the name of a passkey.
  detail text not null,
  browser text not null,
  -- A hash of the network, to tell networks apart.
  network text not null,
  created_at bigint not null
);
create index security_event_owner on security_event (owner_id, created_at);
create index security_event_time on security_event (created_at);

-- What operators did to accounts, stored for 180 days. Without addresses: a deleted account leaves none.
create table operator_log (
  id text not null primary key,
  -- The operator's account; "" for the command line.
  admin_id text not null,
  owner_id text not null,
  action text not null,
  -- The reason for a block.
  detail text not null,
  created_at bigint not null
);
create index operator_log_time on operator_log (created_at, id);
create index operator_log_owner on operator_log (owner_id);
