-- The plan that an operator gave an owner. The table `subscription` is derived from it and from what is paid.
create table plan_grant (
  owner_id text not null primary key,
  plan text not null,
  -- Null: no end.
  ends_at bigint,
  -- For operators only.
  reason text not null,
  -- The operator's account; "" for the command line and for rows of older releases.
  granted_by text not null,
  created_at bigint not null
);

-- Until now operators gave Premium by writing the row of `subscription` themselves.
insert into plan_grant (owner_id, plan, ends_at, reason, granted_by, created_at)
  select owner_id, plan, ends_at, '', '', 0 from subscription where plan = 'premium';
