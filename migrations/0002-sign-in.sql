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

-- A link and a code that were mailed to sign in with. Using one uses up both.
create table email_sign_in (
  token_hash text not null primary key,
  -- Of the code together with the token of the browser that asked.
  code_hash text not null,
  browser_hash text not null unique,
  -- "Firefox on Windows": the browser that asked.
  browser text not null,
  owner_id text not null,
  -- The path to open after signing in; empty for the usual one.
  return_to text not null,
  expires_at bigint not null
);
create index email_sign_in_owner on email_sign_in (owner_id);
create index email_sign_in_expiry on email_sign_in (expires_at);

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
  -- The key of an authenticator app while it is being set up. Encrypted.
  pending_secret text,
  -- The time step of the last accepted code, which is not accepted again.
  totp_step bigint not null default 0,
  enabled_at bigint
);

-- A code that stands in for the second factor, once.
create table backup_code (
  owner_id text not null,
  code_hash text not null,
  used_at bigint,
  primary key (owner_id, code_hash)
);

-- A passkey of an account.
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

-- What a passkey is asked to sign, once and within five minutes.
create table passkey_challenge (
  challenge text not null primary key,
  -- Empty for a sign-in: the response says who the user is.
  owner_id text not null,
  -- "sign-in", "second-factor", "add" or "confirm".
  purpose text not null,
  expires_at bigint not null
);
create index passkey_challenge_owner on passkey_challenge (owner_id);

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
create index replaced_token_session on replaced_token (session_id);
create index replaced_token_expiry on replaced_token (expires_at);
