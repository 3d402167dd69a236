-- The pass of a card in Google Wallet, from the first time someone asked for it.
create table google_pass (
  card_id text not null primary key,
  -- "" once the account is deleted.
  owner_id text not null,
  -- Of the object that Google has; "" before the first one.
  sent_hash text not null default '',
  sent_at bigint,
  -- Why Google doesn't have the current one, in plain language; "" after a success.
  error text not null default '',
  -- When the job runs that sends the current one; null: none is waiting. Saves until then need no other job.
  update_due_at bigint,
  -- The card was deleted. The row stays for a while, so that Google hears that the pass is void.
  deleted_at bigint,
  created_at bigint not null
);
create index google_pass_owner on google_pass (owner_id);
