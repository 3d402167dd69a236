-- An invitation to sign up with an address, which its link also confirms. It is accepted once.
create table invitation (
  id text not null primary key,
  email text not null unique,
  -- SHA-256 of the token in the link; null once it was accepted.
  token_hash text unique,
  created_at bigint not null,
  expires_at bigint not null,
  accepted_at bigint
);
create index invitation_time on invitation (created_at, id);
create index invitation_expiry on invitation (expires_at);
