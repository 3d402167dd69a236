-- A browser that has signed in to an account. Its cookie holds a random token, of which this is the hash.
create table known_device (
  token_hash text not null,
  owner_id text not null,
  -- "Firefox on Windows".
  browser text not null,
  created_at bigint not null,
  seen_at bigint not null,
  -- Until this time a sign-in from the browser needs no second factor.
  trusted_until bigint not null default 0,
  primary key (token_hash, owner_id)
);
create index known_device_owner on known_device (owner_id, seen_at);

-- A sign-in that waits for the second factor.
create table sign_in_challenge (
  token_hash text not null primary key,
  owner_id text not null,
  method text not null,
  expires_at bigint not null
);
create index sign_in_challenge_owner on sign_in_challenge (owner_id);

-- The second factor of an account. It is asked for once enabled_at is set.
create table second_factor (
  owner_id text not null primary key,
  -- Encrypted; null for an account that only uses passkeys.
  totp_secret text,
  -- The time step of the last accepted code, which is not accepted again.
  totp_step bigint not null default 0,
  enabled_at bigint
);

create table backup_code (
  owner_id text not null,
  code_hash text not null,
  used_at bigint,
  primary key (owner_id, code_hash)
);

create table passkey (
  id text not null primary key,
  owner_id text not null,
  credential_id text not null unique,
  -- In base64url, as COSE.
  public_key text not null,
  counter bigint not null,
  -- JSON: ["internal", "hybrid"].
  transports text not null,
  name text not null,
  -- 1: the passkey is synced between devices.
  is_synced integer not null,
  created_at bigint not null,
  last_used_at bigint
);
create index passkey_owner on passkey (owner_id);

-- What happened to the security of an account, kept for 180 days.
create table security_event (
  id text not null primary key,
  owner_id text not null,
  event text not null,
  -- A word or two: the way of signing in, the name of a passkey.
  detail text not null,
  browser text not null,
  -- A hash of the network, to tell networks apart.
  network text not null,
  created_at bigint not null
);
create index security_event_owner on security_event (owner_id, created_at);
create index security_event_time on security_event (created_at);

-- An account that the operator blocked.
create table account_block (
  owner_id text not null primary key,
  reason text not null,
  created_at bigint not null
);
