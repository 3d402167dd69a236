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
