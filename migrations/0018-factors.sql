-- The key of an authenticator app while it is being set up. Encrypted.
alter table second_factor add column pending_secret text;

-- What a passkey is asked to sign, once and within five minutes.
create table passkey_challenge (
  challenge text not null primary key,
  -- Empty for a sign-in: who it is turns out with the response.
  owner_id text not null,
  -- "sign-in", "second-factor", "add" or "confirm".
  purpose text not null,
  expires_at bigint not null
);
create index passkey_challenge_owner on passkey_challenge (owner_id);
