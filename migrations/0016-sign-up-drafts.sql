-- What a visitor kept before a sign-up. It prefills the first steps of the new account and is never public itself.
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
