-- A change of an account's email that the new address hasn't confirmed yet. A newer one replaces it.
create table email_change (
  owner_id text not null primary key,
  email text not null,
  -- Identifies the link that was mailed.
  link_id text not null,
  expires_at bigint not null
);
