-- What operators did to accounts, kept for 180 days. Without addresses: a deleted account leaves none.
create table operator_log (
  id text not null primary key,
  -- The operator's account; "" for the command line.
  admin_id text not null,
  owner_id text not null,
  action text not null,
  -- The reason for a block.
  detail text not null,
  created_at bigint not null
);
create index operator_log_time on operator_log (created_at, id);
create index operator_log_owner on operator_log (owner_id);

-- For the operator's search.
create index profile_name on profile (display_name, owner_id);
