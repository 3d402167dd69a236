-- A code that was mailed to an account without a password, to confirm who its user is.
create table identity_code (
  owner_id text not null primary key,
  code_hash text not null,
  expires_at bigint not null
);

-- The token that a session had before it got a new one. Requests that were under way may still carry it.
create table replaced_token (
  token_hash text not null primary key,
  owner_id text not null,
  session_id text not null,
  -- 1: the token still stands for the session; 0: it only tells such a request from a stranger's.
  is_valid integer not null,
  expires_at bigint not null
);
create index replaced_token_owner on replaced_token (owner_id);

create table account_preference (
  owner_id text not null primary key,
  -- 1: the owner gets a mail about a sign-in from a new browser.
  mails_sign_ins integer not null default 1,
  -- "de-DE", for dates; "" for American English.
  locale text not null default '',
  -- "Europe/Berlin"; "" for UTC.
  time_zone text not null default ''
);
