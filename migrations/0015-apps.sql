-- A session of an app that signed in through the client API: what better-auth's session with the same id doesn't say.
create table app_session (
  session_id text not null primary key,
  owner_id text not null,
  -- 1 once each factor was checked that the account has.
  is_full integer not null,
  -- The proofs, as in the claim "amr" of RFC 8176: JSON, times in seconds.
  proofs text not null,
  expires_at bigint not null
);
create index app_session_owner on app_session (owner_id);
create index app_session_expiry on app_session (expires_at);

-- What an app gets its next access token for, once. Those of one session are a family: a stolen one that is used twice ends it.
create table refresh_token (
  token_hash text not null primary key,
  session_id text not null,
  owner_id text not null,
  -- null until it was used.
  used_at bigint,
  expires_at bigint not null
);
create index refresh_token_session on refresh_token (session_id);
create index refresh_token_owner on refresh_token (owner_id);
create index refresh_token_expiry on refresh_token (expires_at);

-- A link that was mailed for an app, or the code that the app gets when the link or a provider led back to it.
create table app_link (
  token_hash text not null primary key,
  owner_id text not null,
  -- 'sign-in', 'recovery' or 'sign-up' for a mailed link; 'code' for the code; 'used' for a message of a wallet that can't be used again.
  kind text not null,
  -- How the user of a code proved who they are. For a sign-up, which attempt it is.
  detail text not null default '',
  -- A hash of the six digits in the mail; "" without them.
  digits_hash text not null default '',
  -- The address of the app to open.
  redirect_to text not null default '',
  -- RFC 7636: proves that the app that asked is the one that uses the code; "" without one.
  challenge text not null default '',
  expires_at bigint not null
);
create index app_link_owner on app_link (owner_id);
create index app_link_expiry on app_link (expires_at);
